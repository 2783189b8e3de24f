"""Composition: the one place that turns `Settings` into working parts."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from deeptrust.agent.evidence import DatabaseEvidence
from deeptrust.agent.parts import Limits, Parts
from deeptrust.agent.producer import PartsOf, open_research
from deeptrust.agent.tracing import settle_tracing
from deeptrust.database.engine import Database
from deeptrust.database.erasure import erase_person
from deeptrust.documents.reader import FileReader
from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.document import IngestOutcome
from deeptrust.domain.run import AnswerReady, RunKind, RunRequest, StatusChanged
from deeptrust.embedding.base import Embedder
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.embedding.ollama import OllamaEmbedder
from deeptrust.errors import BadSetting, StoreUnavailable, Unavailable
from deeptrust.harness.claude_project import ClaudeProject
from deeptrust.harness.confirmation import Confirmations
from deeptrust.harness.local_rag import LocalRag
from deeptrust.harness.mcp_server import read_server
from deeptrust.harness.notebooklm import NotebookLm
from deeptrust.harness.notebooklm_mcp import NotebookLmMcp
from deeptrust.harness.producer import AskProducer
from deeptrust.harness.research import Research
from deeptrust.harness.selector import HarnessSelector
from deeptrust.home import HomeFolder
from deeptrust.identity.admission import Admission
from deeptrust.identity.password import Password
from deeptrust.identity.secrets import SecretMint
from deeptrust.identity.tabs import Tabs
from deeptrust.identity.users import find_local_user
from deeptrust.knowledge.allowance import Allowance
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.llm.address import check_address, is_loopback
from deeptrust.llm.base import ChatModel
from deeptrust.llm.choice import ChoiceFile
from deeptrust.llm.hub import Hub
from deeptrust.llm.keys import KeyFile
from deeptrust.llm.limits import LimitedModel, ReplyLimits
from deeptrust.llm.selection import ModelSelection
from deeptrust.llm.selector import ModelSelector
from deeptrust.llm.sources.base import ModelSource
from deeptrust.llm.sources.built_in import BuiltInSource
from deeptrust.llm.sources.claude import ClaudeSource
from deeptrust.llm.sources.downloaded import DownloadedSource
from deeptrust.llm.sources.endpoint import EndpointSource
from deeptrust.llm.sources.ollama import OllamaSource
from deeptrust.runs.approvals import utc_now
from deeptrust.runs.base import Producer
from deeptrust.runs.runner import Runner
from deeptrust.samples import sample_files
from deeptrust.search.base import SearchEngine
from deeptrust.search.cooldown import CoolingEngine
from deeptrust.search.duckduckgo import DuckDuckGo
from deeptrust.search.google_cse import GoogleCse
from deeptrust.search.transport import SearchTransport
from deeptrust.search.wikipedia import Wikipedia
from deeptrust.settings import Answers, Settings
from deeptrust.study.jobs import JobBook
from deeptrust.trust.policy import load_policy

logger = logging.getLogger(__name__)

_SWEEP_SECONDS = 3600


@dataclass
class Services:
    """The working parts of one process, made by `open_services`."""

    settings: Settings
    home: HomeFolder
    database: Database
    embedder: Embedder
    models: ModelSelection
    selector: ModelSelector
    runner: Runner
    harnesses: Research
    study: JobBook
    shelf: "Shelf"
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
    def search_leaves(self) -> bool:
        """Whether documents and questions are sent over the network to be embedded."""
        return self.settings.embedder == "ollama" and not is_loopback(self.settings.ollama_url)

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
        async for event in self.runner.follow(owner, run_id):
            if isinstance(event.body, AnswerReady):
                detail = event.body.detail
            elif isinstance(event.body, StatusChanged):
                message = event.body.message
        if detail is None:
            raise Unavailable(message or "The run ended without an answer. Ask again.")
        return detail


class Shelf:
    """The libraries of all users, over one pool of stores."""

    def __init__(
        self, pool: StorePool, embedder: Embedder, reader: FileReader, allowance: Allowance | None = None
    ) -> None:
        self.pool = pool
        self._embedder = embedder
        self._reader = reader
        self._allowance = allowance

    def library(self, owner: str) -> Library:
        """Return the documents of `owner`."""
        return Library(self.pool, owner, self._embedder, self._reader, self._allowance)

    async def forget(self, owner: str, *, for_good: bool = False) -> None:
        """Delete every document of `owner`, and the files that held them; see `StorePool.forget`."""
        await self.pool.forget(owner, for_good=for_good)


_current: Services | None = None


def current_services() -> Services:
    """Return the services that this process opened.

    Raises:
        Unavailable: none are open: the program is still starting, or stopping.
    """
    if _current is None:
        raise Unavailable("DeepTrust is still starting. Try again in a moment.")
    return _current


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncGenerator[Services, None]:
    """Open every part, take up unfinished runs, and close all again in reverse order.

    Where another process works on the same home, as a command in a second terminal does, its runs are left to it.

    Raises:
        Unavailable: the home cannot be written, or a store in it is locked or damaged.
    """
    global _current
    tracing_project = settle_tracing(settings.offline)
    async with AsyncExitStack() as stack:
        home = HomeFolder(settings.home_folder)
        may_take_up = stack.enter_context(home.hold_runs())
        database = Database(home.path / "deeptrust.sqlite")
        await database.open()
        stack.push_async_callback(database.close)
        embedder = choose_embedder(settings)
        stack.push_async_callback(embedder.close)
        pool = StorePool(home.path / "users")
        await pool.sweep()
        stack.push_async_callback(pool.close)
        models = ModelSelection(None, settings.answers)
        selector = open_models(settings, home, models)
        stack.push_async_callback(selector.close)
        transport = SearchTransport()
        stack.push_async_callback(transport.close)

        shelf = Shelf(pool, embedder, FileReader(settings.max_document_bytes), choose_allowance(settings))
        local_rag = _build_local_rag(settings, shelf, embedder, models)
        parts_of = _build_parts(settings, shelf, models, embedder, database, transport)
        research = await stack.enter_async_context(open_research(home.path / "checkpoints.sqlite", parts_of))
        harnesses = _build_harnesses(settings, database, local_rag)
        stack.push_async_callback(harnesses.close)
        producers: dict[RunKind, Producer] = {RunKind.ASK: AskProducer(local_rag), RunKind.RESEARCH: research}
        most_runs = settings.max_runs_per_user if settings.mode == "hosted" else None
        runner = Runner(database, producers, settings.max_question_characters, max_runs_at_once=most_runs)
        stack.push_async_callback(runner.close)

        study = JobBook(database)
        user = await find_local_user(database)
        _current = Services(
            settings=settings,
            home=home,
            database=database,
            embedder=embedder,
            models=models,
            selector=selector,
            runner=runner,
            harnesses=harnesses,
            study=study,
            shelf=shelf,
            admission=_build_admission(settings, home, database, user),
            tabs=Tabs(),
            local_user=user,
            tracing_project=tracing_project,
        )
        if may_take_up:
            await runner.recover()
        sweep = asyncio.create_task(_expire_approvals(runner))
        stack.callback(sweep.cancel)
        looking = asyncio.create_task(selector.watch())
        stack.callback(looking.cancel)
        try:
            yield _current
        finally:
            _current = None


async def _expire_approvals(runner: Runner) -> None:
    """Close runs that nobody decided in time, for as long as the program runs (HIT-11)."""
    while True:
        await asyncio.sleep(_SWEEP_SECONDS)
        try:
            await runner.expire_overdue()
        except StoreUnavailable as error:
            logger.warning("overdue approvals could not be closed: %s", error)


def _build_local_rag(settings: Settings, shelf: Shelf, embedder: Embedder, models: ModelSelection) -> LocalRag:
    return LocalRag(
        shelf.library,
        embedder,
        models,
        limit=settings.passages_per_question,
        max_question_characters=settings.max_question_characters,
        model_call_seconds=settings.max_reply_seconds,
    )


def _build_parts(
    settings: Settings,
    shelf: Shelf,
    models: ModelSelection,
    embedder: Embedder,
    database: Database,
    transport: SearchTransport,
) -> PartsOf:
    """Return what makes the working parts of a person's research runs.

    A model plans and writes where it also writes answers; only a capable one has a say in the audit.
    """
    engines = choose_engines(settings, transport)

    def parts_of(owner: str) -> Parts:
        return Parts(
            knowledge=shelf.library(owner),
            embedder=embedder,
            evidence=DatabaseEvidence(database),
            engines=engines,
            load_policy=load_policy,
            planner=models.writer,
            reviewer=models.reviewer,
            writer=models.writer,
            now=utc_now,
            limits=Limits(passages_per_step=settings.passages_per_run, model_call_seconds=settings.max_reply_seconds),
        )

    return parts_of


def _build_harnesses(settings: Settings, database: Database, local_rag: LocalRag) -> Research:
    """Return the harnesses in order of preference: the one that needs no account first (H12)."""
    limit = settings.max_question_characters
    mcp = (settings.notebooklm_mcp_command, settings.notebooklm_mcp_url, settings.notebooklm_mcp_tools)
    server = read_server(*mcp) if settings.mode == "local" else None  # one Google login must not be everybody's
    publisher = NotebookLmMcp(
        database, server, Confirmations(), is_offline=settings.offline, max_question_characters=limit
    )
    return Research(
        HarnessSelector([local_rag, NotebookLm(database, limit), publisher, ClaudeProject(database, limit)])
    )


def _build_admission(settings: Settings, home: HomeFolder, database: Database, local_user: str) -> Admission:
    """Return what knows browsers. Both keys come from the token file: without the home, cookie and hash are noise."""
    token = home.server_token().encode()
    password = settings.password.get_secret_value() if settings.password else ""
    return Admission(
        database,
        SecretMint(hashlib.sha256(b"cookies " + token).digest()),
        everybody=local_user if settings.mode == "local" else None,
        password=Password(password, hashlib.sha256(b"password " + token).digest()) if password else None,
    )


def choose_allowance(settings: Settings) -> Allowance | None:
    """Return how much each person may keep; on one's own machine the disk is the limit."""
    if settings.mode == "local":
        return None
    return Allowance(settings.max_documents_per_user, settings.max_bytes_per_user)


