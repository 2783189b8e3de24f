"""The composer: the question, what it may reach, Ask or Stop, and chips."""

import reflex as rx

from deeptrust.ui.components.browser import BOX_TEXT, IS_STILL, ask
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.upload import attach_button
from deeptrust.ui.starters import CHIPS, Chip
from deeptrust.ui.state.conversation import ConversationState


def composer() -> rx.Component:
    return rx.el.div(
        rx.el.form(
            rx.cond(
                ConversationState.problem != "",
                rx.el.p(
                    icon("triangle-alert"), ConversationState.problem, class_name="notice bad", id="question-problem"
                ),
            ),
            rx.el.label("Your question", html_for="question", class_name="visually-hidden"),
            rx.el.textarea(
                id="question",
                class_name="question",
                rows="1",
                auto_focus=True,
                on_change=rx.cond(ConversationState.problem != "", ConversationState.forget_problem, rx.noop()),
                placeholder="Ask your documents, or drop files here",
                custom_attrs={"aria-describedby": "egress", "autocomplete": "off"},
            ),
            rx.el.div(
                attach_button("attach"),
                _mode(),
                _egress(),
                rx.cond(ConversationState.is_busy, _stop(), _send()),
                class_name="tools",
            ),
            class_name="card box",
            on_submit=ask(),
            custom_attrs={"aria-label": "Ask", "data-composer": ""},
        ),
        rx.el.div(
            *[_chip(number, chip) for number, chip in enumerate(CHIPS)],
            class_name="under",
            custom_attrs={"role": "group", "aria-label": "Ways to ask"},
        ),
        class_name="composer",
    )


def _mode() -> rx.Component:
    """The mode of the composer; a switch once there is a second one."""
    return rx.el.span("Ask", class_name="mode", title="A grounded answer from your documents, at once")


def _egress() -> rx.Component:
    return rx.el.span(icon("lock", 14), "Your documents only", class_name="egress", id="egress")


def _send() -> rx.Component:
    return rx.el.button(
        icon("arrow-up"), type="submit", class_name="send", title="Ask", custom_attrs={"aria-label": "Ask"}
    )


def _stop() -> rx.Component:
    return rx.el.button(
        icon("square", 13), "Stop", type="button", class_name="send stop", on_click=ConversationState.stop, id="stop"
    )


def _chip(number: int, chip: Chip) -> rx.Component:
    return rx.el.button(
        chip.label, type="button", class_name="chip", on_click=ConversationState.use_chip(number, BOX_TEXT, IS_STILL)
    )
