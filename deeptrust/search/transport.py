"""The one way from a search engine to the network: guarded, counted, bounded in time and bytes."""

import asyncio
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Literal

import httpx

from deeptrust.search.address import redirect_target
from deeptrust.search.budget import BudgetSpent, charge_request
from deeptrust.search.unpack import ACCEPTED, MAX_BYTES, Unpacker, Unreadable

CONNECT_SECONDS = 5.0
MAX_REDIRECTS = 3
LONGEST_WAIT = 86_400
"""Seconds; an engine that asks for more than a day is asked again after a day."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SEE_OTHER = 303


@dataclass(frozen=True)
class Request:
    """What is asked of an engine. `fields` travel in the address of a GET and in the form of a POST.

    `secret_headers` (keys) are sent to the host of `url` and nowhere else, and appear in no repr.
    """

    method: Literal["GET", "POST"]
    url: str
    fields: dict[str, str]
    headers: dict[str, str] = field(default_factory=dict[str, str])
    secret_headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)


@dataclass(frozen=True)
class Reply:
    """What came back: status, text, and how many requests it took."""

    status: int
    text: str
    requests: int
    retry_after_seconds: int | None


class FetchFailed(Exception):
    """No usable reply. The text goes behind the engine's name: `cannot be reached`. `requests` were made."""

    def __init__(self, reason: str, requests: int, is_refusal: bool = False) -> None:
        super().__init__(reason)
        self.requests = requests
        self.is_refusal = is_refusal
        """True if we ourselves did not make the request; the text is then a whole sentence."""


class SearchTransport:
    """One HTTP client for all engines. It keeps no cookie and follows no redirect to another host."""

    def __init__(
        self,
        *,
        trust_env: bool = True,
        connect_seconds: float = CONNECT_SECONDS,
        total_seconds: float = 15,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        """Nothing is asked yet.

        Args:
            trust_env: obey the machine's proxy variables (HTTPS_PROXY, NO_PROXY).
            connect_seconds: longest wait for a connection.
            total_seconds: longest search, redirects included, from the first byte sent to the last one read.
            max_bytes: largest reply, unpacked.
        """
        self._total_seconds = total_seconds
        self._max_bytes = max_bytes
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(total_seconds, connect=connect_seconds),
            follow_redirects=False,
            trust_env=trust_env,
            verify=_certificates(trust_env),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            headers={"Accept-Encoding": ACCEPTED, "Accept-Language": "en"},
        )

    async def fetch(self, request: Request) -> Reply:
        """Make the request, follow redirects at the same host, and read the reply.

        Raises:
            FetchFailed: no answer in time, a reply too large or damaged, a redirect elsewhere, or the
                run's request budget is used up.
        """
        attempt = _Attempt(self._client, request, self._max_bytes)
        try:
            async with asyncio.timeout(self._total_seconds):
                return await attempt.run()
        except BudgetSpent as error:
            raise FetchFailed(str(error), attempt.requests, is_refusal=True) from None
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError):
            raise FetchFailed("cannot be reached; check the network connection", attempt.requests) from None
        except (TimeoutError, httpx.TimeoutException):
            reason = f"did not answer within {self._total_seconds:g} seconds"
            raise FetchFailed(reason, attempt.requests) from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise FetchFailed("broke off the connection or answered nonsense", attempt.requests) from None
        except Unreadable as error:
            raise FetchFailed(f"sent a reply that {error}", attempt.requests) from None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


@cache
def _certificates(trust_env: bool) -> ssl.SSLContext:
    """The authorities that we trust; reading them takes 0.2 s, so it is done once."""
    return httpx.create_ssl_context(trust_env=trust_env)


class _Attempt:
    """One fetch: it knows how many requests were made, also when it ends in an error."""

    def __init__(self, client: httpx.AsyncClient, request: Request, max_bytes: int) -> None:
        self._client = client
        self._request = request
        self._max_bytes = max_bytes
        self.requests = 0

    async def run(self) -> Reply:
        message = self._first_message()
        while True:
            charge_request()
            self.requests += 1
            response = await self._client.send(message, stream=True)
            try:
                target = response.headers.get("Location")
                if response.status_code not in _REDIRECTS or target is None:
                    return await self._read(response)
            finally:
                await response.aclose()
            message = self._next_message(str(message.url), response.status_code, target)

    def _first_message(self) -> httpx.Request:
        asked = self._request
        headers = asked.headers | asked.secret_headers
        if asked.method == "POST":
            return self._client.build_request("POST", asked.url, headers=headers, data=asked.fields)
        return self._client.build_request("GET", asked.url, headers=headers, params=asked.fields)

    def _next_message(self, asked: str, status: int, location: str) -> httpx.Request:
        """The request after a redirect. The host is the same, so the key may go along; a form keeps its fields."""
        url = redirect_target(asked, location)
        if url is None:
            raise FetchFailed("redirected to another address, which was not followed", self.requests)
        if self.requests > MAX_REDIRECTS:
            raise FetchFailed("redirected too often", self.requests)
        headers = self._request.headers | self._request.secret_headers
        if self._request.method == "POST" and status != _SEE_OTHER:
            return self._client.build_request("POST", url, headers=headers, data=self._request.fields)
        return self._client.build_request("GET", url, headers=headers)

    async def _read(self, response: httpx.Response) -> Reply:
        unpacker = Unpacker(response.headers.get("Content-Encoding", ""), self._max_bytes)
        async for chunk in response.aiter_raw():
            unpacker.feed(chunk)
        wait = read_retry_after(response.headers.get("Retry-After", ""), datetime.now(UTC))
        return Reply(response.status_code, unpacker.text(), self.requests, wait)


def read_retry_after(value: str, now: datetime) -> int | None:
    """Seconds of a Retry-After header, given in seconds or as a date (RFC 9110, 10.2.3), at most a day.

    None if it is absent or makes no sense.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(int(value[:6]), LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return min(max(round((moment - now).total_seconds()), 0), LONGEST_WAIT)
