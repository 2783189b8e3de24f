"""One bundle must serve on any port, so it must not hold the address that it was built with."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from rxconfig import speak_to_own_address


def shipped_client() -> str:
    """Reflex's own state.js, of the pinned release."""
    spec = find_spec("reflex_base")
    assert spec
    assert spec.origin
    return (Path(spec.origin).parent / ".templates" / "web" / "utils" / "state.js").read_text(encoding="utf-8")


def test_client_of_the_pinned_reflex_is_rewritten_once():
    rewritten = speak_to_own_address(shipped_client())
    assert rewritten.count("endpoint.port = window.location.port;") == 1
    assert speak_to_own_address(rewritten) == rewritten


def test_unknown_client_is_an_error_not_a_broken_page():
    with pytest.raises(RuntimeError, match="SameAddressPlugin"):
        speak_to_own_address("export const getBackendURL = () => elsewhere;")
