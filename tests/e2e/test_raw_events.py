"""What a client can do that does not use the page: events sent by hand over the websocket."""

from collections.abc import Mapping

from playwright.sync_api import Page

from tests.e2e.workspace import open_workspace

STATE = "reflex___state____state.deeptrust___ui___state___conversation____conversation_state"

# Engine.IO and Socket.IO by hand: connect, send one event, and give back what comes for a while.
_SEND = """([name, payload]) => new Promise((resolve) => {
    const heard = [];
    const socket = new WebSocket(`ws://${location.host}/_event/?EIO=4&transport=websocket&token=${crypto.randomUUID()}`);
    socket.onmessage = ({ data }) => {
        if (data === "2") return socket.send("3");
        heard.push(data);
        if (data.startsWith("0")) socket.send("40/_event,");
        if (data.startsWith("40"))
            socket.send("42/_event," + JSON.stringify(["event", { name, payload, router_data: { pathname: "/" } }]));
    };
    setTimeout(() => (socket.close(), resolve(heard.slice(2).join("\\n"))), 700);
})"""


def send(page: Page, name: str, payload: Mapping[str, object]) -> str:
    return page.evaluate(_SEND, [f"{STATE}.{name}", payload])


def test_the_road_is_right(page: Page):
    """Without this, silence would prove nothing: an honest event is answered on the same road."""
    open_workspace(page)
    heard = send(page, "ask", {"question": " ", "is_still": True})
    assert "The question is empty" in heard


def test_aut_09_no_variable_is_set_by_a_raw_event(page: Page):
    open_workspace(page)
    for name, payload in (
        ("set_is_busy", {"value": True}),
        ("setvar", {"var_name": "is_busy", "value": True}),
        ("setvar", {"var_name": "_opened", "value": "x"}),
    ):
        assert '"is_busy":true' not in send(page, name, payload).replace(" ", ""), name


def test_aut_10_no_underscore_method_runs_by_a_raw_event(page: Page):
    open_workspace(page)
    payload = {"question": "hello?", "is_still": True, "with_samples": False, "problem": "x", "thread_id": ""}
    for name in ("_clear", "_begin", "_open", "_give_up", "_apply"):
        assert "conversation_state" not in send(page, name, payload), name
