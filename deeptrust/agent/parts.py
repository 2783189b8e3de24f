"""What the nodes work with. It is passed to the graph as context, so none of it enters a checkpoint."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from deeptrust.agent.evidence import EvidenceStore
from deeptrust.domain.document import Document, Passage, Retrieval
from deeptrust.domain.run import Sources
from deeptrust.embedding.base import Embedder
from deeptrust.llm.base import ChatModel
from deeptrust.search.base import SearchEngine
from deeptrust.trust.plan_rules import PlanContext
from deeptrust.trust.policy import Policy


class Knowledge(Protocol):
    """What the agent needs of a person's documents; `knowledge.library.Library` is one."""

    async def documents(self, collection: str) -> list[Document]:
        """See `Library.documents`."""
        ...

    async def passage(self, passage_id: str) -> Passage:
        """See `Library.passage`."""
        ...

    async def retrieve(self, question: str, *, collection: str, limit: int) -> Retrieval:
        """See `Library.retrieve`."""
        ...


@dataclass(frozen=True)
class Limits:
    """Sizes and times of a run. Times are seconds."""

    passages_per_step: int = 8
    hits_per_search: int = 8
    model_call_seconds: float = 600
    plan_tokens: int = 700
    audit_tokens: int = 400
    report_tokens: int = 1200
    approval_days: float = 7


@dataclass(frozen=True)
class Parts:
    """The working parts of a run.

    Args:
        knowledge: the documents of the person whose run it is.
        embedder: ranks sentences for the report.
        evidence: keeps what tools brought.
        engines: search engines in order of preference, each by itself; the policy chooses among them.
        load_policy: reads the policy as it is now.
        planner: writes plans; without one they are made from the question.
        reviewer: gives an opinion on plans; only a model whose opinion is worth something.
        writer: writes reports; without one they are quoted.
        now: the time, aware.
        limits: sizes and times.
        approved_plan_hash: what the approval record of this run says, if it was claimed with a yes (HIT-01).
    """

    knowledge: Knowledge
    embedder: Embedder
    evidence: EvidenceStore
    engines: Sequence[SearchEngine]
    load_policy: Callable[[], Policy]
    planner: ChatModel | None
    reviewer: ChatModel | None
    writer: ChatModel | None
    now: Callable[[], datetime]
    limits: Limits = Limits()
    approved_plan_hash: str | None = None

    @property
    def hosted_writer(self) -> str | None:
        """Name of the writer where what it reads leaves the machine; an approval must name it (K26)."""
        return self.writer.name if self.writer and self.writer.reaches_network else None

    def plan_context(self, sources: Sources) -> PlanContext:
        """What a plan would do in a run with these `sources`."""
        return PlanContext(sources=sources, engines=tuple(engine.name for engine in self.engines))
