"""A workspace behind the HTTP contract of the server that holds the home."""

import json
from collections.abc import AsyncGenerator, Callable
from types import TracebackType
from typing import Any, Self

import httpx
from pydantic import TypeAdapter

from deeptrust.domain.answer import AnswerDetail, GroundedAnswer
from deeptrust.domain.approval import Approve, Reject
from deeptrust.domain.document import Document, IngestOutcome, IngestProgress
from deeptrust.domain.run import RunRequest
from deeptrust.errors import BadInput, DeepTrustError, Unavailable
from deeptrust.harness.ingest import IngestReport
from deeptrust.harness.selector import HarnessChoice
from deeptrust.runs.projection import RunLine, RunView

_DOCUMENTS = TypeAdapter(list[Document])
_HARNESSES = TypeAdapter(list[HarnessChoice])
_RUNS = TypeAdapter(list[RunLine])
_SILENT = "DeepTrust holds this home but does not answer. Wait a moment, or stop it and try again."
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
            await self.call("POST", "documents", files={"file": (name, data)}, data=form)
        )

    async def documents(self) -> list[Document]:
        """See `Workspace`."""
        return _DOCUMENTS.validate_python(await self.call("GET", "documents"))

    async def ask(self, question: str) -> AnswerDetail:
        """See `Workspace`."""
        return AnswerDetail.model_validate(await self.call("POST", "ask", json={"question": question}))

    async def start(self, request: RunRequest) -> str:
        """See `Workspace`; returns once the run has ended or waits, as the stream of the contract does."""
        body = {"query": request.question, "sources": request.sources}
        first, *_ = await self._exhaust("research", body)
        return str(first["state"]["threadId"])

    async def wait(self, run_id: str) -> RunView:
        """See `Workspace`."""
        return RunView.model_validate(await self.call("GET", f"research/runs/{run_id}"))

    async def decide(self, run_id: str, outcome: Approve | Reject, plan_hash: str | None) -> None:
        """See `Workspace`."""
        body = {"threadId": run_id}
        if isinstance(outcome, Reject):
            await self._exhaust("research/reject", body | {"reason": outcome.reason})
        else:
            await self._exhaust("research/approve", body | {"planHash": plan_hash})

    async def retry(self, run_id: str, may_leave: bool) -> None:
        """See `Workspace`."""
        await self._exhaust("research/retry", {"threadId": run_id, "mayLeave": may_leave})

    async def runs(self) -> list[RunLine]:
        """See `Workspace`."""
        return _RUNS.validate_python(await self.call("GET", "research/runs"))

    async def harnesses(self) -> list[HarnessChoice]:
        """See `Workspace`."""
        return _HARNESSES.validate_python(await self.call("GET", "study/research/harnesses"))

    async def ingest_job(self, job_id: str, harness_id: str, confirmation: str | None) -> IngestReport:
        """See `Workspace`."""
        body = {"harnessId": harness_id, "confirmation": confirmation}
        return IngestReport.model_validate(await self.call("POST", f"study/{job_id}/research/ingest", json=body))

    async def ask_job(self, job_id: str, question: str, harness_id: str) -> GroundedAnswer:
        """See `Workspace`."""
        body = {"question": question, "harnessId": harness_id}
        return GroundedAnswer.model_validate(await self.call("POST", f"study/{job_id}/research/ask", json=body))

    async def frames(self, path: str, body: dict[str, Any]) -> AsyncGenerator[Any, None]:
        """Post, and yield the data of each frame as it comes.

        Raises:
            DeepTrustError: the server's own sentence, or that it is silent.
        """
        try:
            async with self._client.stream("POST", path, json=body) as response:
                if not response.is_success:
                    await response.aread()
                    raise _error_of(response)
                async for line in response.aiter_lines():
                    if line.startswith("data: "):
                        yield json.loads(line.removeprefix("data: "))
        except httpx.HTTPError as error:
            raise Unavailable(_SILENT) from error

    async def call(self, method: str, path: str, **request: Any) -> Any:
        """Send one request and return the JSON of the answer; None where it has no body.

        Raises:
            DeepTrustError: the server's own sentence, or that it is silent.
        """
        try:
            response = await self._client.request(method, path, **request)
        except httpx.HTTPError as error:
            raise Unavailable(_SILENT) from error
        if response.is_success:
            return response.json() if response.content else None
        raise _error_of(response)

    async def _exhaust(self, path: str, body: dict[str, Any]) -> list[Any]:
        """All frames, once the stream has ended."""
        return [frame async for frame in self.frames(path, body)]


def _error_of(response: httpx.Response) -> DeepTrustError:
    try:
        detail = str(response.json()["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"The server answered {response.status_code}. Its log says why."
    return BadInput(detail) if response.status_code in (400, 413, 415, 422) else Unavailable(detail)
