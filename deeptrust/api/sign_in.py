"""`/login` and `/logout`: giving the password, and taking the admission back. No secret is ever part of an address."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from deeptrust.api.caller import Caller, Parts
from deeptrust.api.cookie import write_cookie
from deeptrust.api.forms import read_form
from deeptrust.api.plain_pages import sign_in_page
from deeptrust.api.visit import Visit, read_visit
from deeptrust.identity.attempts import Attempts
from deeptrust.identity.public import LOGIN
from deeptrust.identity.secrets import digest
from deeptrust.services import Services

router = APIRouter(include_in_schema=False)

_attempts = Attempts()
_WRONG = "That is not the password."


@router.get(LOGIN)
async def show_form(parts: Parts) -> Response:
    """Ask for the password, where there is one."""
    return sign_in_page() if parts.admission.has_password else _go_to("/")


@router.post(LOGIN)
async def sign_in(request: Request, parts: Parts) -> Response:
    """Let the browser in if the password is right. Each failure costs the same work and gets the same answer."""
    if not parts.admission.has_password:
        return _go_to("/")
    visit = read_visit(request.scope, parts.settings)
    keys = _keys(visit)
    if wait := _attempts.wait_seconds(*keys):
        return sign_in_page(f"Too many tries. Wait {wait} s, then try again.", 429, {"Retry-After": str(wait)})
    _attempts.note(*keys)
    secret = await parts.admission.sign_in(visit.secret, (await read_form(request)).get("password", ""))
    if secret is None:
        return sign_in_page(_WRONG, 401)
    _attempts.forget(*keys)
    return give_cookie(_go_to("/"), visit, parts, secret)


@router.post("/logout")
async def sign_out(request: Request, parts: Parts, caller: Caller) -> Response:
    """Revoke this browser's session, or with the field `everywhere` all of the person's."""
    visit = read_visit(request.scope, parts.settings)
    form = await read_form(request)
    secret = await parts.admission.sign_out(visit.secret)
    if form.get("everywhere"):
        await parts.admission.sign_out_everywhere(caller, but=secret)
    return give_cookie(_go_to(LOGIN), visit, parts, secret)


def give_cookie(answer: Response, visit: Visit, parts: Services, secret: str) -> Response:
    """Return `answer`, with which the browser gets its new secret."""
    answer.headers["Set-Cookie"] = write_cookie(parts.settings, secret, is_secure=visit.is_secure)
    return answer


def _go_to(path: str) -> Response:
    return RedirectResponse(path, 303, headers={"Cache-Control": "no-store"})


def _keys(visit: Visit) -> tuple[str, ...]:
    browser = (f"browser {digest(visit.secret)}",) if visit.secret else ()
    return (f"address {visit.address}", *browser)
