"""The composer: the question, its mode, what it may reach, Ask or Stop, and chips."""

import reflex as rx

from deeptrust.domain.run import RunKind, Sources
from deeptrust.ui.components.browser import BOX_TEXT, IS_STILL, ask
from deeptrust.ui.components.egress import IS_RESEARCH, egress, modes
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import notice
from deeptrust.ui.components.upload import attach_button
from deeptrust.ui.starters import CHIPS, Chip
from deeptrust.ui.state.composer import ComposerState
from deeptrust.ui.state.conversation import ConversationState


def composer() -> rx.Component:
    return rx.el.div(
        rx.el.form(
            notice(ConversationState.problem, id="question-problem"),
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
                modes(),
                egress(),
                rx.cond(
                    ConversationState.is_busy, rx.cond(ConversationState.is_waiting, rx.fragment(), _stop()), _send()
                ),
                class_name="tools",
            ),
            class_name="card box",
            hidden=ConversationState.is_waiting,
            on_submit=ask(),
            custom_attrs={"aria-label": "Ask", "data-composer": ""},
        ),
        rx.cond(
            ConversationState.is_waiting,
            _waiting(),
            rx.cond(IS_RESEARCH, _chips(RunKind.RESEARCH), _chips(RunKind.ASK)),
        ),
        class_name="composer",
    )


def _waiting() -> rx.Component:
    """In the place of the composer while a plan waits, so that nothing competes with it."""
    return rx.el.div(
        rx.el.span(icon("hourglass", 14), "This run waits for your decision."),
        rx.el.button("New question", type="button", class_name="button quiet", on_click=ConversationState.start_new),
        class_name="waits",
    )


def _send() -> rx.Component:
    return rx.el.button(
        icon("arrow-up"),
        type="submit",
        class_name="send",
        title=rx.cond(IS_RESEARCH, "Make a plan", "Ask"),
        custom_attrs={"aria-label": rx.cond(IS_RESEARCH, "Make a plan", "Ask")},
    )


def _stop() -> rx.Component:
    return rx.el.button(
        icon("square", 13), "Stop", type="button", class_name="send stop", on_click=ConversationState.stop, id="stop"
    )


def _chips(kind: RunKind) -> rx.Component:
    return rx.el.div(
        *[_chip(number, chip) for number, chip in enumerate(CHIPS[kind])],
        class_name="under",
        custom_attrs={"role": "group", "aria-label": "Ways to ask"},
    )


def _chip(number: int, chip: Chip) -> rx.Component:
    return rx.el.button(
        chip.label,
        type="button",
        class_name="chip",
        hidden=ComposerState.is_offline if chip.reach is Sources.DOCUMENTS_AND_WEB else None,
        on_click=ConversationState.use_chip(number, BOX_TEXT, IS_STILL),
    )
