"""`POST /api/ask`: one question, one checked answer."""

from fastapi import APIRouter

from deeptrust.api.caller import Caller, Parts
from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.record import Record

router = APIRouter(prefix="/api", tags=["ask"])


class AskRequest(Record):
    """The body of an ask."""

    question: str


@router.post("/ask")
async def ask(caller: Caller, parts: Parts, body: AskRequest) -> AnswerDetail:
    """Answer from the caller's documents; the run appears in their list like any other."""
    return await parts.ask(caller, body.question)
