"""The two tools of a plan: the person's documents, and web search (K22). Failure is a status, never a text (K12)."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

from deeptrust.agent.parts import Parts
from deeptrust.agent.relevance import holds_answer
from deeptrust.agent.state import ResearchState
from deeptrust.domain.document import DocumentKind, Passage
from deeptrust.domain.plan import ResearchStep, StepResult, StepStatus
from deeptrust.domain.run import Sources
from deeptrust.errors import ModelUnavailable, StoreUnavailable
from deeptrust.language.counting import count
from deeptrust.language.words import fold
from deeptrust.search.base import SearchHit
from deeptrust.search.budget import BudgetedEngine, RequestBudget
from deeptrust.search.fallback import FallbackEngine
from deeptrust.search.offline import OfflineEngine
from deeptrust.trust.plan_rules import allowed_engines, domain_pattern
from deeptrust.trust.policy import Policy

NOT_OPENED = "search result, page not opened"
"""The label of a web citation until pages are fetched (K22)."""

DOCUMENTS = "your documents"
_ID_DIGITS = 24


@dataclass(frozen=True)
class Brought:
    """A step's result, and the passages of it that stand in no knowledge store."""

    result: StepResult
    passages: tuple[Passage, ...] = field(default=())


async def search_documents(step: ResearchStep, state: ResearchState, parts: Parts) -> Brought:
    """Retrieve from the person's documents; passages that answer neither step nor question are no evidence (K05)."""
    try:
        retrieval = await parts.knowledge.retrieve(
            step.input, collection=state.collection, limit=parts.limits.passages_per_step
        )
        is_found = await holds_answer(retrieval, (step.input, state.user_query), parts.embedder)
    except (StoreUnavailable, ModelUnavailable) as error:
        return Brought(_result(step, StepStatus.FAILED, parts.now(), engine=DOCUMENTS, reason=str(error)))
    if not retrieval.passage_count:
        reason = "There are no documents in this workspace."
    else:
        reason = "" if is_found else f"None of {count(retrieval.passage_count, 'passage')} answers this."
    ids = tuple(scored.passage.id for scored in retrieval.passages) if is_found else ()
    status = StepStatus.OK if ids else StepStatus.EMPTY
    return Brought(_result(step, status, parts.now(), engine=DOCUMENTS, reason=reason, ids=ids))


async def search_web(step: ResearchStep, state: ResearchState, parts: Parts, policy: Policy) -> Brought:
    """Search within the policy's engines and the requests that are left (K14); hits of blocked domains are dropped."""
    engine = BudgetedEngine(
        _choose_engine(state, parts, policy), RequestBudget(policy.rules.max_requests, state.requests_used)
    )
    page = await engine.search(step.input, parts.limits.hits_per_search)
    hits = [hit for hit in page.hits if not _is_blocked(hit, policy)]
    passages = tuple({passage.id: passage for passage in map(to_passage, hits)}.values())
    status, reason = page.step_status, page.reason
    if page.hits and not passages:
        status, reason = StepStatus.EMPTY, f"{reason} All hits were of domains that the policy blocks.".strip()
    ids = tuple(passage.id for passage in passages)
    result = _result(step, status, parts.now(), engine=page.engine, reason=reason, ids=ids, requests=page.requests)
    return Brought(result, passages)


def refuse(step: ResearchStep, reason: str, now: datetime) -> Brought:
    """The result of a step that was not run because it must not be."""
    return Brought(_result(step, StepStatus.REFUSED, now, reason=reason))


def to_passage(hit: SearchHit) -> Passage:
    """A search hit as a passage that can be cited, labelled for what it is; the same hit has the same id."""
    text = hit.snippet or hit.title
    digest = hashlib.sha256(f"{hit.url}\n{text}".encode()).hexdigest()[:_ID_DIGITS]
    return Passage(
        id=f"web-{digest}",
        document_id=hit.url,
        title=hit.title,
        kind=DocumentKind.URL,
        page=1,
        start=0,
        end=len(text),
        section=NOT_OPENED,
        url=hit.url,
        text=text,
    )


def _choose_engine(state: ResearchState, parts: Parts, policy: Policy) -> FallbackEngine | OfflineEngine:
    if state.sources is not Sources.DOCUMENTS_AND_WEB:
        return OfflineEngine()
    allowed = allowed_engines([engine.name for engine in parts.engines], policy.rules)
    return FallbackEngine([engine for engine in parts.engines if engine.name in allowed])


def _is_blocked(hit: SearchHit, policy: Policy) -> bool:
    return any(domain_pattern(domain).search(fold(hit.url)) for domain in policy.rules.blocked_domains)


def _result(
    step: ResearchStep,
    status: StepStatus,
    now: datetime,
    *,
    engine: str | None = None,
    reason: str = "",
    ids: tuple[str, ...] = (),
    requests: int = 0,
) -> StepResult:
    return StepResult(
        step_id=step.id,
        status=status,
        engine=engine,
        reason=reason or None,
        passage_ids=ids if status is StepStatus.OK else (),
        requests=requests,
        executed_at=now,
    )
