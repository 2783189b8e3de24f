import pytest

from deeptrust.domain.plan import Tool
from deeptrust.errors import BadInput
from deeptrust.ui.views.plan import PlanView, StepLine
from deeptrust.ui.views.plan_form import StepRow, moved, read_draft, rows_of

ROWS = [StepRow(key="a"), StepRow(key="b"), StepRow(key="c")]


def form(**more: str) -> dict[str, object]:
    fields = {"objective": " Find it "}
    for key in "abc":
        fields |= {f"tool-{key}": "knowledge_search", f"input-{key}": f"look {key}", f"why-{key}": f"because {key}"}
    return {**fields, **{name.replace("_", "-"): value for name, value in more.items()}}


def test_the_rows_are_the_steps_of_the_plan_that_waits():
    step = StepLine(id="s1", number=1, tool="web_search", tag="web search", input="x", why="y")
    assert rows_of(PlanView(steps=[step])) == [StepRow(key="s1", tool="web_search", input="x", why="y")]


def test_rows_move_one_place_and_stop_at_the_edges():
    def keys(rows: list[StepRow]) -> str:
        return "".join(row.key for row in rows)

    assert keys(moved(ROWS, "b", -1)) == "bac"
    assert keys(moved(ROWS, "b", 1)) == "acb"
    for key, by in (("a", -1), ("c", 1), ("nobody", 1), ("b", 7), ("b", 0)):
        assert keys(moved(ROWS, key, by)) == "abc"


def test_the_draft_has_what_was_typed_in_the_order_of_the_rows():
    draft = read_draft(form(tool_c="web_search"), moved(ROWS, "c", -1))
    assert draft.objective == "Find it"
    assert [(step.tool, step.input, step.rationale) for step in draft.steps] == [
        (Tool.KNOWLEDGE_SEARCH, "look a", "because a"),
        (Tool.WEB_SEARCH, "look c", "because c"),
        (Tool.KNOWLEDGE_SEARCH, "look b", "because b"),
    ]


@pytest.mark.parametrize(
    ("typed", "rows", "word"),
    [
        ({"objective": "  "}, ROWS, "objective is empty"),
        ({"objective": "x" * 2_001}, ROWS, "2,000 characters"),
        ({}, [], "no step"),
        ({"input_b": " "}, ROWS, "Step 2 says nothing"),
        ({"input_c": "x" * 2_001}, ROWS, "Step 3 cannot be used"),
        ({"tool_a": "rm -rf"}, ROWS, "Step 1 cannot be used"),
    ],
)
def test_what_cannot_be_a_plan_is_told_by_its_place(typed: dict[str, str], rows: list[StepRow], word: str):
    with pytest.raises(BadInput, match=word):
        read_draft(form(**typed), rows)
