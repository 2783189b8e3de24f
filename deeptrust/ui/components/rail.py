"""The rail: brand, new question, recent questions, look, and the model pill."""

from typing import Any

import reflex as rx
from reflex_components_core.react_router.dom import ReactRouterLink

from deeptrust.ui.addresses import SETTINGS, STUDY, WORKSPACE
from deeptrust.ui.components.account import account_button
from deeptrust.ui.components.icons import icon, icon_button
from deeptrust.ui.components.model_card import model_pill
from deeptrust.ui.components.pieces import bars
from deeptrust.ui.components.place import HERE
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.state.deletion import DeletionState
from deeptrust.ui.state.history import HistoryState
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.views.history import RunLine


def brand() -> rx.Component:
    return rx.el.div(
        rx.el.span(icon("shield-check", 14), class_name="brand-mark"), rx.el.span("DeepTrust"), class_name="brand"
    )


def rail(place: str = WORKSPACE) -> rx.Component:
    """`place` is the address of the part of the program that the page belongs to."""
    return rx.el.nav(
        brand(),
        rx.el.button(
            icon("plus"),
            "New question",
            type="button",
            class_name="nav new",
            on_click=_then_there(ConversationState.start_new, place),
            custom_attrs={"data-closes-drawer": ""},
        ),
        _link(WORKSPACE, "message-square", "Workspace", place),
        _link(STUDY, "graduation-cap", "Study", place),
        _link(SETTINGS, "settings-2", "Settings", place),
        rx.el.h2("Recent", class_name="caption"),
        _runs(place),
        rx.el.div(
            rx.el.div(
                _color_modes(),
                account_button(),
                icon_button("keyboard", "Show the keys", attributes={"data-opens": "keys"}),
                class_name="foot-row",
            ),
            _tracing_note(),
            model_pill(),
            class_name="rail-foot",
        ),
        id="rail",
        class_name="rail",
        custom_attrs={"aria-label": "Main"},
    )


def _link(address: str, icon_name: str, word: str, place: str) -> rx.Component:
    is_here = {"aria-current": "page"} if address == place else {}
    return ReactRouterLink.create(
        icon(icon_name), word, to=address, class_name="nav", custom_attrs={"data-closes-drawer": "", **is_here}
    )


def _then_there(event: Any, place: str) -> Any:
    """A click that changes the conversation leads to the workspace, where it is shown."""
    return event if place == WORKSPACE else [event, rx.redirect(WORKSPACE)]


def _runs(place: str) -> rx.Component:
    return rx.el.div(
        rx.cond(
            HistoryState.is_loaded,
            rx.cond(
                HistoryState.runs,
                rx.fragment(rx.foreach(HistoryState.runs, lambda run: _run(run, place)), _more()),
                rx.el.p("Your questions will be listed here.", class_name="caption", style={"padding-top": "2px"}),
            ),
            bars(style={"padding": "8px 10px"}),
        ),
        class_name="runs",
        custom_attrs={"data-list": "", "aria-label": "Recent questions", "role": "group"},
    )


def _more() -> rx.Component:
    return rx.cond(
        HistoryState.has_more,
        rx.el.button("Show more", type="button", class_name="button quiet", on_click=HistoryState.show_more),
    )


def _run(run: RunLine, place: str) -> rx.Component:
    is_open = rx.cond(run.thread_id == ConversationState.thread_id, "true", "false") if place == WORKSPACE else "false"
    return rx.el.div(
        rx.el.button(
            rx.el.b(run.title),
            rx.el.span(rx.el.i(class_name="dot " + run.tone), run.state),
            type="button",
            class_name="run",
            on_click=_then_there(ConversationState.open_thread(run.thread_id), place),
            custom_attrs={"aria-current": is_open, "data-closes-drawer": ""},
        ),
        rx.el.button(
            icon("trash-2", 15),
            type="button",
            class_name="icon-button run-delete",
            title="Delete",
            on_click=DeletionState.ask(run.thread_id),
            custom_attrs={"aria-label": "Delete “" + run.title + "”", "data-beside": ""},
        ),
        class_name="run-row",
    )


def _tracing_note() -> rx.Component:
    """Tracing sends prompts away; nobody should have to remember a variable to know that (K21)."""
    return rx.cond(
        ModelState.tracing_project,
        rx.el.p(
            icon("globe", 14),
            rx.el.span("Prompts of research runs leave ", HERE, ": LangSmith, project ", ModelState.tracing_project),
            class_name="tracing",
        ),
    )


def _color_modes() -> rx.Component:
    modes = (("light", "sun", "Light"), ("dark", "moon", "Dark"), ("system", "monitor", "As the system"))
    return rx.el.div(
        *[_color_mode(*mode) for mode in modes],
        class_name="modes",
        custom_attrs={"role": "group", "aria-label": "Colours"},
    )


def _color_mode(mode: str, icon_name: str, label: str) -> rx.Component:
    return rx.el.button(
        icon(icon_name, 15),
        type="button",
        title=label,
        on_click=rx.style.set_color_mode(mode),
        custom_attrs={"aria-label": label, "aria-pressed": rx.cond(rx.style.color_mode == mode, "true", "false")},
    )
