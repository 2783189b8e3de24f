"""Parts of a plan: its steps with what they brought, and the verdict of each rule."""

import reflex as rx

from deeptrust.domain.plan import Tool
from deeptrust.ui.components.icons import icon
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.views.plan import RuleLine, StepLine


def steps() -> rx.Component:
    return rx.el.ol(rx.foreach(ConversationState.plan.steps, _step), class_name="steps")


def _step(step: StepLine) -> rx.Component:
    return rx.el.li(
        rx.el.span(step.number.to_string(), class_name="step-number"),
        rx.el.div(
            rx.el.p(step.input),
            rx.el.small(step.why, class_name="why"),
            rx.cond(step.state != "", _state(step)),
            rx.cond(step.note != "", rx.el.small(step.note)),
        ),
        rx.el.span(
            rx.cond(step.tool == Tool.WEB_SEARCH.value, icon("globe", 13), icon("files", 13)),
            step.tag,
            class_name="tag",
        ),
        class_name="step",
    )


def _state(step: StepLine) -> rx.Component:
    return rx.el.small(
        rx.match(
            step.tone,
            ("ok", icon("check", 14)),
            ("busy", icon("play", 13)),
            ("warn", icon("ban", 14)),
            ("bad", icon("triangle-alert", 14)),
            icon("search-x", 14),
        ),
        step.state,
        class_name="step-state " + step.tone,
    )


def verdict_pill() -> rx.Component:
    plan = ConversationState.plan
    return rx.cond(
        plan.tone == "ok",
        rx.el.span(icon("check", 14), plan.verdict, class_name="pill ok"),
        rx.el.span(icon("x", 14), plan.verdict, class_name="pill bad"),
    )


def rules() -> rx.Component:
    return rx.el.ul(rx.foreach(ConversationState.plan.rules, _rule), class_name="rules")


def _rule(rule: RuleLine) -> rx.Component:
    return rx.el.li(
        rx.cond(rule.holds, icon("check", 14), icon("x", 14)),
        rx.el.div(
            rx.el.b(rule.name),
            rx.el.span(rx.cond(rule.holds, " holds", " is broken: " + rule.detail)),
            rx.el.code(rule.line),
        ),
        class_name=rx.cond(rule.holds, "rule ok", "rule bad"),
    )
