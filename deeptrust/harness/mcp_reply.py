"""What a tool's answer says: data, or a failure that may look like data."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from deeptrust.errors import HarnessUnavailable
from deeptrust.language.clean import fold_space

SIGN_IN = (
    "The notebook server is not signed in to Google, or no longer. Sign in again (for notebooklm-mcp-cli: run "
    "`nlm login` in a terminal), then try once more."
)
_SIGNED_OUT = re.compile(
    r"no authentication|not (?:authenticated|signed in|logged in)|authenticat\w+ (?:failed|required|expired)|nlm login|"
    r"sign in|unauthori[sz]ed|\b401\b|\b403\b|(?:cookies|credentials|session|token)\b.{0,20}\bexpired",
    re.IGNORECASE,
)
_QUOTED_CHARACTERS = 200


def read_reply(structured: object, texts: Sequence[str], *, is_error: bool) -> dict[str, Any]:
    """Return the data of an answer, taken out of the envelopes `{"result": …}` and `{"data": …}` that servers use.

    Raises:
        HarnessUnavailable: the answer is an error, or data that says so: `{"status": "error"}`, `{"success": false}`.
    """
    whole = "\n".join(texts)
    data = _as_dict(structured) or _parse(whole)
    if is_error or _tells_failure(data):
        raise explain_failure(str(data.get("error") or data.get("message") or whole))
    for envelope in ("result", "data"):
        inner = data.get(envelope)
        data = _as_dict(inner) or (_parse(inner) if isinstance(inner, str) else {}) or data
    if _tells_failure(data):
        raise explain_failure(str(data.get("error") or data.get("message") or whole))
    return data


def explain_failure(message: str) -> HarnessUnavailable:
    """Return the error for what a server says: one sentence for being signed out, else its own words, shortened."""
    if _SIGNED_OUT.search(message):
        return HarnessUnavailable(SIGN_IN)
    words = fold_space(message)
    if len(words) > _QUOTED_CHARACTERS:
        words = words[: _QUOTED_CHARACTERS - 1].rstrip() + "…"
    return HarnessUnavailable(f"The notebook server refused: “{words or 'no reason given'}”. Mend that and try again.")


def find_texts(data: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    """Return the texts that stand under one of `keys`, in `data` itself or in its `notebook`."""
    places = (data, _as_dict(data.get("notebook")))
    return [value for place in places for key in keys if isinstance(value := place.get(key), str)]


def _tells_failure(data: Mapping[str, Any]) -> bool:
    return data.get("status") in ("error", "failed", "failure") or data.get("success") is False


def _as_dict(value: object) -> dict[str, Any]:
    return dict(cast(Mapping[str, Any], value)) if isinstance(value, Mapping) else {}


def _parse(text: str) -> dict[str, Any]:
    try:
        return _as_dict(json.loads(text))
    except ValueError:
        return {"text": text} if text else {}
