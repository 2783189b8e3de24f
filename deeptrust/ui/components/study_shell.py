"""The frame of the Study pages: rail, top bar of small screens, a middle column, and a panel where there is one."""

from typing import Any

import reflex as rx
from reflex_components_core.react_router.dom import ReactRouterLink

from deeptrust.ui.addresses import STUDY
from deeptrust.ui.components.icons import icon, icon_button
from deeptrust.ui.components.keys import keys
from deeptrust.ui.components.model_card import model_card, model_pill
from deeptrust.ui.components.rail import brand, rail
from deeptrust.ui.theme import font


def study_page(
    *main: rx.Component, live: tuple[rx.Var, ...], panel: rx.Component | None = None, is_wide: Any = True
) -> rx.Component:
    """`live` are the texts that a screen reader is told when they change; a wide page shows no panel."""
    return rx.el.div(
        rx.el.a("Skip to the content", href="#content", class_name="skip"),
        font(),
        rail(STUDY),
        rx.el.main(
            _topbar(is_wide),
            rx.el.div(
                rx.el.div(*main, class_name="column study-column"),
                id="content",
                class_name="scroll",
                tab_index=0,
                custom_attrs={"role": "region", "aria-label": "Study"},
            ),
            id="main",
        ),
        rx.el.div(class_name="veil"),
        rx.cond(is_wide, rx.fragment(), panel or rx.fragment()),
        model_card(),
        keys(),
        rx.el.div(
            *[rx.el.p(text) for text in live],
            class_name="visually-hidden",
            custom_attrs={"role": "status", "aria-live": "polite"},
        ),
        class_name=rx.cond(is_wide, "app study wide", "app study"),
    )


def back_link() -> rx.Component:
    return ReactRouterLink.create(icon("arrow-left", 15), "All jobs", to=STUDY, class_name="back")


def notice(problem: rx.Var, **props) -> rx.Component:
    """A sentence that says what went wrong and how to mend it; nothing while there is none."""
    return rx.cond(problem != "", rx.el.p(icon("triangle-alert"), problem, class_name="notice bad", **props))


def shimmer(word: str) -> rx.Component:
    return rx.el.div(
        rx.el.p(word, class_name="visually-hidden"),
        rx.el.div(*[rx.el.i() for _ in range(3)], class_name="shimmer"),
    )


def text_of(box: str, most: int) -> rx.Var:
    """What stands in the text box with the id `box`, read at the moment of a click; one over `most` tells of more."""
    return rx.Var(f"document.getElementById('{box}').value.slice(0, {most + 1})", _var_type=str).guess_type()


def _topbar(is_wide: Any) -> rx.Component:
    ask = rx.el.button(
        icon("message-circle-question", 15),
        "Ask",
        type="button",
        class_name="button sheet-open",
        custom_attrs={"data-opens-panel": "", "aria-controls": "panel"},
    )
    return rx.el.header(
        icon_button("menu", "Open the menu", class_name="drawer-open", attributes={"data-opens-drawer": ""}),
        brand(),
        model_pill(),
        rx.cond(is_wide, rx.fragment(), ask),
        class_name="topbar",
    )
