"""Events that are sent by hand over the websocket, as a client does that does not use the page."""

from collections.abc import Mapping

from playwright.sync_api import Page

STATES = "reflex___state____state.deeptrust___ui___state___"
STATE = f"{STATES}conversation____conversation_state"

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


def send(page: Page, name: str, payload: Mapping[str, object], state: str = STATE) -> str:
    return page.evaluate(_SEND, [f"{state}.{name}", payload])
