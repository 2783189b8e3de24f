"""Events that are sent by hand over the websocket, as a client does that does not use the page."""

from collections.abc import Mapping

from playwright.sync_api import Page

STATES = "reflex___state____state.deeptrust___ui___state___"
STATE = f"{STATES}conversation____conversation_state"

# Engine.IO and Socket.IO by hand: connect, send one event and then an honest one, and give back what came up to the
# answer of the latter. Events of one tab are taken in turn, so whatever the first one says comes before.
_HONEST = ("reflex___state____state.set_is_hydrated", {"value": True})
_ANSWER = '"is_hydrated_rx_state_":true'
_SEND = """([events, answer]) => new Promise((resolve) => {
    const heard = [];
    const socket = new WebSocket(`ws://${location.host}/_event/?EIO=4&transport=websocket&token=${crypto.randomUUID()}`);
    socket.onmessage = ({ data }) => {
        if (data === "2") return socket.send("3");
        heard.push(data);
        if (data.startsWith("0")) socket.send("40/_event,");
        if (data.startsWith("40"))
            for (const [name, payload] of events) {
                const event = { name, payload, router_data: { pathname: "/" } };
                socket.send("42/_event," + JSON.stringify(["event", event]));
            }
        if (data.replaceAll(" ", "").includes(answer)) (socket.close(), resolve(heard.slice(2).join("\\n")));
    };
    socket.onclose = () => resolve("the connection was closed: " + heard.join("\\n"));
})"""


def send(page: Page, name: str, payload: Mapping[str, object], state: str = STATE) -> str:
    return page.evaluate(_SEND, [[(f"{state}.{name}", payload), _HONEST], _ANSWER])
