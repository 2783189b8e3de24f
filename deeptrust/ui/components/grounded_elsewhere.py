"""A harness that answers elsewhere: the way there, and the address that the person keeps for it."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import address_form, shimmer
from deeptrust.ui.state.grounded import GroundedState


def elsewhere() -> rx.Component:
    pointer: Any = GroundedState.pointer  # a Var; its fields are Vars too
    return rx.cond(
        GroundedState.pointer,
        rx.el.div(
            rx.el.h3(pointer.text),
            rx.el.p(pointer.guidance, class_name="small dim"),
            rx.cond(
                pointer.link != "",
                rx.el.a(
                    icon("external-link", 15),
                    "Open " + pointer.host,
                    rx.el.span(" (opens a new tab)", class_name="visually-hidden"),
                    href=pointer.link,
                    target="_blank",
                    rel="noopener noreferrer",
                    class_name="button",
                ),
            ),
            address_form(
                "link",
                "Address of your notebook or project",
                "Keep",
                "Keep an address",
                GroundedState.keep_link,
                GroundedState.link_problem,
            ),
            class_name="card pointer",
        ),
        shimmer("Looking where this is answered"),
    )
