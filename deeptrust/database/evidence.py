"""Reading and writing what tools brought. Each function is handed to `Database.run`."""

from collections.abc import Iterable, Sequence

from sqlmodel import Session, col, select

from deeptrust.database.tables import EvidenceRow, StepResultRow
from deeptrust.domain.document import Passage
from deeptrust.domain.plan import StepResult


def put_passages(session: Session, run_id: str, passages: Iterable[Passage]) -> None:
    """Store passages under their ids; one that is there already stays as it is."""
    for passage in passages:
        if session.get(EvidenceRow, (run_id, passage.id)) is None:
            session.add(EvidenceRow(run_id=run_id, passage_id=passage.id, body=passage.model_dump_json()))
            session.flush()


def get_passages(session: Session, run_id: str, ids: Sequence[str]) -> list[Passage]:
    """The stored passages among `ids`, in the order of `ids`."""
    query = select(EvidenceRow).where(EvidenceRow.run_id == run_id, col(EvidenceRow.passage_id).in_(ids))
    found = {row.passage_id: Passage.model_validate_json(row.body) for row in session.exec(query)}
    return [found[passage_id] for passage_id in ids if passage_id in found]


def put_step_result(session: Session, run_id: str, result: StepResult) -> None:
    """Store what a step brought; the first result of a step stays."""
    if session.get(StepResultRow, (run_id, result.step_id)) is None:
        session.add(StepResultRow(run_id=run_id, step_id=result.step_id, body=result.model_dump_json()))


def get_step_result(session: Session, run_id: str, step_id: str) -> StepResult | None:
    """What the step brought, if it was ever done."""
    row = session.get(StepResultRow, (run_id, step_id))
    return StepResult.model_validate_json(row.body) if row else None
