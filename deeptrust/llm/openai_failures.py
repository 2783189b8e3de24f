"""What the failures of an OpenAI-compatible server mean, in sentences that never hold the key (AUT-13)."""

import math
from typing import cast

from openai import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    APIStatusError,
    APITimeoutError,
    OpenAIError,
)

from deeptrust.language.clean import clean_text, fold_space
from deeptrust.language.counting import count

FAILURES = (OpenAIError, ValueError, TypeError, AttributeError, TimeoutError)
"""What the client lets through; the middle ones stand for a body that is not what such a server sends."""

_SHOWN = 200


def describe(error: Exception, address: str, *, model: str, key: str) -> str:
    """Return the sentence for one of `FAILURES`.

    Args:
        error: what the client raised.
        address: of the server, as it is shown.
        model: that was asked; empty where none was.
        key: whatever the server says in its own words, this is not repeated.
    """
    match error:
        case APIConnectionError():
            return _describe_connection(error, address)
        case APIResponseValidationError():
            return describe_stranger(address)
        case APIStatusError(status_code=400 | 409 | 413 | 422):
            return f"The server at {address} refused the request: {_quote(error, key)}."
        case APIStatusError():
            return _describe_status(error, address, model)
        case APIError():
            return f"The server at {address} failed: {_quote(error, key)}. Ask again, or choose another model."
        case TimeoutError():
            return _describe_silence(address)
        case _:
            return describe_stranger(address)


def describe_stranger(address: str) -> str:
    """Return the sentence for an answer that no OpenAI-compatible server gives."""
    return (
        f"What answers at {address} is not an OpenAI-compatible server. "
        "Check DEEPTRUST_ENDPOINT_URL; it usually ends in /v1."
    )


def retry_after(error: APIStatusError) -> float | None:
    """Seconds that the server asks to wait (RFC 9110, 10.2.3); None where it gives no number of them."""
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if seconds >= 0 else None


def _describe_connection(error: APIConnectionError, address: str) -> str:
    if "Connect" in type(error.__cause__).__name__:
        return f"Nothing answers at {address}. Start the server, or set DEEPTRUST_ENDPOINT_URL."
    if isinstance(error, APITimeoutError):
        return _describe_silence(address)
    return f"The server at {address} broke off in the middle. Ask again, or choose another model."


def _describe_silence(address: str) -> str:
    return f"The server at {address} takes connections but says nothing. Restart it, or choose another model."


def _describe_status(error: APIStatusError, address: str, model: str) -> str:
    match error.status_code:
        case 401 | 403:
            return f"The server at {address} does not take the key. Set DEEPTRUST_ENDPOINT_KEY to a valid one."
        case 402:
            return f"The account behind the key at {address} is empty. Top it up, or choose another model."
        case 404 if model and "json" in error.response.headers.get("content-type", ""):
            return (
                f"The server at {address} has no model {model}. Choose another one, "
                "or check DEEPTRUST_ENDPOINT_URL; it usually ends in /v1."
            )
        case 429:
            wait = retry_after(error)
            when = "later" if wait is None else f"in {count(math.ceil(wait), 'second')}"
            return f"The server at {address} has had too many requests. Ask again {when}, or choose another model."
        case status if 300 <= status < 400:
            return f"The server at {address} points elsewhere. Set DEEPTRUST_ENDPOINT_URL to its final address."
        case status if status >= 500:
            return f"The server at {address} failed (status {status}). Ask again later, or choose another model."
        case _:
            return describe_stranger(address)


def _quote(error: APIError, key: str) -> str:
    """The server's own words, which may repeat the key or be a page."""
    body = error.body
    said = cast(dict[str, object], body).get("message") if isinstance(body, dict) else None
    text = fold_space(clean_text(said)) if isinstance(said, str) else "without a reason"
    return (text.replace(key, "***") if key else text)[:_SHOWN].rstrip(".")
