"""Every event handler of every State, called by nobody, by another user and with odd values (AUT-07, 09, 10)."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, get_type_hints

import httpx
import pytest
from reflex_base.registry import RegistrationContext
from websockets.exceptions import ConnectionClosed, InvalidStatus

import deeptrust.ui.pages  # noqa: F401  # brings every State of the page
from deeptrust.ui.state.event_shape import fits
from tests.live import LiveServer
from tests.matrix.conftest import CANARY, Owner
from tests.matrix.visitors import CONVERSATION, Visitor
from tests.waiting import PATIENCE_SECONDS

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1e308,
    "",
    [],
    {},
    [[{"a": None}]],
    {"id": {"$ne": ""}},
    "x" * 20_000,
    "\x00\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
    "../../etc/passwd",
    "' OR 1=1 --",
    "<script>window.__x=1</script>",
)
FILLERS: Mapping[type, Any] = {bool: False, int: 0}
"""What stands in the places that hold no id, where a stranger sends what the page itself would."""
HIDDEN: Mapping[str, Any] = {"owner": "", "user": "", "self": {}, "is_admin": True, "human_approved": True, "_job": "x"}
"""Names that no handler has as a parameter, but a careless one would take."""
LEAKS = ("Traceback", "deeptrust/ui", "site-packages", ".sqlite", ".duckdb")


HANDLERS = {
    name: list(inspect.signature(known.handler.fn).parameters)[1:]
    for name, known in RegistrationContext.get().event_handlers.items()
}
"""The name of each handler as a client calls it, and its parameters: Reflex's own and ours."""

_STATES = sorted({name.rpartition(".")[0] for name in HANDLERS})


def payloads(parameters: list[str], ids: list[str]) -> Iterator[dict[str, Any]]:
    """What a stranger sends: each value in every parameter, then too few and too many parameters."""
    for value in (*ids, *ODD):
        yield dict.fromkeys(parameters, value)
    yield {}
    yield {**dict.fromkeys(parameters, ids[0]), **HIDDEN}


def well_typed(name: str, stolen: str) -> dict[str, Any]:
    """What the page itself would send, with a stolen id in every text: only this gets as far as the handler."""
    handler = RegistrationContext.get().event_handlers[name].handler.fn
    hints = get_type_hints(handler)
    forms = dict.fromkeys(("key", "link", "note", "url", "reason", "password"), stolen)
    return {
        one: forms if hints.get(one) is dict else FILLERS.get(hints.get(one, str), stolen) for one in HANDLERS[name]
    }


OURS = [name for name in HANDLERS if "deeptrust___ui" in name and "chunks" not in HANDLERS[name] and HANDLERS[name]]
"""Handlers of ours that take something over the websocket."""


def test_what_is_well_typed_reaches_its_handler():
    handlers = RegistrationContext.get().event_handlers
    assert [name for name in OURS if not fits(handlers[name].handler.fn, well_typed(name, "x" * 32))] == []


def test_no_handler_takes_a_stolen_id_in_an_event_as_the_page_sends_it(server: LiveServer, owner: Owner):
    before, logged = owner.snapshot(), len(server.output)
    with Visitor(server) as stranger, stranger.open_tab() as tab:
        for name in OURS:
            for stolen in owner.ids:
                tab.send(name, well_typed(name, stolen), f"/study/{owner.job}", job=owner.job)
        tab.send(f"{CONVERSATION}.ask", {"question": " "})
        heard = tab.wait_for("The question is empty") + tab.hear()
    assert CANARY not in heard
    assert [word for word in LEAKS if word in heard] == []
    assert "Traceback" not in "".join(server.output[logged:])
    assert owner.snapshot() == before


def test_the_list_of_handlers_is_the_whole_one():
    assert len(_STATES) >= 20
    assert f"{CONVERSATION}.ask" in HANDLERS


@pytest.mark.parametrize("state", _STATES, ids=lambda name: name.rpartition(".")[2])
def test_no_handler_lets_a_stranger_see_or_change_what_is_somebody_elses(server: LiveServer, owner: Owner, state: str):
    before, logged = owner.snapshot(), len(server.output)
    names = [name for name in HANDLERS if name.rpartition(".")[0] == state]
    with Visitor(server) as stranger, stranger.open_tab() as tab:
        for name in names:
            for payload in payloads(HANDLERS[name], owner.ids):
                tab.send(name, payload, f"/study/{owner.job}", job=owner.job, thread=owner.thread, run=owner.run)
        tab.send(f"{CONVERSATION}.ask", {"question": " "})
        heard = tab.wait_for("The question is empty") + tab.hear()
    assert CANARY not in heard
    assert [word for word in LEAKS if word in heard] == []
    assert "Traceback" not in "".join(server.output[logged:]), "a handler took what no page sends"
    assert owner.snapshot() == before


@pytest.mark.parametrize(
    "cookie", ["", "deeptrust=", "deeptrust=forged", "deeptrust=forged.00000000000000000000000000000000"]
)
def test_aut_07_nobody_gets_as_far_as_an_event(server: LiveServer, owner: Owner, cookie: str):
    before = owner.snapshot()
    with Visitor(server, has_cookie=False) as nobody:
        with pytest.raises(InvalidStatus, match=r"40[13]"), nobody.open_tab(Cookie=cookie):
            pass
        polling = nobody.http.get("/_event/?EIO=4&transport=polling", headers={"Cookie": cookie})
        assert polling.status_code in (401, 403), polling.text
    assert owner.snapshot() == before


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.test"}, {"Origin": "null"}, {"Host": "evil.test"}],
    ids=["page", "null", "host"],
)
def test_a_foreign_page_and_a_wrong_host_are_refused_at_the_handshake(
    server: LiveServer, owner: Owner, headers: dict[str, str]
):
    """Even with the owner's own cookie, which a browser would send along."""
    if "Host" in headers:
        path, cookie = "/_event/?EIO=4&transport=websocket", owner.visitor.cookie
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        asked = {**upgrade, "Sec-WebSocket-Key": "x" * 22 + "==", "Cookie": cookie, **headers}
        assert httpx.get(server.url + path, headers=asked, timeout=PATIENCE_SECONDS).status_code in (400, 403, 421)
        return
    with pytest.raises(InvalidStatus, match="403"), owner.visitor.open_tab(**headers):
        pass


def test_aut_01_a_tab_whose_session_was_ended_is_cut_off_and_not_let_in_again(server: LiveServer):
    """So no handler can be reached with what it had; its browser begins anew elsewhere, with nothing."""
    with Visitor(server) as visitor:
        cookie = visitor.cookie
        with visitor.open_tab() as tab:
            note = f"# {CANARY}\n\nThe {CANARY} is red."
            files = {"file": ("a.md", note.encode(), "text/markdown")}
            visitor.http.post("/api/documents", files=files).raise_for_status()
            visitor.http.delete("/api/me").raise_for_status()
            with pytest.raises(ConnectionClosed):
                tab.wait_for_end()
        with pytest.raises(InvalidStatus, match=r"40[13]"), visitor.open_tab(Cookie=cookie):
            pass
        assert visitor.http.get("/api/documents").json() == []
