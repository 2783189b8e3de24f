"""`/api/me`: a person's own token, and the deletion of all that is theirs (K02)."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from deeptrust.api.caller import Caller, Parts
from deeptrust.api.plain_pages import message_page
from deeptrust.api.sign_in import give_cookie
from deeptrust.api.visit import read_visit
from deeptrust.domain.record import Record
from deeptrust.services import Services

router = APIRouter(tags=["me"])

_ALL = 1_000_000


class NewToken(Record):
    """A token for the caller's programs. It is shown here and never again."""

    token: str


class Gone(Record):
    """How much was deleted."""

    documents: int
    questions: int
    jobs: int

    def describe(self) -> str:
        """Say it in a sentence."""
        parts = ((self.documents, "document"), (self.questions, "question"), (self.jobs, "job"))
        return ", ".join(f"{number:,} {word}{'' if number == 1 else 's'}" for number, word in parts)


@router.post("/api/me/token")
async def make_token(caller: Caller, parts: Parts) -> NewToken:
    """Make a token for the caller's programs; a former one is worthless from now on."""
    return NewToken(token=await parts.admission.make_token(caller))


@router.delete("/api/me/token", status_code=204, response_class=Response)
async def revoke_token(caller: Caller, parts: Parts) -> None:
    """Make the caller's token worthless."""
    await parts.admission.revoke_token(caller)


@router.post("/token", include_in_schema=False)
async def make_token_by_form(caller: Caller, parts: Parts) -> Response:
    """The same for the page's own form; the answer is a page that shows the token, and is stored nowhere."""
    token = await parts.admission.make_token(caller)
    how = "Your programs send it as Authorization: Bearer TOKEN. It is shown here once, and kept nowhere."
    return message_page("Your token", how, "Back", secret=token)


@router.post("/token/revoke", include_in_schema=False)
async def revoke_token_by_form(caller: Caller, parts: Parts) -> Response:
    """The same for the page's own form."""
    await parts.admission.revoke_token(caller)
    return message_page("Your token was revoked", "No program can use it any more.", "Back")


@router.delete("/api/me", response_model=Gone)
async def forget_me(request: Request, caller: Caller, parts: Parts) -> Response:
    """Delete everything of the caller, and what they were known by. A browser gets a new cookie."""
    gone, secret = await _forget(parts, caller)
    answer = JSONResponse(gone.model_dump(by_alias=True))
    return give_cookie(answer, read_visit(request.scope, parts.settings), parts, secret)


@router.post("/forget", include_in_schema=False)
async def forget_me_by_form(request: Request, caller: Caller, parts: Parts) -> Response:
    """The same for the page's own form; the answer is a page that says what went."""
    gone, secret = await _forget(parts, caller)
    page = message_page(
        "Your data was deleted", f"{gone.describe()}: deleted from this server, with all quotes.", "Begin anew"
    )
    return give_cookie(page, read_visit(request.scope, parts.settings), parts, secret)


async def _forget(parts: Services, owner: str) -> tuple[Gone, str]:
    gone = Gone(
        documents=len(await parts.library(owner).documents()),
        questions=len(await parts.history.runs(owner, limit=_ALL)),
        jobs=len(await parts.study.jobs(owner)),
    )
    await parts.forget(owner)
    parts.tabs.close(owner)
    return gone, await parts.admission.start_anew(owner)
