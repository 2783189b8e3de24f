"""The question before a conversation is deleted."""

import reflex as rx

from deeptrust.ui.components.dialog import question
from deeptrust.ui.components.pieces import notice
from deeptrust.ui.state.deletion import DeletionState


def deletion() -> rx.Component:
    return rx.cond(
        DeletionState.doomed != "",
        question(
            "deletion",
            "Delete this conversation?",
            rx.el.p("“", DeletionState.title, "”", class_name="doomed"),
            rx.el.p(
                DeletionState.extent,
                " with answers and evidence will be gone for good; what still runs is stopped. Your documents stay.",
                id="deletion-text",
            ),
            notice(DeletionState.problem),
            yes=rx.el.button(
                rx.cond(DeletionState.is_deleting, "Deleting", "Delete"),
                type="button",
                class_name="button danger",
                disabled=DeletionState.is_deleting,
                on_click=DeletionState.delete,
            ),
            no="Keep it",
            on_no=DeletionState.keep,
            disabled=DeletionState.is_deleting,
        ),
    )
