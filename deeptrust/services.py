"""The working parts of this process, for those who use them: pages, endpoints and commands."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from deeptrust.database.engine import Database
from deeptrust.database.erasure import erase_person
from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.document import IngestOutcome
from deeptrust.domain.run import AnswerReady, RunRequest, StatusChanged
from deeptrust.embedding.base import Embedder
from deeptrust.errors import Unavailable
from deeptrust.harness.research import Research
from deeptrust.home import HomeFolder
from deeptrust.identity.admission import Admission
from deeptrust.identity.tabs import Tabs
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.shelf import Shelf
from deeptrust.llm.base import ChatModel
from deeptrust.llm.selection import ModelSelection
from deeptrust.llm.selector import ModelSelector
from deeptrust.runs.history import RunHistory
from deeptrust.runs.runner import Runner
from deeptrust.samples import sample_files
from deeptrust.settings import Answers, Settings
from deeptrust.study.jobs import JobBook


@dataclass
class Services:
    """The working parts of one process, made by `composition.open_services`."""

    settings: Settings
    home: HomeFolder
    database: Database
    embedder: Embedder
    models: ModelSelection
    selector: ModelSelector
    runner: Runner
    harnesses: Research
    study: JobBook
    shelf: Shelf
    admission: Admission
    tabs: Tabs
    local_user: str
    """Whom commands on this machine work for; in local mode also whom every browser stands for."""
    tracing_project: str | None
    """Where LangSmith sends prompts, if it does; the page says so (K21)."""

    def library(self, owner: str) -> Library:
        """Return the documents of `owner`."""
        return self.shelf.library(owner)

    @property
    def history(self) -> RunHistory:
        """What runs have come to."""
        return self.runner.history

    @property
    def search_leaves(self) -> bool:
        """Whether documents and questions are sent over the network to be embedded."""
        return self.embedder.reaches_network

    @property
    def chat_model(self) -> ChatModel | None:
        """The chat model in use."""
        return self.models.current

    @property
    def answers(self) -> Answers:
        """Whether answers are quoted, or written by the chat model and checked."""
        return self.models.answers

    def set_answers(self, answers: Answers) -> None:
        """Choose how answers are made from the next question on."""
        self.models.answers = answers

    async def forget(self, owner: str) -> None:
        """Delete all data of `owner` and leave no byte of it below the home; stops what runs.

        Killed half-way, it may be repeated. In local mode the person may go on at once, with nothing.

        Raises:
            StoreUnavailable: the disk is full or fails; ask again.
        """
        async with self.runner.forgetting(owner):
            await self.shelf.forget(owner)
            await self.database.run(lambda session: erase_person(session, owner))
            await self.database.erase()
            if owner != self.local_user:  # nobody comes back as this person, but an upload of theirs may still go on
                await self.shelf.forget(owner, for_good=True)

    async def delete_run(self, owner: str, run_id: str) -> None:
        """Delete one run with all that it brought, stopping it first, and leave no byte of it.

        Raises:
            NotFound: no such run of `owner`.
            StoreUnavailable: the disk is full or fails; ask again.
        """
        await self.runner.forget(owner, run_id)

    async def add_samples(self, owner: str) -> list[IngestOutcome]:
        """Take in the sample documents; those already there come back as duplicates."""
        library = self.library(owner)
        return [await library.add_file(file.read_bytes(), file.name) for file in sample_files()]

    async def ask(self, owner: str, question: str) -> AnswerDetail:
        """Run one question to its end and return the answer.

        Raises:
            BadQuestion: the question is empty or too long.
            Unavailable: the run failed or was stopped; the sentence is the run's own.
        """
        run_id = await self.runner.start(owner, RunRequest(question=question))
        detail: AnswerDetail | None = None
        message: str | None = None
        async for event in self.history.follow(owner, run_id):
            if isinstance(event.body, AnswerReady):
                detail = event.body.detail
            elif isinstance(event.body, StatusChanged):
                message = event.body.message
        if detail is None:
            raise Unavailable(message or "The run ended without an answer. Ask again.")
        return detail


_current: Services | None = None


def current_services() -> Services:
    """Return the services that this process opened.

    Raises:
        Unavailable: none are open: the program is still starting, or stopping.
    """
    if _current is None:
        raise Unavailable("DeepTrust is still starting. Try again in a moment.")
    return _current


@contextmanager
def provide(services: Services) -> Generator[None, None, None]:
    """Let `current_services` return these within the block."""
    global _current
    _current = services
    try:
        yield
    finally:
        _current = None
