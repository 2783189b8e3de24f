"""How an error becomes an answer: the sentence, a status, and never a stack trace (DEP-07)."""

import logging
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from deeptrust.errors import BadInput, Conflict, DeepTrustError, NotAdmitted, NotFound

logger = logging.getLogger(__name__)

_STATUS: dict[type[DeepTrustError], int] = {BadInput: 400, NotAdmitted: 401, NotFound: 404, Conflict: 409}
_UNAVAILABLE = 503
_MALFORMED = 400
"""As every other input that can be mended; the contract names it for approvals (K10, HIT-19)."""


def register_errors(app: FastAPI) -> None:
    """Teach `app` to answer with `{"detail": sentence}`."""
    app.add_exception_handler(DeepTrustError, _answer_ours)
    app.add_exception_handler(RequestValidationError, _answer_malformed)
    app.add_exception_handler(Exception, _answer_unforeseen)


async def _answer_ours(_request: Request, error: Exception) -> JSONResponse:
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), _UNAVAILABLE)
    return JSONResponse({"detail": str(error)}, status)


async def _answer_malformed(_request: Request, error: Exception) -> JSONResponse:
    """Say where a body is malformed, without the body: it may hold a key or a password."""
    problems: Sequence[Any] = error.errors() if isinstance(error, RequestValidationError) else []
    told = (f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in problems)
    return JSONResponse({"detail": f"The request is malformed: {'; '.join(told)}."}, _MALFORMED)


async def _answer_unforeseen(request: Request, error: Exception) -> JSONResponse:
    reference = uuid4().hex[:8]
    logger.error("error %s at %s", reference, request.url.path, exc_info=error)
    return JSONResponse({"detail": f"Something went wrong inside DeepTrust (error {reference}, see the log)."}, 500)
