"""A workspace behind the HTTP contract of the server that holds the home."""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import httpx
from pydantic import TypeAdapter

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.document import Document, IngestOutcome, IngestProgress
from deeptrust.errors import BadInput, DeepTrustError, Unavailable

_DOCUMENTS = TypeAdapter(list[Document])
_CONNECT_SECONDS = 5
_ANSWER_SECONDS = 600


class RemoteWorkspace:
    """Speaks to http://127.0.0.1:`port` with the token of the home."""

    def __init__(self, port: int, token: str) -> None:
        self._client = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}/api",
            headers={"Authorization": f"Bearer {token}"},
            timeout=httpx.Timeout(_ANSWER_SECONDS, connect=_CONNECT_SECONDS),
            trust_env=False,  # a proxy of the environment must not see requests to this machine
        )

    async def __aenter__(self) -> Self:
        """Nothing to wait for: the first request connects."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def add_file(
        self, data: bytes, name: str, password: str | None, on_progress: Callable[[IngestProgress], None] | None
    ) -> IngestOutcome:
        """See `Workspace`; the server does not report progress here."""
        form = {"password": password} if password else {}
        return IngestOutcome.model_validate(
            await self._call("POST", "documents", files={"file": (name, data)}, data=form)
        )

    async def documents(self) -> list[Document]:
        """See `Workspace`."""
        return _DOCUMENTS.validate_python(await self._call("GET", "documents"))

    async def ask(self, question: str) -> AnswerDetail:
        """See `Workspace`."""
        return AnswerDetail.model_validate(await self._call("POST", "ask", json={"question": question}))

    async def _call(self, method: str, path: str, **request: Any) -> Any:
        try:
            response = await self._client.request(method, path, **request)
        except httpx.HTTPError as error:
            raise Unavailable(
                "DeepTrust holds this home but does not answer. Wait a moment, or stop it and try again."
            ) from error
        if response.is_success:
            return response.json()
        raise _error_of(response)


def _error_of(response: httpx.Response) -> DeepTrustError:
    try:
        detail = str(response.json()["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"The server answered {response.status_code}. Its log says why."
    return BadInput(detail) if response.status_code in (400, 413, 415, 422) else Unavailable(detail)
