"""Who calls: a program with a token, or a browser that is known and admitted. One answer for each request."""

import hmac
from typing import Annotated

from fastapi import Depends, HTTPException, Request
from starlette.types import Scope

from deeptrust.api.visit import Visit, read_bearer
from deeptrust.errors import NotAdmitted
from deeptrust.services import Services, current_services

_OWNER = "deeptrust.owner"
_NOBODY = (
    "Open a page of this server first, or send a token as `Authorization: Bearer TOKEN`; "
    "that of the person who runs the server is in server.token of the DeepTrust home."
)
_NO_ORIGIN = "A change needs the Origin of a page of this server, or a token (`Authorization: Bearer TOKEN`)."


async def identify(visit: Visit) -> str:
    """Return the user behind a request or handshake. A token that was sent must be good: the cookie is then not read.

    Raises:
        NotAdmitted: nobody is known behind it.
        StoreUnavailable: the database cannot be read.
    """
    services = current_services()
    if visit.bearer:
        is_operator = _is_token_of_home(visit.bearer)
        return services.local_user if is_operator else await services.admission.owner_of_token(visit.bearer)
    if not visit.secret:
        raise NotAdmitted(_NOBODY)
    owner = await services.admission.enter(visit.secret)
    if not visit.is_safe and "origin" not in visit.headers:  # a foreign Origin was refused before
        raise NotAdmitted(_NO_ORIGIN)
    return owner


def note_owner(scope: Scope, owner: str) -> None:
    """Let the routes know whom the front door has recognised."""
    scope[_OWNER] = owner


def holds_token(request: Request) -> bool:
    """Whether the request carries the token of the home: only a program that can read this person's files does."""
    return _is_token_of_home(read_bearer(request.headers))


def identify_caller(request: Request) -> str:
    """Return the id of the person behind the request.

    Raises:
        NotAdmitted: the front door has recognised nobody.
    """
    owner = request.scope.get(_OWNER)
    if not isinstance(owner, str):
        raise NotAdmitted("Nobody is known behind this request. Send a token as `Authorization: Bearer TOKEN`.")
    return owner


def require_program(request: Request, caller: "Caller") -> str:
    """Return the caller of something that a link could do; only a token proves that it was meant (K17).

    Raises:
        HTTPException: 401, no token was sent.
    """
    if not read_bearer(request.headers):  # one that was sent is good: the entrance has looked
        raise HTTPException(401, "Send a token as `Authorization: Bearer TOKEN`, or use POST from a page of ours.")
    return caller


def _is_token_of_home(bearer: str) -> bool:
    return hmac.compare_digest(bearer.encode(), current_services().home.server_token().encode())


Caller = Annotated[str, Depends(identify_caller)]
Program = Annotated[str, Depends(require_program)]
Parts = Annotated[Services, Depends(current_services)]
