"""The frame of every page: rail, top bar of small screens, the middle, perhaps a panel, and the dialogs of all."""

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
    skip: tuple[str, str],
    live: tuple[rx.Var, ...],
    panel: rx.Component | None = None,
    panel_button: rx.Component | None = None,
    class_name: Any = "app",
) -> rx.Component:
    """`skip` is the id that the first link jumps to, and its name; `live` are texts that a screen reader is told.

    Progress and finished answers are told there, each stage once, never every word.
    """
    target, name = skip
    return rx.el.div(
        rx.el.a(f"Skip to the {name}", href=f"#{target}", class_name="skip"),
        font(),
        rail(place),
        rx.el.main(_topbar(panel_button), *main, id="main"),
        rx.el.div(class_name="veil"),
        panel or rx.fragment(),
        model_card(),
        keys(),
        account(),
        deletion(),
        rx.el.div(
            *[rx.el.p(text) for text in (*live, DeletionState.announcement)],
            class_name="visually-hidden",
            custom_attrs={"role": "status", "aria-live": "polite"},
        ),
        class_name=class_name,
    )


def column_page(
    *main: rx.Component,
    place: str,
    label: str,
    live: tuple[rx.Var, ...],
    panel: rx.Component | None = None,
    panel_button: rx.Component | None = None,
    is_wide: Any = True,
) -> rx.Component:
    """A page that is one column to scroll; a wide page shows no panel."""
    column = rx.el.div(
        rx.el.div(*main, class_name="column study-column"),
        id="content",
        class_name="scroll",
        tab_index=0,
        custom_attrs={"role": "region", "aria-label": label},
    )
    return frame(
        column,
        place=place,
        skip=("content", "content"),
        live=live,
        panel=rx.cond(is_wide, rx.fragment(), panel or rx.fragment()),
        panel_button=rx.cond(is_wide, rx.fragment(), panel_button or rx.fragment()),
        class_name=rx.cond(is_wide, "app study wide", "app study"),
    )


def _topbar(panel_button: rx.Component | None) -> rx.Component:
    """Shown on small screens only: the way to the rail and to the panel."""
    return rx.el.header(
        icon_button("menu", "Open the menu", class_name="drawer-open", attributes={"data-opens-drawer": ""}),
        brand(),
        model_pill(),
        panel_button or rx.fragment(),
        class_name="topbar",
    )
