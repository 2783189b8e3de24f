"""What comes over one browser's websockets is read at a pace that the server can keep up for everybody.

Nothing is dropped: a frame too many stays on the line until its turn comes, so that a flood slows the one who sends it.
The page says so (`ui/state/admission.py`).
"""

import asyncio

from starlette.types import Message, Receive

from deeptrust.identity.bucket import Bucket

CHARACTERS = 16 * 1024  # what costs as much to read as one event costs to answer


def paced(receive: Receive, bucket: Bucket, client: str) -> Receive:
    """Return `receive` of a websocket, at the pace that `bucket` allows the client."""

    async def receive_in_turn() -> Message:
        message = await receive()
        if message["type"] == "websocket.receive":
            cost = 1 + len(message.get("text") or message.get("bytes") or "") // CHARACTERS
            wait = bucket.wait_seconds(client, cost)
            while wait:  # another tab of the same browser may take the turn
                await asyncio.sleep(wait)
                wait = bucket.wait_seconds(client, cost)
        return message

    return receive_in_turn
