"""Composition: the one place that joins the working parts of a process, and takes them apart again."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Protocol, TypeVar

from deeptrust.agent.evidence import DatabaseEvidence
from deeptrust.agent.parts import Limits, Parts
from deeptrust.agent.producer import PartsOf, open_research
from deeptrust.agent.tracing import settle_tracing
from deeptrust.choices import choose_allowance, choose_embedder, choose_engines, open_models
from deeptrust.database.engine import Database
from deeptrust.documents.reader import FileReader
from deeptrust.domain.run import RunKind
from deeptrust.embedding.base import Embedder
from deeptrust.errors import StoreUnavailable
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
from deeptrust.knowledge.pool import StorePool
from deeptrust.knowledge.shelf import Shelf
from deeptrust.llm.selection import ModelSelection
from deeptrust.runs.approvals import utc_now
from deeptrust.runs.base import Producer
from deeptrust.runs.runner import Runner
from deeptrust.search.transport import SearchTransport
from deeptrust.services import Services, provide
from deeptrust.settings import Settings
from deeptrust.study.jobs import JobBook
from deeptrust.trust.policy import load_policy

logger = logging.getLogger(__name__)

_SWEEP_SECONDS = 3600


class _Closing(Protocol):
    async def close(self) -> None: ...


_Part = TypeVar("_Part", bound=_Closing)


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncGenerator[Services, None]:
    """Open every part, take up unfinished runs, and close all again in reverse order.

    Where another process works on the same home, as a command in a second terminal does, its runs are left to it.

    Raises:
        Unavailable: the home cannot be written, or a store in it is locked or damaged.
    """
    async with AsyncExitStack() as stack:
        home = HomeFolder(settings.home_folder)
        may_take_up = stack.enter_context(home.hold_runs())
        services = await _join(settings, home, stack)
        if may_take_up:
            await services.runner.recover()
        for work in (_expire_approvals(services.runner), services.selector.watch()):
            stack.callback(asyncio.create_task(work).cancel)
        with provide(services):
            yield services


async def _join(settings: Settings, home: HomeFolder, stack: AsyncExitStack) -> Services:
    """Open the parts from the lowest up; `stack` closes them."""
    tracing_project = settle_tracing(settings.offline)
    database = _closed_by(stack, Database(home.path / "deeptrust.sqlite"))
    await database.open()
    embedder = _closed_by(stack, choose_embedder(settings))
    pool = _closed_by(stack, StorePool(home.path / "users"))
    await pool.sweep()
    models = ModelSelection(None, settings.answers)
    selector = _closed_by(stack, open_models(settings, home, models))
    transport = _closed_by(stack, SearchTransport(total_seconds=settings.search_seconds))

    shelf = Shelf(pool, embedder, FileReader(settings.max_document_bytes), choose_allowance(settings))
    local_rag = _build_local_rag(settings, shelf, embedder, models)
    parts_of = _build_parts(settings, shelf, models, embedder, database, transport)
    research = await stack.enter_async_context(open_research(home.path / "checkpoints.sqlite", parts_of))
    harnesses = _closed_by(stack, _build_harnesses(settings, database, local_rag))
    producers: dict[RunKind, Producer] = {RunKind.ASK: AskProducer(local_rag), RunKind.RESEARCH: research}
    runner = _closed_by(stack, _build_runner(settings, database, producers))
    user = await find_local_user(database)
    return Services(
        settings=settings,
        home=home,
        database=database,
        embedder=embedder,
        models=models,
        selector=selector,
        runner=runner,
        harnesses=harnesses,
        study=JobBook(database),
        shelf=shelf,
        admission=_build_admission(settings, home, database, user),
        tabs=Tabs(),
        local_user=user,
        tracing_project=tracing_project,
    )


def _closed_by(stack: AsyncExitStack, part: _Part) -> _Part:
    stack.push_async_callback(part.close)
    return part


def _build_runner(settings: Settings, database: Database, producers: Mapping[RunKind, Producer]) -> Runner:
    most_runs = settings.max_runs_per_user if settings.mode == "hosted" else None
    return Runner(database, producers, settings.max_question_characters, max_runs_at_once=most_runs)


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
