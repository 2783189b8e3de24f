"""The approval card: what will be done, under which rules, what will leave the machine, and the decision."""

import reflex as rx

from deeptrust.ui.components.browser import IS_STILL
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import notice
from deeptrust.ui.components.plan import rules, steps, verdict_pill
from deeptrust.ui.components.plan_form import plan_form
from deeptrust.ui.state.approval import ApprovalState
from deeptrust.ui.state.conversation import ConversationState

_PLAN = ConversationState.plan


def gate() -> rx.Component:
    """The page's script moves the focus here when it appears."""
    return rx.el.section(
        rx.el.h2(icon("bookmark"), "Plan ready: nothing runs until you approve it"),
        rx.cond(ApprovalState.editing == _PLAN.approval_id, plan_form(), _plan()),
        id="gate",
        class_name="card gate",
        tab_index=-1,
        custom_attrs={"aria-label": "Plan waiting for approval"},
    )


def decision_problem() -> rx.Component:
    """Why the last decision did nothing."""
    return rx.cond(ApprovalState.problem_run == _PLAN.run_id, notice(ApprovalState.problem))


def _plan() -> rx.Component:
    return rx.fragment(
        rx.el.p(_PLAN.objective, class_name="objective"),
        rx.el.p(_PLAN.origin, class_name="origin"),
        steps(),
        _limits(),
        rx.cond(_PLAN.leaves, rx.el.ul(rx.foreach(_PLAN.leaves, _leaving), class_name="leaves")),
        rx.cond(ApprovalState.rejecting == _PLAN.approval_id, _reject_form(), _decisions()),
    )


def _limits() -> rx.Component:
    return rx.el.div(
        rx.el.details(
            rx.el.summary(verdict_pill(), icon("chevron-down", 14)),
            rules(),
        ),
        rx.el.span(_PLAN.requests, class_name="pill off"),
        rx.cond(
            _PLAN.leaves,
            rx.el.span(icon("globe", 14), _PLAN.leaves_pill, class_name="pill warn"),
            rx.el.span(icon("laptop", 14), _PLAN.leaves_pill, class_name="pill off"),
        ),
        class_name="limits",
    )


def _leaving(sentence: rx.Var[str]) -> rx.Component:
    return rx.el.li(icon("globe", 14), rx.el.span(sentence))


def _decisions() -> rx.Component:
    return rx.el.div(
        decision_problem(),
        rx.el.button(
            "Approve plan",
            type="button",
            class_name="button go",
            on_click=ApprovalState.approve(_PLAN.run_id, _PLAN.plan_hash, IS_STILL),
        ),
        rx.el.button("Edit", type="button", class_name="button", on_click=ApprovalState.open_edit),
        rx.el.button("Reject…", type="button", class_name="button quiet", on_click=ApprovalState.open_reject),
        rx.el.small(_PLAN.revision, ", ", _PLAN.expires),
        class_name="acts",
    )


def _reject_form() -> rx.Component:
    return rx.el.form(
        rx.el.label(
            "Reason (optional). With a reason the plan is made anew; without one the run ends.", html_for="reason"
        ),
        rx.el.textarea(
            id="reason",
            name="reason",
            class_name="field",
            auto_focus=True,
            placeholder="For instance: ask for prices of 2026 only",
        ),
        rx.el.div(
            decision_problem(),
            rx.el.button("Reject plan", type="submit", class_name="button danger"),
            rx.el.button(
                "Keep the plan",
                type="button",
                class_name="button quiet",
                on_click=ApprovalState.close_form,
                custom_attrs={"data-escapes": ""},
            ),
            class_name="acts",
        ),
        class_name="gate-form",
        on_submit=ApprovalState.reject,
        custom_attrs={"aria-label": "Reject the plan"},
    )
