"""The way on for a run that a model let down: from the same step, or with another model."""

import reflex as rx
from reflex_components_core.react_router.dom import ReactRouterLink

from deeptrust.runs.retries import RetryPoint
from deeptrust.ui.addresses import SETTINGS
from deeptrust.ui.components.browser import IS_STILL
from deeptrust.ui.components.dialog import question
from deeptrust.ui.components.icons import icon
from deeptrust.ui.state.retry import RetryState
from deeptrust.ui.views.run import Turn


def retry_button(item: Turn) -> rx.Component:
    """Goes on where the run stopped; steps that have a result are not run twice."""
    return rx.el.button(
        icon("rotate-ccw", 15),
        "Try again",
        type="button",
        class_name="button go",
        title="Goes on where it stopped; steps that have a result are not run twice",
        on_click=RetryState.retry(item.run_id, IS_STILL),
    )


def other_model_link() -> rx.Component:
    return ReactRouterLink.create(
        icon("settings-2", 15), "Choose another model", to=SETTINGS, class_name="button quiet"
    )


def rewrite_row(item: Turn) -> rx.Component:
    """Under a report that is quoted only because the model failed at it."""
    return rx.cond(
        item.retry == RetryPoint.REPORT.value,
        rx.el.div(
            rx.el.p(icon("triangle-alert"), item.message, class_name="notice warn"),
            rx.el.div(retry_button(item), other_model_link(), class_name="answer-actions"),
            class_name="rewrite",
        ),
    )


def retry_question() -> rx.Component:
    """Asked where the model of now would be sent what the approval did not name."""
    return rx.cond(
        RetryState.asked != "",
        question(
            "retry",
            "Let this leave the machine?",
            rx.el.p("You did not agree to this when you approved the plan:", id="retry-text"),
            rx.el.ul(
                rx.foreach(RetryState.leaves, lambda sentence: rx.el.li(icon("globe", 15), rx.el.span(sentence))),
                class_name="leaving",
            ),
            yes=rx.el.button(
                "Let it, and go on", type="button", class_name="button go", on_click=RetryState.agree(IS_STILL)
            ),
            no="Keep it here",
            on_no=RetryState.decline,
        ),
    )
