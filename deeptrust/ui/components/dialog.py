"""Modal dialogs: the browser's own, so that focus, Esc and the rest of the page are kept by the browser."""

from typing import Any

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


def question(name: str, title: str, *children: rx.Component, yes: rx.Component, no: str, on_no: Any, **props: Any):
    """A dialog that the server puts and takes away: the focus starts on its "no", which Esc presses too.

    The child with the id `name-text` says what it is about; `props` go to the "no".
    """
    declines = rx.el.button(
        no, type="button", class_name="button", on_click=on_no, custom_attrs={"data-declines": ""}, **props
    )
    return rx.el.dialog(
        rx.el.div(
            rx.el.div(rx.el.h2(title, id=f"{name}-title"), class_name="dialog-head"),
            *children,
            rx.el.div(yes, declines, class_name="actions"),
            class_name="dialog-body",
        ),
        custom_attrs={"data-modal": "", "aria-labelledby": f"{name}-title", "aria-describedby": f"{name}-text"},
    )
