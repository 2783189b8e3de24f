import gzip
import tracemalloc
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from deeptrust.errors import BadSetting
from deeptrust.search.duckduckgo import DuckDuckGo
from deeptrust.search.google_cse import GoogleCse
from deeptrust.search.transport import FetchFailed, Request, SearchTransport, read_retry_after
from deeptrust.search.unpack import MAX_BYTES
from tests.live import closed_port
from tests.search.engine_server import Answer, EngineServer, data, engine_server, page

SECRET = {"X-Goog-Api-Key": "AIza-not-a-real-key"}


def ask(server: EngineServer, path: str = "/html/") -> Request:
    return Request("GET", server.url(path), {"q": "tidal power"}, secret_headers=SECRET)


def bomb(megabytes: int) -> Iterator[bytes]:
    """A gzip stream of zeros, 1 KB for each megabyte: the same packed block again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = packer.compress(bytes(1024 * 1024)) + packer.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
    for _ in range(megabytes):
        yield block


async def test_plain_and_packed_replies_are_read(transport: SearchTransport, server: EngineServer) -> None:
    server.will(
        page("<p>ébb</p>"),
        Answer(gzip.compress("<p>ébb</p>".encode()), headers={"Content-Encoding": "gzip"}),
        Answer(b"", headers={"Content-Encoding": "gzip"}),
    )
    assert [(await transport.fetch(ask(server))).text for _ in range(3)] == ["<p>ébb</p>", "<p>ébb</p>", ""]
    assert server.asked[0].headers["accept-encoding"] == "gzip"


async def test_web_15_gzip_bomb_is_stopped_at_five_megabytes(transport: SearchTransport, server: EngineServer) -> None:
    server.will(Answer(bomb(1024), headers={"Content-Encoding": "gzip"}))
    tracemalloc.start()
    try:
        with pytest.raises(FetchFailed, match="sent a reply that is larger than 5 MB"):
            await transport.fetch(ask(server))
        assert tracemalloc.get_traced_memory()[1] < 50 * 1024 * 1024
    finally:
        tracemalloc.stop()


async def test_web_15_plain_flood_is_stopped_at_five_megabytes(
    transport: SearchTransport, server: EngineServer
) -> None:
    sent = 0

    def flood() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(200):
            sent += 1024 * 1024
            yield bytes(1024 * 1024)

    server.will(Answer(flood()))
    with pytest.raises(FetchFailed, match="larger than 5 MB"):
        await transport.fetch(ask(server))
    assert sent < 10 * MAX_BYTES


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "gzip,br", "deflate", "\u00fc"])
async def test_web_15_packing_that_was_not_asked_for_is_refused(
    transport: SearchTransport, server: EngineServer, encoding: str
) -> None:
    server.will(Answer(gzip.compress(gzip.compress(b"x", mtime=0)), headers={"Content-Encoding": encoding}))
    with pytest.raises(FetchFailed, match="packed in a way that was not asked for"):
        await transport.fetch(ask(server))


@pytest.mark.parametrize(
    ("body", "reason"),
    [(b"no gzip at all", "is damaged"), (gzip.compress(b"tide" * 99, mtime=0)[:-9], "ended too early")],
)
async def test_damaged_packing_is_a_failure(
    transport: SearchTransport, server: EngineServer, body: bytes, reason: str
) -> None:
    server.will(Answer(body, headers={"Content-Encoding": "gzip"}))
    with pytest.raises(FetchFailed, match=reason):
        await transport.fetch(ask(server))


async def test_redirects_at_the_same_host_are_followed_and_counted(
    transport: SearchTransport, server: EngineServer
) -> None:
    server.paths = {
        "/html/": Answer(status=302, headers={"Location": "/a?q=kept"}),
        "/a": Answer(status=301, headers={"Location": server.url("/b")}),
        "/b": page("there"),
    }
    reply = await transport.fetch(ask(server))
    assert (reply.text, reply.requests) == ("there", 3)
    assert [asked.headers["x-goog-api-key"] for asked in server.asked] == [SECRET["X-Goog-Api-Key"]] * 3


@pytest.mark.parametrize(
    ("status", "method"), [(301, "POST"), (302, "POST"), (307, "POST"), (308, "POST"), (303, "GET")]
)
async def test_a_form_keeps_its_fields_on_a_redirect(
    transport: SearchTransport, server: EngineServer, status: int, method: str
) -> None:
    server.paths = {"/html": Answer(status=status, headers={"Location": "/html/"}), "/html/": page("there")}
    await transport.fetch(Request("POST", server.url("/html"), {"q": "eels"}))
    assert (server.asked[1].method, server.asked[1].fields.get("q")) == (method, "eels" if method == "POST" else None)


async def test_web_11_web_21_redirect_to_another_place_is_not_followed(transport: SearchTransport) -> None:
    async with engine_server() as server, engine_server() as canary:
        places = [canary.url("/"), "http://127.0.0.1:9/", "http://169.254.169.254/", f"//localhost:{server.port}/"]
        places += ["file:///etc/hostname", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "http://[bad", "data:text/html,x"]
        places += [f"https://127.0.0.1:{server.port}/", f"http://user:word@127.0.0.1:{server.port}/"]
        for place in places:
            server.will(Answer(status=302, headers={"Location": place}))
            with pytest.raises(FetchFailed, match=r"redirected to another address|answered nonsense") as failure:
                await transport.fetch(ask(server))
            assert failure.value.requests == 1
        assert (len(server.asked), canary.asked) == (len(places), [])


async def test_web_12_web_14_addresses_of_hits_are_shown_and_never_asked(transport: SearchTransport) -> None:
    """No page is opened, so there is no address for a name to be rebound to and no link to follow."""
    async with engine_server() as server, engine_server() as canary:
        links = [canary.url("/"), f"http://localhost:{canary.port}/", "http://10.0.0.1/", "http://[::1]/"]
        links += ["file:///etc/hostname", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "javascript:alert(1)"]
        results = [{"title": f"Eels {number}", "link": link, "snippet": "x"} for number, link in enumerate(links)]
        server.will(data({"items": results}))
        found = await GoogleCse(transport, SecretStr("key"), "cx", server.url()).search("eels", 8)
        assert [hit.url.partition(":")[0] for hit in found.hits] == ["http"] * 4
        assert (len(server.asked), canary.asked) == (1, [])


@pytest.mark.parametrize("address", ["file:///etc/hostname", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "data:,x"])
def test_web_14_an_engine_is_asked_by_https_only(transport: SearchTransport, address: str) -> None:
    with pytest.raises(BadSetting, match="must be an https address"):
        DuckDuckGo(transport, address)


async def test_a_circle_of_redirects_ends(transport: SearchTransport, server: EngineServer) -> None:
    server.will(Answer(status=302, headers={"Location": "/html/"}))
    with pytest.raises(FetchFailed, match="redirected too often") as failure:
        await transport.fetch(ask(server))
    assert failure.value.requests == len(server.asked) == 4


async def test_no_cookie_is_kept(transport: SearchTransport, server: EngineServer) -> None:
    server.paths = {
        "/html/": Answer(status=302, headers={"Location": "/b", "Set-Cookie": "id=me; Path=/"}),
        "/b": Answer(b"x", headers={"Set-Cookie": "id=me; Path=/"}),
    }
    await transport.fetch(ask(server))
    await transport.fetch(ask(server))
    assert not any("cookie" in asked.headers for asked in server.asked)


async def test_a_slow_server_is_left(server: EngineServer) -> None:
    transport = SearchTransport(trust_env=False, total_seconds=0.2)
    server.will(Answer(b"late", wait_seconds=600))
    with pytest.raises(FetchFailed, match=r"did not answer within 0\.2 seconds"):
        await transport.fetch(ask(server))
    await transport.close()


@pytest.mark.parametrize("answer", [Answer(b"half", promised=99), Answer(is_silent=True)], ids=["cut", "silent"])
async def test_a_cut_connection_is_a_failure(transport: SearchTransport, server: EngineServer, answer: Answer) -> None:
    server.will(answer)
    with pytest.raises(FetchFailed, match="broke off the connection") as failure:
        await transport.fetch(ask(server))
    assert failure.value.requests == 1


async def test_nobody_there_is_a_failure(transport: SearchTransport) -> None:
    gone = EngineServer()
    with closed_port() as gone.port, pytest.raises(FetchFailed, match="cannot be reached; check the network"):
        await transport.fetch(ask(gone))


def test_the_secret_is_in_no_repr() -> None:
    assert "AIza" not in repr(Request("GET", "https://a.example/", {}, secret_headers=SECRET))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("30", 30),
        (" 0 ", 0),
        ("99999999999999999999", 86_400),
        ("Mon, 30 Nov 2026 12:01:00 GMT", 60),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0),
        ("Mon, 30 Nov 2026 12:01:00", 60),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("²", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, seconds: int | None) -> None:
    assert read_retry_after(value, datetime(2026, 11, 30, 12, tzinfo=UTC)) == seconds
