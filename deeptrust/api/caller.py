"""Who calls the API: a page of this server, or a program that can read the home's token file."""

import secrets
from typing import Annotated

from fastapi import Depends, HTTPException, Request

from deeptrust.services import Services, current_services


def holds_token(request: Request) -> bool:
    """Whether the request carries the token of the home: only a program that can read this person's files does."""
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    return secrets.compare_digest(sent.encode(), current_services().home.server_token().encode())


def identify_caller(request: Request) -> str:
    """Return the id of the person behind the request.

    Raises:
        HTTPException: 401 without the token of the home, unless one of our own pages asks (a browser says so, and
            the front door has refused foreign pages before).
    """
    services = current_services()
    if holds_token(request) or request.headers.get("sec-fetch-site") == "same-origin":
        return services.owner()
    raise HTTPException(401, "Send the token in server.token of your DeepTrust home as `Authorization: Bearer TOKEN`.")


Caller = Annotated[str, Depends(identify_caller)]
Parts = Annotated[Services, Depends(current_services)]
