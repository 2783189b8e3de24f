"""Saying no at the door, in the way that each kind of visitor understands."""

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

POLICY_VIOLATION = 1008


async def refuse(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Send `answer`; a websocket is closed before it is accepted, which is a 403 on the wire."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
    else:
        await answer(scope, receive, send)
