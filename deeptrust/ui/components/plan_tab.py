"""The Plan tab: the latest plan, what its steps brought, and what the policy says of it."""

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import bars
from deeptrust.ui.components.plan import rules, steps, verdict_pill
from deeptrust.ui.state.conversation import ConversationState

_PLAN = ConversationState.plan


def plan_tab() -> rx.Component:
    return rx.cond(
        _PLAN.objective != "",
        _shown(),
        rx.fragment(
            rx.el.h2("Plan"),
            rx.cond(
                ConversationState.is_planning,
                rx.el.div(
                    rx.el.p("The plan is being made.", class_name="quiet-note", style={"margin-bottom": "8px"}),
                    bars(),
                ),
                rx.el.p("Choose Research and ask: the plan opens here before anything runs.", class_name="quiet-note"),
            ),
        ),
    )


def _shown() -> rx.Component:
    return rx.fragment(
        rx.el.h2(_PLAN.objective),
        rx.el.div(rx.el.span(_PLAN.origin), rx.el.span(_PLAN.revision), class_name="meta"),
        steps(),
        rx.cond(_PLAN.verdict != "", _audit(), rx.el.p("The audit has not ended yet.", class_name="quiet-note")),
    )


def _audit() -> rx.Component:
    return rx.fragment(
        rx.el.h3("Audit"),
        rx.el.div(verdict_pill()),
        _list("Violations", _PLAN.violations, "triangle-alert", "bad"),
        _list("Suggestions", _PLAN.suggestions, "lightbulb", "off"),
        rx.cond(_PLAN.opinion != "", rx.el.p("Second opinion: ", _PLAN.opinion, class_name="quiet-note")),
        rules(),
    )


def _list(title: str, sentences: rx.Var[list[str]], icon_name: str, tone: str) -> rx.Component:
    return rx.cond(
        sentences,
        rx.el.div(
            rx.el.h3(title),
            rx.foreach(sentences, lambda text: rx.el.p(icon(icon_name), text, class_name=f"notice {tone}")),
            style={"display": "grid", "gap": "6px"},
        ),
    )
