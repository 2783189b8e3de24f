"""The workspace that a command works on: the home itself, or the server that holds it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from deeptrust.cli.remote import RemoteWorkspace
from deeptrust.composition import open_services
from deeptrust.domain.answer import AnswerDetail, GroundedAnswer
from deeptrust.domain.approval import Approve, Reject
from deeptrust.domain.document import Document, IngestOutcome, IngestProgress
from deeptrust.domain.run import RunRequest
from deeptrust.harness.ingest import IngestReport
from deeptrust.harness.selector import HarnessChoice
from deeptrust.home import HomeFolder
from deeptrust.runs.projection import RunLine, RunView, line_of
from deeptrust.services import Services
from deeptrust.settings import Settings

OnProgress = Callable[[IngestProgress], None]


class Workspace(Protocol):
    """What commands do with a person's documents."""

    async def add_file(
        self, data: bytes, name: str, password: str | None, on_progress: OnProgress | None
    ) -> IngestOutcome:
        """Take in one file."""
        ...

    async def documents(self) -> list[Document]:
        """List the documents."""
        ...

    async def ask(self, question: str) -> AnswerDetail:
        """Answer from the documents.

        Raises:
            DeepTrustError: no answer could be made; the sentence says why.
        """
        ...

    async def start(self, request: RunRequest) -> str:
        """Start a run and return its id."""
        ...

    async def wait(self, run_id: str) -> RunView:
        """Return the run once it has ended or waits for approval."""
        ...

    async def decide(self, run_id: str, outcome: Approve | Reject, plan_hash: str | None) -> None:
        """Decide on the plan that waits."""
        ...

    async def retry(self, run_id: str, may_leave: bool) -> None:
        """Take up a run that has ended."""
        ...

    async def runs(self) -> list[RunLine]:
        """List the latest runs, newest first."""
        ...

    async def harnesses(self) -> list[HarnessChoice]:
        """List the research harnesses."""
        ...

    async def ingest_job(self, job_id: str, harness_id: str, confirmation: str | None) -> IngestReport:
        """Give a job's prep pack to a harness."""
        ...

    async def ask_job(self, job_id: str, question: str, harness_id: str) -> GroundedAnswer:
        """Ask a harness about a job."""
        ...


class LocalWorkspace:
    """The home, opened by this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._owner = services.local_user
        self._library = services.library(self._owner)

    async def add_file(
        self, data: bytes, name: str, password: str | None, on_progress: OnProgress | None
    ) -> IngestOutcome:
        """See `Workspace`."""
        return await self._library.add_file(data, name, password=password, on_progress=on_progress)

    async def documents(self) -> list[Document]:
        """See `Workspace`."""
        return await self._library.documents()

    async def ask(self, question: str) -> AnswerDetail:
        """See `Workspace`."""
        return await self._services.ask(self._owner, question)

    async def start(self, request: RunRequest) -> str:
        """See `Workspace`."""
        return await self._services.runner.start(self._owner, request)

    async def wait(self, run_id: str) -> RunView:
        """See `Workspace`."""
        return await self._services.history.wait(self._owner, run_id)

    async def decide(self, run_id: str, outcome: Approve | Reject, plan_hash: str | None) -> None:
        """See `Workspace`."""
        await self._services.runner.decide(self._owner, run_id, outcome, plan_hash)

    async def retry(self, run_id: str, may_leave: bool) -> None:
        """See `Workspace`."""
        await self._services.runner.retry(self._owner, run_id, may_leave=may_leave)

    async def harnesses(self) -> list[HarnessChoice]:
        """See `Workspace`."""
        return await self._services.harnesses.choices()

    async def ingest_job(self, job_id: str, harness_id: str, confirmation: str | None) -> IngestReport:
        """See `Workspace`."""
        pack = await self._services.study.pack(self._owner, job_id)
        return await self._services.harnesses.ingest(self._owner, pack, harness_id, confirmation)

    async def ask_job(self, job_id: str, question: str, harness_id: str) -> GroundedAnswer:
        """See `Workspace`."""
        await self._services.study.find(self._owner, job_id)
        return (await self._services.harnesses.ask(self._owner, job_id, question, harness_id)).answer

    async def runs(self) -> list[RunLine]:
        """See `Workspace`."""
        return [line_of(run) for run in await self._services.history.runs(self._owner)]


@asynccontextmanager
async def open_workspace(settings: Settings) -> AsyncGenerator[Workspace]:
    """Speak to the server that holds the home, or open the home where none runs (DuckDB allows one process).

    Raises:
        Unavailable: the server does not answer, or the home cannot be opened.
    """
    home = HomeFolder(settings.home_folder)
    server = home.running_server()
    if server is not None:
        async with RemoteWorkspace(server.port, home.server_token()) as remote:
            yield remote
    else:
        async with open_services(settings) as services:
            yield LocalWorkspace(services)
