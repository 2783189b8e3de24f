"""The Settings page: which chat model, how answers are made, where models come from."""

import reflex as rx

from deeptrust.ui.addresses import SETTINGS
from deeptrust.ui.components.answers_choice import answers_choice
from deeptrust.ui.components.dialog import question
from deeptrust.ui.components.frame import column_page
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.offers import offers
from deeptrust.ui.components.place import SEARCH_PLACE
from deeptrust.ui.components.servers import servers
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.state.offers import OffersState
from deeptrust.ui.state.servers import ServersState


def settings() -> rx.Component:
    return column_page(
        rx.el.div(
            rx.el.h1("Settings"),
            rx.el.p(
                "Which model plans and writes, and what leaves this machine when it does. Searching your documents and "
                "checking what is written stay here with every choice.",
                class_name="lead",
            ),
            class_name="study-head",
        ),
        offers(),
        _answers(),
        servers(),
        _search(),
        _leaving(),
        place=SETTINGS,
        label="Settings",
        live=(OffersState.announcement, ServersState.announcement),
    )


def _answers() -> rx.Component:
    return rx.el.section(
        rx.el.h2("How answers are made", id="how-answers"),
        answers_choice("how-answers"),
        class_name="study-section",
    )


def _search() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Search"),
        rx.el.dl(
            rx.el.dt("Search model"),
            rx.el.dd(ModelState.embedder, SEARCH_PLACE),
            class_name="facts",
        ),
        class_name="study-section",
    )


def _leaving() -> rx.Component:
    """Asked before a model is used that does not run here: what will leave, and where it goes."""
    return rx.cond(
        OffersState.asked != "",
        question(
            "away",
            "Use a model that does not run on this machine?",
            rx.el.p(
                rx.el.b(OffersState.asked_name),
                " reads what it is sent. From the next question on, this leaves this machine:",
                id="away-text",
            ),
            rx.el.ul(
                _leaves("Your questions"),
                _leaves("The titles of your documents, while a plan is made"),
                _leaves("The passages that an answer or a report needs, once it is written"),
                class_name="leaving",
            ),
            rx.el.p("Nothing has left yet. You can change back at any time.", class_name="small dim"),
            yes=rx.el.button("Use it", type="button", class_name="button go", on_click=OffersState.confirm),
            no="Stay on this machine",
            on_no=OffersState.decline,
        ),
    )


def _leaves(what: str) -> rx.Component:
    return rx.el.li(icon("globe", 15), rx.el.span(what))
