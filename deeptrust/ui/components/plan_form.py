"""The plan as a form: objective and steps can be written anew, added, removed and moved."""

from typing import Any

import reflex as rx

from deeptrust.domain.plan import Tool
from deeptrust.domain.run import Sources
from deeptrust.ui.components.icons import icon, icon_button
from deeptrust.ui.components.pieces import notice
from deeptrust.ui.state.approval import ApprovalState
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.views.plan_form import StepRow


def plan_form() -> rx.Component:
    """Fields keep what is typed by themselves; a row is told from the others by its key."""
    return rx.el.form(
        rx.el.label("Objective", html_for="objective"),
        rx.el.textarea(
            id="objective",
            name="objective",
            class_name="field",
            rows="2",
            auto_focus=True,
            default_value=ConversationState.plan.objective,
        ),
        rx.el.div(rx.foreach(ApprovalState.rows, _row), class_name="rows"),
        rx.el.button(
            icon("plus", 15),
            "Add a step",
            type="button",
            class_name="button quiet add",
            on_click=ApprovalState.add_step,
        ),
        rx.el.div(
            notice(ApprovalState.problem),
            rx.el.button("Save plan", type="submit", class_name="button go"),
            rx.el.button("Cancel", type="button", class_name="button quiet", on_click=ApprovalState.close_form),
            rx.el.small("A saved plan is audited again, then it waits for you."),
            class_name="acts",
        ),
        class_name="gate-form",
        on_submit=ApprovalState.save,
        custom_attrs={"aria-label": "Edit the plan"},
    )


def _row(row: StepRow, index: Any) -> rx.Component:
    name: Any = row.key
    return rx.el.fieldset(
        rx.el.legend("Step ", (index + 1).to_string()),
        rx.el.label("Look in", html_for="tool-" + name),
        rx.el.select(
            rx.el.option("Your documents", value=Tool.KNOWLEDGE_SEARCH.value),
            rx.cond(_may_search_web(), rx.el.option("Web search", value=Tool.WEB_SEARCH.value)),
            id="tool-" + name,
            name="tool-" + name,
            class_name="field",
            default_value=row.tool,
        ),
        rx.el.label("Look for", html_for="input-" + name),
        rx.el.textarea(
            id="input-" + name,
            name="input-" + name,
            class_name="field",
            rows="1",
            auto_focus=row.is_new,
            default_value=row.input,
        ),
        rx.el.label("Why", html_for="why-" + name),
        rx.el.textarea(id="why-" + name, name="why-" + name, class_name="field", rows="1", default_value=row.why),
        _moves(row, index),
        key=row.key,
        class_name="step-row",
    )


def _may_search_web() -> Any:
    """Offered where this run may reach the web."""
    return ConversationState.turns[-1].reach == Sources.DOCUMENTS_AND_WEB.value


def _moves(row: StepRow, index: Any) -> rx.Component:
    keeps = {"data-keeps-focus": ""}
    last = ApprovalState.rows.length() - 1
    return rx.el.div(
        icon_button(
            "arrow-up", "Move up", attributes=keeps, disabled=index == 0, on_click=ApprovalState.move_step(row.key, -1)
        ),
        icon_button(
            "arrow-down",
            "Move down",
            attributes=keeps,
            disabled=index == last,
            on_click=ApprovalState.move_step(row.key, 1),
        ),
        icon_button("trash-2", "Remove this step", on_click=ApprovalState.remove_step(row.key)),
        class_name="moves",
    )
