"""The Trace tab: which part did what, in order."""

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.views.calls import CallLine
from deeptrust.ui.views.trace import TraceLine


def trace() -> rx.Component:
    return rx.fragment(
        rx.el.h2("What happened"),
        rx.cond(
            ConversationState.trace,
            rx.el.ol(rx.foreach(ConversationState.trace, _line), class_name="trace"),
            rx.el.p("Ask a question: each step of the answer will be listed here.", class_name="quiet-note"),
        ),
    )


def _line(line: TraceLine) -> rx.Component:
    return rx.el.li(
        rx.el.i(class_name="dot " + line.tone),
        rx.el.div(rx.el.b(line.node), rx.el.span(line.summary), rx.foreach(line.calls, _call)),
    )


def _call(call: CallLine) -> rx.Component:
    return rx.el.div(
        icon("cpu", 13),
        rx.el.span(call.text),
        rx.cond(call.note != "", rx.el.small(call.note)),
        class_name="call",
    )
