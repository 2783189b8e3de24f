"""Every route, called by nobody, by another user with stolen ids, and with odd bodies (AUT-04, AUT-07, DEP-07)."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from deeptrust.api.app import api
from deeptrust.identity.public import public_routes
from tests.live import LiveServer
from tests.matrix.conftest import CANARY, Owner
from tests.matrix.test_event_matrix import LEAKS
from tests.matrix.visitors import Visitor
from tests.waiting import PATIENCE_SECONDS

REFLEX = {("GET", "/ping"), ("GET", "/_health"), ("GET", "/_event/"), ("POST", "/_upload"), ("GET", "/_upload/x")}
"""What Reflex adds of its own; `test_public_routes.py` compares the list with the app."""
PUBLIC = {
    ("GET", "/api/health"),
    ("GET", "/api/openapi.json"),
    ("GET", "/icon.svg"),
    ("GET", "/login"),
    ("POST", "/login"),
}
"""All that answers whoever asks. An entry more is a decision, to be made here."""
ENDS_THE_SESSION = {("DELETE", "/api/me"), ("POST", "/forget"), ("POST", "/logout")}
BODIES: tuple[Any, ...] = (
    None,
    [],
    "x",
    7,
    {},
    {"question": None},
    {"threadId": [1]},
    {"query": {"a": 1}, "isAdmin": True},
)


def _find_routes(routes: list[Any]) -> Iterator[tuple[str, str]]:
    for route in routes:
        if router := getattr(route, "original_router", None):
            yield from _find_routes(router.routes)
        elif path := getattr(route, "path", ""):
            yield from ((method, path) for method in route.methods or () if method != "HEAD")


ROUTES = sorted({*_find_routes(api.routes), *REFLEX})


def fill(path: str, ids: list[str]) -> set[str]:
    """Put each id into the places of a path."""
    return {re.sub(r"\{\w+\}", quote(one), path) for one in ids} | {re.sub(r"\{\w+\}", "1", path)}


def bodies(method: str, ids: list[str]) -> Iterator[dict[str, Any]]:
    """Arguments for httpx: stolen ids under every name that the contract has, then odd ones."""
    yield {}
    if method == "GET":
        return
    for one in ids:
        stolen = ("threadId", "thread_id", "jobId", "documentId", "id", "planHash", "question", "query", "modelId")
        yield {"json": dict.fromkeys(stolen, one) | {"owner": one, "humanApproved": True}}
    yield from ({"json": body} for body in BODIES)
    yield {"content": b"\xff\xfe{", "headers": {"Content-Type": "application/json"}}
    yield {"files": {"file": ("../../x.html", b"<script>window.__x=1</script>", "text/html")}}


def call(http: httpx.Client, method: str, url: str, **arguments: Any) -> tuple[int, str]:
    """Status and the beginning of the body; a stream is not waited for to its end."""
    with http.stream(method, url, **arguments) as response:
        text = ""
        for piece in response.iter_text():
            text += piece
            if len(text) > 20_000:
                break
        return response.status_code, text


def test_the_list_of_public_routes_is_this_one():
    assert public_routes(has_password=False) == PUBLIC
    assert public_routes(has_password=True) == PUBLIC - {("GET", "/api/openapi.json")}


@pytest.mark.parametrize(("method", "path"), [route for route in ROUTES if route not in PUBLIC])
def test_aut_07_nobody_is_answered(server: LiveServer, owner: Owner, method: str, path: str):
    before = owner.snapshot()
    with httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as nobody:
        for url in fill(path, owner.ids):
            for arguments in bodies(method, owner.ids):
                status, text = call(nobody, method, url, **arguments)
                assert status in (401, 403), f"{method} {url} answered {status}: {text[:200]}"
                assert CANARY not in text
    assert owner.snapshot() == before


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_another_user_with_stolen_ids_sees_and_changes_nothing(
    server: LiveServer, owner: Owner, method: str, path: str
):
    before = owner.snapshot()
    with Visitor(server) as stranger:
        for url in fill(path, owner.ids):
            for arguments in bodies(method, owner.ids):
                if (method, path) in ENDS_THE_SESSION:
                    stranger.http.get("/")
                status, text = call(stranger.http, method, url, **arguments)
                assert status < 500, f"{method} {url} {arguments} answered {status}: {text[:200]}"
                assert CANARY not in text, f"{method} {url}"
                assert [word for word in LEAKS if word in text] == []
    assert "Traceback" not in "".join(server.output)
    assert owner.snapshot() == before


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("origin", ["https://evil.test", "null"])
def test_aut_04_no_foreign_origin_is_allowed(server: LiveServer, owner: Owner, method: str, path: str, origin: str):
    """Not even with the owner's cookie; and no answer tells a browser to let the foreign page read it."""
    for url in list(fill(path, owner.ids))[:1]:
        with owner.visitor.http.stream(method, url, headers={"Origin": origin}) as response:
            assert response.status_code == 403, f"{method} {url} answered {response.status_code}"
            assert "access-control-allow-origin" not in response.headers
