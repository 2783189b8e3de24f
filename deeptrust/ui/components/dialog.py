"""Modal dialogs: the browser's own, so that focus, Esc and the rest of the page are kept by the browser."""

import reflex as rx

from deeptrust.ui.components.icons import icon_button


def dialog(name: str, title: str, *children: rx.Component) -> rx.Component:
    """A dialog that any element with `data-opens=name` opens."""
    return rx.el.dialog(
        rx.el.div(
            rx.el.div(
                rx.el.h2(title, id=f"{name}-title"),
                icon_button("x", "Close", attributes={"data-closes-dialog": ""}),
                class_name="dialog-head",
            ),
            *children,
            class_name="dialog-body",
        ),
        id=name,
        custom_attrs={"aria-labelledby": f"{name}-title"},
    )
