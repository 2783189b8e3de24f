"""The question before a conversation is deleted."""

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.state.deletion import DeletionState


def deletion() -> rx.Component:
    return rx.cond(
        DeletionState.doomed != "",
        rx.el.dialog(
            rx.el.div(
                rx.el.div(rx.el.h2("Delete this conversation?", id="deletion-title"), class_name="dialog-head"),
                rx.el.p("“", DeletionState.title, "”", class_name="doomed"),
                rx.el.p(
                    DeletionState.extent,
                    " with answers and evidence will be gone for good; what still runs is stopped. "
                    "Your documents stay.",
                    id="deletion-text",
                ),
                rx.cond(
                    DeletionState.problem != "",
                    rx.el.p(icon("triangle-alert"), DeletionState.problem, class_name="notice bad"),
                ),
                _choice(),
                class_name="dialog-body",
            ),
            custom_attrs={"data-modal": "", "aria-labelledby": "deletion-title", "aria-describedby": "deletion-text"},
        ),
    )


def _choice() -> rx.Component:
    return rx.el.div(
        rx.el.button(
            rx.cond(DeletionState.is_deleting, "Deleting", "Delete"),
            type="button",
            class_name="button danger",
            disabled=DeletionState.is_deleting,
            on_click=DeletionState.delete,
        ),
        rx.el.button(
            "Keep it",
            type="button",
            class_name="button",
            disabled=DeletionState.is_deleting,
            on_click=DeletionState.keep,
            custom_attrs={"data-declines": ""},
        ),
        class_name="actions",
    )
