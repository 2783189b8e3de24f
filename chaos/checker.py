"""Compares what is stored with what was acknowledged: lost, torn, doubled."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from chaos.beliefs import Beliefs, Presence, RunBelief
from chaos.snapshot import Snapshot, StoredRun

FINAL = frozenset({"complete", "failed", "rejected", "cancelled", "expired"})
RESUMABLE = frozenset({"idle", "thinking", "auditing", "awaiting_approval", "executing", "synthesizing"})


class Kind(StrEnum):
    """What can be wrong."""

    LOST = "lost"
    TORN = "torn"
    DOUBLED = "doubled"


@dataclass
class Verdict:
    """Faults by kind, each with a sentence."""

    faults: list[tuple[Kind, str]] = field(default_factory=list[tuple[Kind, str]])

    def add(self, kind: Kind, what: str) -> None:
        """Note a fault."""
        self.faults.append((kind, what))

    def require(self, is_so: bool, kind: Kind, what: str) -> None:
        """Note a fault unless `is_so`."""
        if not is_so:
            self.add(kind, what)

    def count(self, kind: Kind) -> int:
        """How many faults of a kind."""
        return sum(found is kind for found, _ in self.faults)


def check(beliefs: Beliefs, snapshot: Snapshot, engine_count: Callable[[str], int]) -> Verdict:
    """Judge a home at rest. `engine_count` tells how often a word was searched for on the web."""
    verdict = Verdict()
    for fault in snapshot.faults:
        verdict.add(Kind.TORN, fault)
    _check_documents(beliefs, snapshot, verdict)
    _check_runs(beliefs, snapshot, engine_count, verdict)
    return verdict


def adopt(beliefs: Beliefs, snapshot: Snapshot) -> None:
    """Take what is stored for the truth about what was asked for and never answered."""
    documents = {document.name: document for document in snapshot.documents}
    for belief in beliefs.documents.values():
        if belief.presence is Presence.UNSURE:
            found = documents.get(belief.name)
            belief.presence = Presence.SURE if found else Presence.GONE
            belief.id, belief.passages = (found.id, found.passages) if found else (None, 0)
    runs = {_word(run): run for run in snapshot.runs}
    for belief in beliefs.runs.values():
        found = runs.get(belief.word)
        if belief.presence is Presence.UNSURE:
            belief.presence = Presence.SURE if found else Presence.GONE
        belief.id = found.id if found else None  # the answer of an ask names no run


def _check_documents(beliefs: Beliefs, snapshot: Snapshot, verdict: Verdict) -> None:
    stored = {document.name: document for document in snapshot.documents}
    for name, count in Counter(document.name for document in snapshot.documents).items():
        verdict.require(count == 1, Kind.DOUBLED, f"document {name} is stored {count} times")
    for document in snapshot.documents:
        for fault in document.faults:
            verdict.add(Kind.TORN, f"document {document.name}: {fault}")
        verdict.require(document.name in beliefs.documents, Kind.TORN, f"nobody asked for document {document.name}")
    for belief in beliefs.documents.values():
        found = stored.get(belief.name)
        if belief.presence is Presence.GONE:
            verdict.require(found is None, Kind.LOST, f"the deletion of document {belief.name}")
        elif belief.presence is Presence.SURE:
            is_whole = found is not None and (found.id, found.passages) == (belief.id, belief.passages)
            verdict.require(is_whole, Kind.LOST, f"document {belief.name}, or some of its passages")


def _check_runs(beliefs: Beliefs, snapshot: Snapshot, engine_count: Callable[[str], int], verdict: Verdict) -> None:
    stored = {_word(run): run for run in snapshot.runs}
    verdict.require(len(stored) == len(snapshot.runs), Kind.DOUBLED, "a question has more than one run")
    for run in snapshot.runs:
        _check_log(run, verdict)
        verdict.require(_word(run) in beliefs.runs, Kind.TORN, f"nobody asked for run {_word(run)}")
    for belief in beliefs.runs.values():
        found = stored.get(belief.word)
        if belief.presence is Presence.GONE:
            verdict.require(found is None, Kind.LOST, f"the deletion of run {belief.word}")
        elif belief.presence is Presence.SURE:
            verdict.require(found is not None, Kind.LOST, f"run {belief.word}")
        if found is not None:
            _check_promises(belief, found, verdict)
            _check_tool(belief, found, engine_count(belief.word), verdict)


def _check_log(run: StoredRun, verdict: Verdict) -> None:
    word = _word(run)
    numbers = [number for number, _, _ in run.events]
    verdict.require(numbers == list(range(1, len(numbers) + 1)), Kind.TORN, f"run {word}: numbers {numbers}")
    verdict.require(run.status in FINAL | RESUMABLE, Kind.TORN, f"run {word}: status {run.status}")
    statuses = [body["status"] for body in _bodies(run, "status")]
    verdict.require((statuses or ["idle"])[-1] == run.status, Kind.TORN, f"run {word}: status and log differ")
    ends = [index for index, (_, _, body) in enumerate(run.events) if _is_end(body)]
    verdict.require(len(ends) < 2, Kind.DOUBLED, f"run {word} ends {len(ends)} times")
    verdict.require(not ends or ends[0] == len(run.events) - 1, Kind.TORN, f"run {word} goes on after its end")
    for kind, key in (("step", "step"), ("decision", "decision"), ("answer", "answer")):
        most = max(Counter(_key(body, key) for body in _bodies(run, kind)).values(), default=0)
        verdict.require(most < 2, Kind.DOUBLED, f"run {word}: {most} events {kind} of one {key}")
    waits = run.status == "awaiting_approval"
    verdict.require(run.has_checkpoint or not waits, Kind.TORN, f"run {word} waits, and cannot be resumed")
    for result in run.results:
        missing = {id_ for id_ in result["passage_ids"] if id_.startswith("web-")} - run.evidence
        verdict.require(not missing, Kind.TORN, f"run {word}: a result without its evidence")


def _check_promises(belief: RunBelief, run: StoredRun, verdict: Verdict) -> None:
    times = {number: at for number, at, _ in run.events}
    for number, at in belief.seen.items():
        is_kept = times.get(number) == at
        verdict.require(is_kept, Kind.LOST, f"run {belief.word}: event {number}, which was shown")
    if belief.is_decided:
        verdict.require(bool(_bodies(run, "decision")), Kind.LOST, f"run {belief.word}: its decision")
    if belief.is_cancelled:
        verdict.require(run.status == "cancelled", Kind.LOST, f"run {belief.word}: its Stop ({run.status})")
    if belief.answer is not None:
        texts = [body["detail"]["answer"]["text"] for body in _bodies(run, "answer")]
        verdict.require(texts == [belief.answer], Kind.LOST, f"run {belief.word}: its answer")


def _check_tool(belief: RunBelief, run: StoredRun, asked: int, verdict: Verdict) -> None:
    """A step whose result is stored is never run again; one that died before it was stored may be."""
    if any(result["requests"] for result in run.results):
        if belief.recorded_at_count is None:
            belief.recorded_at_count = asked
        is_same = asked == belief.recorded_at_count
        verdict.require(is_same, Kind.DOUBLED, f"run {belief.word}: its search was repeated ({asked} requests)")


def _word(run: StoredRun) -> str:
    return next((word for word in run.question.rstrip("?").split() if word.startswith("zq")), run.id)


def _bodies(run: StoredRun, kind: str) -> list[dict[str, Any]]:
    return [body for _, _, body in run.events if body.get("type") == kind]


def _is_end(body: dict[str, Any]) -> bool:
    return body.get("type") == "status" and body.get("status") in FINAL


def _key(body: dict[str, Any], key: str) -> object:
    match body, key:
        case {"result": {"stepId": step}}, "step":
            return step
        case {"approvalId": approval}, "decision":
            return approval
        case _:
            return key
