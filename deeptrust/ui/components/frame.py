"""The frame of every page but the workspace: rail, top bar of small screens, a middle column, perhaps a panel."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.account import account
from deeptrust.ui.components.deletion import deletion
from deeptrust.ui.components.icons import icon_button
from deeptrust.ui.components.keys import keys
from deeptrust.ui.components.model_card import model_card, model_pill
from deeptrust.ui.components.rail import brand, rail
from deeptrust.ui.state.deletion import DeletionState
from deeptrust.ui.theme import font


def frame(
    *main: rx.Component,
    place: str,
    label: str,
    live: tuple[rx.Var, ...],
    panel: rx.Component | None = None,
    panel_button: rx.Component | None = None,
    is_wide: Any = True,
) -> rx.Component:
    """`live` are the texts that a screen reader is told when they change; a wide page shows no panel."""
    return rx.el.div(
        rx.el.a("Skip to the content", href="#content", class_name="skip"),
        font(),
        rail(place),
        rx.el.main(
            _topbar(is_wide, panel_button),
            rx.el.div(
                rx.el.div(*main, class_name="column study-column"),
                id="content",
                class_name="scroll",
                tab_index=0,
                custom_attrs={"role": "region", "aria-label": label},
            ),
            id="main",
        ),
        rx.el.div(class_name="veil"),
        rx.cond(is_wide, rx.fragment(), panel or rx.fragment()),
        model_card(),
        keys(),
        account(),
        deletion(),
        rx.el.div(
            *[rx.el.p(text) for text in (*live, DeletionState.announcement)],
            class_name="visually-hidden",
            custom_attrs={"role": "status", "aria-live": "polite"},
        ),
        class_name=rx.cond(is_wide, "app study wide", "app study"),
    )


def _topbar(is_wide: Any, panel_button: rx.Component | None) -> rx.Component:
    return rx.el.header(
        icon_button("menu", "Open the menu", class_name="drawer-open", attributes={"data-opens-drawer": ""}),
        brand(),
        model_pill(),
        rx.cond(is_wide, rx.fragment(), panel_button or rx.fragment()),
        class_name="topbar",
    )
