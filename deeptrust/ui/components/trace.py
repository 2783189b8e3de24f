"""The Trace tab: which part did what, in order."""

import reflex as rx

from deeptrust.ui.state.conversation import ConversationState
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
    return rx.el.li(rx.el.i(class_name="dot " + line.tone), rx.el.div(rx.el.b(line.node), rx.el.span(line.summary)))
