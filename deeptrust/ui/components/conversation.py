"""The middle column: the turns of the open conversation, or the welcome when there are none."""

import reflex as rx

from deeptrust.ui.components.answer import turn
from deeptrust.ui.components.gate import decision_problem, gate
from deeptrust.ui.components.pieces import shimmer
from deeptrust.ui.components.welcome import welcome
from deeptrust.ui.state.conversation import PAGE_SIZE, ConversationState


def conversation() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.cond(
                ConversationState.turns,
                rx.fragment(
                    rx.el.h1("Conversation", class_name="visually-hidden"),
                    _earlier(),
                    rx.foreach(ConversationState.turns, turn),
                    rx.cond(ConversationState.is_waiting, gate(), decision_problem()),
                ),
                rx.cond(ConversationState.is_ready, welcome(), _loading()),
            ),
            class_name="column",
        ),
        id="scroll",
        class_name="scroll",
        tab_index=0,
        custom_attrs={"role": "region", "aria-label": "Conversation"},
    )


def _earlier() -> rx.Component:
    return rx.cond(
        ConversationState.earlier > 0,
        rx.el.button(
            f"Show {PAGE_SIZE} earlier questions",
            type="button",
            class_name="button quiet earlier",
            on_click=ConversationState.show_earlier,
        ),
    )


def _loading() -> rx.Component:
    return rx.el.div(
        rx.el.h1("DeepTrust", class_name="visually-hidden"),
        shimmer("Opening your workspace"),
    )
