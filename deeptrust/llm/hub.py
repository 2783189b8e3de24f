"""Fetching a model file from a hub: resumed after a cut, checked to the last byte, never half in place (K19).

The hub answers `resolve` with a redirect to its storage. The token goes to the hub alone: httpx drops it when a
redirect leads to another host. Addresses of the storage expire, so each attempt begins at the hub again.
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path

import httpx
from pydantic import SecretStr

from deeptrust.domain.model import DownloadPhase
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.part_file import PartFile
from deeptrust.network.address import check_address, is_loopback, show_address

OnProgress = Callable[[DownloadPhase, int, str], None]
"""Called with the phase, the bytes that are here, and a sentence (empty where all is well)."""

_IDLE_SECONDS = 30
_ATTEMPTS = 5
"""Tries in a row that bring no byte, before it is given up."""

_LONGEST_WAIT_SECONDS = 300
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class HubFile:
    """One file of a hub, pinned: repository, revision (a commit), name, size and hash."""

    repository: str
    revision: str
    name: str
    size_bytes: int
    sha256: str


class _Interrupted(Exception):
    """Another try may mend it. `wait_seconds` is what the hub asked for, if it did."""

    def __init__(self, reason: str, wait_seconds: float | None = None) -> None:
        super().__init__(reason)
        self.wait_seconds = wait_seconds


class Hub:
    """A hub that speaks the protocol of huggingface.co. It keeps no connection between files."""

    def __init__(
        self, url: str, token: SecretStr | None = None, *, connect_seconds: float = 5, pause_seconds: float = 1
    ) -> None:
        """Nothing is asked yet.

        Args:
            url: HF_ENDPOINT.
            token: HF_TOKEN, for repositories that want one.
            connect_seconds: longest time to reach it.
            pause_seconds: wait after the first failure; it doubles with each further one.

        Raises:
            BadSetting: `url` is not an http or https address.
        """
        self._url = check_address(url, "HF_ENDPOINT")
        self._token = token
        self._timeout = httpx.Timeout(_IDLE_SECONDS, connect=connect_seconds)
        self._pause_seconds = pause_seconds

    @property
    def reaches_network(self) -> bool:
        """Whether it stands beyond this machine."""
        return not is_loopback(self._url)

    async def fetch(self, file: HubFile, folder: Path, on_progress: OnProgress) -> Path:
        """Bring `file` into `folder` and return its path. Cancelled or failed, what came is kept for the next time.

        Raises:
            Conflict: another process fetches the same file.
            ModelUnavailable: the hub cannot be reached, refuses, or sends something else.
            StoreUnavailable: the disk is too small, or the folder cannot be written.
        """
        with PartFile(folder, file.name, file.size_bytes) as part:
            await self._receive(file, part, on_progress)
            on_progress(DownloadPhase.CHECKING, file.size_bytes, "")
            if await part.digest() != file.sha256:
                part.discard()
                raise ModelUnavailable(
                    f"What came is not {file.name} as it was pinned: its checksum differs. It was deleted; try again."
                )
            return await part.finish()

    async def _receive(self, file: HubFile, part: PartFile, on_progress: OnProgress) -> None:
        failures = 0
        # Proxies of the environment must not see what goes to this machine.
        async with httpx.AsyncClient(
            timeout=self._timeout, follow_redirects=True, trust_env=self.reaches_network
        ) as client:
            while part.size < file.size_bytes:
                before = part.size
                on_progress(DownloadPhase.DOWNLOADING, before, "")
                try:
                    await self._receive_once(client, file, part, on_progress)
                except _Interrupted as cut:
                    failures = 1 if part.size > before else failures + 1
                    wait = cut.wait_seconds or self._pause_seconds * 2 ** (failures - 1)
                    if failures >= _ATTEMPTS or wait > _LONGEST_WAIT_SECONDS:
                        raise ModelUnavailable(f"{cut} What came is kept: try again later.") from cut
                    on_progress(DownloadPhase.WAITING, part.size, f"{cut} Trying again in {wait:.0f} s.")
                    await asyncio.sleep(wait)

    async def _receive_once(
        self, client: httpx.AsyncClient, file: HubFile, part: PartFile, on_progress: OnProgress
    ) -> None:
        url = f"{self._url}/{file.repository}/resolve/{file.revision}/{file.name}"
        try:
            async with client.stream("GET", url, headers=self._headers(part)) as response:
                self._check(response, file, part)
                part.begin_at(_first_byte(response, file, part), response.headers.get("etag", ""))
                async for block in response.aiter_raw():
                    if part.size + len(block) > file.size_bytes:
                        part.discard()
                        raise _other_file(file)
                    await part.write(block)
                    on_progress(DownloadPhase.DOWNLOADING, part.size, "")
        except (httpx.TransportError, httpx.StreamError) as error:
            raise _Interrupted(self._describe(error)) from error
        except (httpx.TooManyRedirects, httpx.InvalidURL) as error:
            raise ModelUnavailable(f"{self._name} sends us in circles. Check HF_ENDPOINT.") from error
        if part.size < file.size_bytes:
            raise _Interrupted(f"{self._name} ended the file too early.")

    def _headers(self, part: PartFile) -> dict[str, str]:
        headers = {"Accept-Encoding": "identity"}
        if self._token and (secret := self._token.get_secret_value()):
            headers["Authorization"] = f"Bearer {secret}"
        if part.size:
            headers["Range"] = f"bytes={part.size}-"
            if part.etag:
                headers["If-Range"] = part.etag
        return headers

    def _check(self, response: httpx.Response, file: HubFile, part: PartFile) -> None:
        """Refuse what is not the pinned file, before its bytes are read."""
        status = response.status_code
        if status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.discard()
            raise _Interrupted(f"{self._name} cannot go on where it stopped.")
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _Interrupted(f"{self._name} is busy (status {status}).", _retry_after(response))
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            problem = "does not accept HF_TOKEN for" if self._token else "wants a token for"
            raise ModelUnavailable(
                f"{self._name} {problem} {file.repository}. Set HF_TOKEN to a token that may read it."
            )
        if status not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
            raise ModelUnavailable(
                f"{self._name} has no {file.name} in {file.repository} (status {status}). Check HF_ENDPOINT."
            )
        if response.headers.get("content-type", "").startswith("text/html"):
            raise ModelUnavailable(
                f"{self._name} answers with a web page in place of {file.name}. "
                "A proxy or a log-in page stands between: open the address in a browser."
            )
        for step in (*response.history, response):
            told = step.headers.get("x-linked-etag", "").strip('W/"')
            if _SHA256.fullmatch(told) and told != file.sha256:
                raise _other_file(file)

    @property
    def _name(self) -> str:
        return f"The hub at {show_address(self._url)}"

    def _describe(self, error: Exception) -> str:
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            return f"{self._name} cannot be reached. Check the connection."
        return f"The connection to {self._name[0].lower()}{self._name[1:]} was cut."


def _first_byte(response: httpx.Response, file: HubFile, part: PartFile) -> int:
    """Index of the first byte that comes; a server without ranges sends all from 0.

    Raises:
        ModelUnavailable: the file has another size than the pinned one.
    """
    if response.status_code == HTTPStatus.OK:
        total, start = response.headers.get("content-length", "*"), 0
    else:
        found = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", ""))
        if found is None or int(found[1]) != part.size:
            part.discard()
            raise _Interrupted("The hub sent another part than it was asked for.")
        total, start = found[2], part.size
    if total.isdigit() and int(total) != file.size_bytes:
        raise _other_file(file)
    return start


def _other_file(file: HubFile) -> ModelUnavailable:
    return ModelUnavailable(
        f"The hub offers another file than the pinned {file.name}, so it was not taken. Check HF_ENDPOINT, "
        "or look for a newer DeepTrust."
    )


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds that the server asks to wait: a number, or a date (RFC 9110, 10.2.3)."""
    told = response.headers.get("retry-after", "").strip()
    if told.isdigit():
        return max(1.0, float(told))
    try:
        return max(1.0, (parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
