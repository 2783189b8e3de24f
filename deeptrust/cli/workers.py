"""One process serves a home: DuckDB gives its file to one, and what runs is known to the one that runs it (DEP-01)."""

import os

from deeptrust.errors import BadInput

VARIABLES = ("WEB_CONCURRENCY", "GRANIAN_WORKERS", "UVICORN_WORKERS", "GUNICORN_WORKERS")
"""Where hosts and servers say how many processes they want."""


def refuse_more_workers(asked: int) -> None:
    """Say why there is one process, rather than start one where several were asked for.

    Raises:
        BadInput: more than one was asked for; the sentence names where.
    """
    wishes = {"--workers": str(asked)} | {name: os.environ.get(name, "") for name in VARIABLES}
    for name, count in wishes.items():
        if count.isdecimal() and int(count) > 1:
            raise BadInput(
                f"{name} asks for {count} processes, but the knowledge store can belong to one only, so one serves. "
                f"Remove {name}, or set it to 1."
            )
