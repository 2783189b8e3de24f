"""What the Study pages share: their frame, and small pieces."""

from typing import Any

import reflex as rx
from reflex_components_core.react_router.dom import ReactRouterLink

from deeptrust.ui.addresses import STUDY
from deeptrust.ui.components.frame import column_page
from deeptrust.ui.components.icons import icon


def study_page(
    *main: rx.Component, live: tuple[rx.Var, ...], panel: rx.Component | None = None, is_wide: Any = True
) -> rx.Component:
    """`live` are the texts that a screen reader is told when they change; a wide page shows no panel."""
    ask = rx.el.button(
        icon("message-circle-question", 15),
        "Ask",
        type="button",
        class_name="button sheet-open",
        custom_attrs={"data-opens-panel": "", "aria-controls": "panel"},
    )
    return column_page(*main, place=STUDY, label="Study", live=live, panel=panel, panel_button=ask, is_wide=is_wide)


def back_link() -> rx.Component:
    return ReactRouterLink.create(icon("arrow-left", 15), "All jobs", to=STUDY, class_name="back")
