"""The form that edits a plan: its rows, and the draft that comes out of it.

What is typed lives in the browser; the server knows the rows and their order. So a row that moves keeps its text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from deeptrust.domain.plan import PlanDraft, StepDraft, Tool
from deeptrust.errors import BadInput
from deeptrust.ui.views.plan import PlanView

MAX_ROWS = 50
MAX_CHARACTERS = 2_000
_NEW_WHY = "Asked for by you in the edited plan."


@dataclass(frozen=True)
class StepRow:
    """One step as it was when its row appeared; `key` names its fields."""

    key: str
    tool: str = Tool.KNOWLEDGE_SEARCH.value
    input: str = ""
    why: str = _NEW_WHY
    is_new: bool = False


def rows_of(plan: PlanView) -> list[StepRow]:
    """Return the rows for a plan that waits."""
    return [StepRow(key=step.id, tool=step.tool, input=step.input, why=step.why) for step in plan.steps]


def moved(rows: Sequence[StepRow], key: str, by: int) -> list[StepRow]:
    """Return the rows with one moved up (-1) or down (+1); at the edge, or where there is no such row, as they were."""
    at = next((at for at, row in enumerate(rows) if row.key == key), None)
    if at is None or by not in (-1, 1) or not 0 <= at + by < len(rows):
        return list(rows)
    changed = list(rows)
    changed[at], changed[at + by] = changed[at + by], changed[at]
    return changed


def read_draft(form: Mapping[str, object], rows: Sequence[StepRow]) -> PlanDraft:
    """Return the plan that was typed, its steps in the order of `rows`.

    Raises:
        BadInput: a field is empty or too long; the sentence says which.
    """
    objective = _text(form, "objective")
    if not objective:
        raise BadInput("The objective is empty. Write what the research is for.")
    if len(objective) > MAX_CHARACTERS:
        raise BadInput(f"The objective is longer than {MAX_CHARACTERS:,} characters. Shorten it.")
    if not rows:
        raise BadInput("The plan has no step. Add one, or reject the plan.")
    return PlanDraft(
        objective=objective, steps=tuple(_read_step(form, number, row) for number, row in enumerate(rows, start=1))
    )


def _read_step(form: Mapping[str, object], number: int, row: StepRow) -> StepDraft:
    given, why = _text(form, f"input-{row.key}"), _text(form, f"why-{row.key}")
    if not given:
        raise BadInput(f"Step {number} says nothing to look for. Write it, or remove the step.")
    try:
        return StepDraft(tool=Tool(_text(form, f"tool-{row.key}")), input=given, rationale=why)
    except (ValidationError, ValueError) as error:
        raise BadInput(
            f"Step {number} cannot be used: its texts may have {MAX_CHARACTERS:,} characters each. Shorten it."
        ) from error


def _text(form: Mapping[str, object], name: str) -> str:
    return str(form.get(name, "")).strip()
