"""Reading what a plain HTML form of ours sends."""

from urllib.parse import parse_qs

from fastapi import Request

from deeptrust.errors import BadInput

_MAX_BYTES = 16 * 1024  # the longest password has 12 kB here, if each of its characters is an emoji


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a URL-encoded form, the first value of each.

    Raises:
        BadInput: it is longer than any form of ours.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_BYTES:
            raise BadInput("That is longer than this form can be.")
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    return {name: values[0] for name, values in fields.items()}
