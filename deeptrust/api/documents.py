"""`/api/documents`: list, add, remove, and read a page."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Response, UploadFile

from deeptrust.api.caller import Caller, Parts
from deeptrust.domain.document import Document, IngestOutcome, Page

router = APIRouter(prefix="/api/documents", tags=["documents"])


@router.get("")
async def list_documents(caller: Caller, parts: Parts) -> list[Document]:
    """List the caller's documents."""
    return await parts.library(caller).documents()


@router.post("")
async def add_document(
    caller: Caller,
    parts: Parts,
    file: Annotated[UploadFile, File()],
    password: Annotated[str | None, Form()] = None,
) -> IngestOutcome:
    """Take in one file (multipart field `file`); a file that cannot be read is an outcome with a reason."""
    # One byte more than allowed is enough to see that a file is too large.
    data = await file.read(parts.settings.max_document_bytes + 1)
    return await parts.library(caller).add_file(data, file.filename or "document", password=password)


@router.delete("/{document_id}", status_code=204, response_class=Response)
async def remove_document(caller: Caller, parts: Parts, document_id: str) -> None:
    """Remove a document with its passages and vectors."""
    await parts.library(caller).remove(document_id)


@router.get("/{document_id}/pages/{number}")
async def read_page(caller: Caller, parts: Parts, document_id: str, number: int) -> Page:
    """Return the text of one page."""
    return await parts.library(caller).page(document_id, number)
