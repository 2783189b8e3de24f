"""Signing in and out: the password, its delays, and what a browser gets."""

from http.cookies import SimpleCookie

import httpx
import pytest

from deeptrust.api import sign_in as module
from deeptrust.identity.attempts import FREE_TRIES, Attempts
from tests.api.conftest import ORIGIN, Door, OpenDoor

PASSWORD = "open sesame"


@pytest.fixture(autouse=True)
def no_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count of wrong tries belongs to the process: each test begins anew, and no time passes in it."""
    monkeypatch.setattr(module, "_attempts", Attempts(lambda: 0.0))


async def give(browser: httpx.AsyncClient, password: str) -> httpx.Response:
    return await browser.post("/login", data={"password": password})


async def test_the_right_password_opens_pages_api_and_websocket(open_door: OpenDoor):
    async with open_door(password=PASSWORD) as door, door.visitor() as browser:
        assert (await browser.get("/")).headers["location"] == "/login"
        assert "Password" in (await browser.get("/login")).text
        answer = await give(browser, PASSWORD)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert (await browser.get("/")).status_code == 200
        assert (await browser.get("/api/documents")).json() == []
        assert await door.handshake(cookie=cookie_of(browser), origin=ORIGIN)


async def test_aut_12_every_failure_gets_the_same_answer(open_door: OpenDoor):
    async with open_door(password=PASSWORD) as door:
        told: set[tuple[int, str]] = set()
        for number, wrong in enumerate(["", "x", PASSWORD[:-1], PASSWORD + "x", "a" * 4000]):
            async with door.visitor(address=f"10.0.0.{number}") as browser:
                answer = await give(browser, wrong)
                told.add((answer.status_code, answer.text))
        async with door.visitor(address="10.0.0.9") as browser:
            answer = await browser.post("/login", data={"name": "x"})
            told.add((answer.status_code, answer.text))
        assert len(told) == 1
        assert next(iter(told))[0] == 401


async def test_guessing_is_slowed_down_by_address(open_door: OpenDoor):
    async with open_door(password=PASSWORD) as door:
        for _ in range(FREE_TRIES):
            async with door.visitor(address="10.0.0.1") as browser:  # a guesser throws the cookie away
                assert (await give(browser, "x")).status_code == 401
        async with door.visitor(address="10.0.0.1") as browser:
            answer = await give(browser, PASSWORD)
            assert answer.status_code == 429
            assert int(answer.headers["retry-after"]) >= 1
            assert "Wait" in answer.text
        async with door.visitor(address="10.0.0.2") as browser:
            assert (await give(browser, PASSWORD)).status_code == 303


@pytest.mark.parametrize(("behind_proxy", "statuses"), [(True, {401}), (False, {401, 429})])
async def test_only_a_proxy_of_ours_is_believed_about_addresses(
    open_door: OpenDoor, behind_proxy: bool, statuses: set[int]
):
    async with open_door(password=PASSWORD, behind_proxy=behind_proxy) as door, door.visitor() as guesser:
        seen: set[int] = set()
        for number in range(FREE_TRIES + 1):
            forwarded = {"X-Forwarded-For": f"8.8.8.8, 10.0.0.{number}"}
            seen.add((await guesser.post("/login", data={"password": "x"}, headers=forwarded)).status_code)
        assert seen == statuses


async def test_an_address_that_a_client_invents_before_the_proxy_does_not_help(open_door: OpenDoor):
    async with open_door(password=PASSWORD, behind_proxy=True) as door, door.visitor() as guesser:
        for number in range(FREE_TRIES):
            forwarded = {"X-Forwarded-For": f"8.8.8.{number}, 10.0.0.1"}
            await guesser.post("/login", data={"password": "x"}, headers=forwarded)
        answer = await guesser.post("/login", data={"password": "x"}, headers={"X-Forwarded-For": "9.9.9.9, 10.0.0.1"})
        assert answer.status_code == 429


async def test_a_port_that_a_proxy_adds_to_the_address_does_not_make_another_guesser(open_door: OpenDoor):
    async with open_door(password=PASSWORD, behind_proxy=True) as door, door.visitor() as guesser:
        for forms in (["10.0.0.1:{}", "10.0.0.1"], ["[2001:db8::1]:{}", "2001:db8::2", "2001:db8::3%eth0"]):
            for number in range(FREE_TRIES):
                forwarded = {"X-Forwarded-For": forms[number % len(forms)].format(40_000 + number)}
                assert (await guesser.post("/login", data={"password": "x"}, headers=forwarded)).status_code == 401
            last = {"X-Forwarded-For": forms[0].format(50_000)}
            assert (await guesser.post("/login", data={"password": PASSWORD}, headers=last)).status_code == 429


async def test_aut_01_signing_out_closes_the_api_and_the_open_websocket(open_door: OpenDoor):
    async with open_door(password=PASSWORD) as door, door.visitor() as browser:
        await give(browser, PASSWORD)
        secret = secret_of(browser)
        assert await door.services.admission.enter(secret)
        answer = await browser.post("/logout")
        assert (answer.status_code, answer.headers["location"]) == (303, "/login")
        assert secret_of(browser) != secret
        assert (await browser.get("/api/documents")).status_code == 401
        browser.cookies.set(door_cookie(door), secret, domain="127.0.0.1")
        assert (await browser.get("/api/documents")).status_code == 401
        assert not await door.handshake(cookie=f"{door_cookie(door)}={secret}", origin=ORIGIN)


async def test_aut_01_a_restart_with_another_password_closes_old_sessions(open_door: OpenDoor):
    async with open_door(password=PASSWORD) as door, door.visitor() as browser:
        await give(browser, PASSWORD)
        cookies = browser.cookies
    async with open_door(password=PASSWORD) as door, door.visitor() as browser:
        browser.cookies = cookies
        assert (await browser.get("/api/documents")).status_code == 200
    async with open_door(password="another") as door, door.visitor() as browser:
        browser.cookies = cookies
        assert (await browser.get("/api/documents")).status_code == 401
        assert not await door.handshake(cookie=cookie_of(browser), origin=ORIGIN)


async def test_a_browser_keeps_its_documents_when_it_signs_in_again(open_door: OpenDoor):
    async with open_door(mode="hosted", password=PASSWORD) as door, door.visitor() as browser:
        await give(browser, PASSWORD)
        await browser.post("/api/documents", files={"file": ("a.txt", b"The deposit is 1,850 euros.")})
        await browser.post("/logout")
        await give(browser, PASSWORD)
        assert [document["label"] for document in (await browser.get("/api/documents")).json()] == ["a.txt"]


async def test_a_form_that_is_too_long_is_refused(open_door: OpenDoor):
    async with open_door(password=PASSWORD) as door, door.visitor() as browser:
        assert (await give(browser, "a" * 17_000)).status_code == 400


async def test_without_a_password_there_is_no_form(open_door: OpenDoor):
    async with open_door() as door, door.visitor() as browser:
        assert (await browser.get("/login")).headers["location"] == "/"
        assert (await give(browser, "x")).headers["location"] == "/"


async def test_aut_03_no_secret_is_ever_in_an_address(open_door: OpenDoor):
    async with open_door(password=PASSWORD) as door, door.visitor() as browser:
        answer = await give(browser, PASSWORD)
        form = (await browser.get("/login")).text
        assert 'method="post"' in form
        for address in (answer.headers["location"], *(str(past.url) for past in answer.history)):
            assert secret_of(browser) not in address
        for query in (f"token={secret_of(browser)}", f"password={PASSWORD}"):
            async with door.visitor() as nobody:
                assert (await nobody.get(f"/api/documents?{query}")).status_code == 401


def cookie_of(browser: httpx.AsyncClient) -> str:
    return "; ".join(f"{name}={value}" for name, value in browser.cookies.items())


def secret_of(browser: httpx.AsyncClient) -> str:
    return next(iter(browser.cookies.values()))


def door_cookie(door: Door) -> str:
    return f"deeptrust-{door.services.settings.port}"


@pytest.mark.parametrize(
    ("settings", "headers", "wanted", "unwanted"),
    [
        ({}, {}, {"httponly": True, "samesite": "Lax"}, ["secure", "partitioned"]),
        ({"behind_proxy": True}, {"X-Forwarded-Proto": "https"}, {"secure": True, "samesite": "Lax"}, ["partitioned"]),
        ({}, {"X-Forwarded-Proto": "https"}, {"samesite": "Lax"}, ["secure"]),
        ({"inside_iframe": True}, {}, {"secure": True, "samesite": "None", "httponly": True}, []),
    ],
)
async def test_the_cookie_fits_the_way_it_came(
    open_door: OpenDoor,
    settings: dict[str, object],
    headers: dict[str, str],
    wanted: dict[str, object],
    unwanted: list[str],
):
    async with open_door(**settings) as door, door.visitor() as browser:
        written = (await browser.get("/", headers=headers)).headers["set-cookie"]
        morsel = next(iter(SimpleCookie(written.replace("; Partitioned", "")).values()))
        assert {name: morsel[name] for name in wanted} == wanted
        assert [name for name in unwanted if name in written.lower()] == []
        assert ("Partitioned" in written) == bool(settings.get("inside_iframe"))
        assert len(morsel.value) >= 43  # 256 random bits


async def test_the_longest_password_fits_into_the_form(open_door: OpenDoor):
    longest = "🔑" * 1024
    async with open_door(password=longest) as door, door.visitor() as browser:
        assert (await give(browser, longest)).status_code == 303