def choose_embedder(settings: Settings) -> Embedder:
    """Return the embedder that the settings name, not loaded yet.

    Raises:
        BadSetting: the address of Ollama is none, or is beyond this machine while nothing may leave it.
    """
    match settings.embedder:
        case "hashing":
            return HashingEmbedder()
        case "ollama":
            url = check_address(settings.ollama_url, "DEEPTRUST_OLLAMA_URL")
            if settings.offline and not is_loopback(url):
                raise BadSetting("DEEPTRUST_EMBEDDER=ollama sends texts to another machine, which --offline forbids.")
            return OllamaEmbedder(settings.ollama_embedding_model, url=url, connect_seconds=settings.connect_seconds)
        case "minilm":
            return MiniLmEmbedder()


def open_models(settings: Settings, home: HomeFolder, models: ModelSelection) -> ModelSelector:
    """Return the selector of chat models; it has put the one that is chosen into `models`, not loaded yet.

    Raises:
        BadSetting: a setting names no model, or no address.
    """
    keys = KeyFile(home.path)
    hub = Hub(settings.hub_url, settings.hub_token, connect_seconds=settings.connect_seconds)
    sources: list[ModelSource] = [
        BuiltInSource(settings),
        DownloadedSource(settings, home.path, hub),
        OllamaSource(settings),
        EndpointSource(settings, keys),
        ClaudeSource(settings),
    ]

    limits = ReplyLimits(
        first_token_seconds=settings.first_token_seconds,
        idle_seconds=settings.idle_seconds,
        total_seconds=settings.max_reply_seconds,
        max_tokens=settings.max_new_tokens,
    )

    def limit(model: ChatModel) -> ChatModel:
        return LimitedModel(model, limits)

    return ModelSelector(settings, models, sources, ChoiceFile(home.path), keys, limit)


def choose_engines(settings: Settings, transport: SearchTransport) -> list[SearchEngine]:
    """Return the search engines in order of preference; none when nothing may leave the machine.

    Google stands first where both of its variables are set (D18); a key alone is no choice.
    """
    if settings.offline:
        return []
    engines: list[SearchEngine] = [
        DuckDuckGo(transport, settings.duckduckgo_url),
        Wikipedia(transport, settings.wikipedia_url),
    ]
    if settings.google_cse_api_key and settings.google_cse_cx:
        google = GoogleCse(transport, settings.google_cse_api_key, settings.google_cse_cx, settings.google_cse_url)
        engines.insert(0, google)
    return [CoolingEngine(engine) for engine in engines]
