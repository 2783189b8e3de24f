"""The chat models to choose from: those of this machine, and, apart from them, those that prompts leave it for."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.model_card import progress_bar
from deeptrust.ui.components.pieces import notice, shimmer
from deeptrust.ui.state.offers import OffersState
from deeptrust.ui.views import model as views
from deeptrust.ui.views.model import OfferLine


def offers() -> rx.Component:
    return rx.fragment(
        rx.cond(
            OffersState.problem != "",
            rx.el.div(
                notice(OffersState.problem),
                rx.el.button("Try again", type="button", class_name="button", on_click=OffersState.look),
                class_name="stack",
            ),
        ),
        rx.cond(
            OffersState.is_loaded,
            rx.fragment(_automatic(), _here(), _away()),
            rx.cond(OffersState.problem == "", shimmer("Looking which models there are")),
        ),
    )


def _automatic() -> rx.Component:
    """Who chooses; read-only where a setting or an operator does."""
    return rx.cond(
        OffersState.fixed != "",
        rx.el.p(icon("lock"), OffersState.fixed, class_name="notice off"),
        rx.cond(
            OffersState.is_auto,
            rx.el.p(
                icon("compass"),
                "Chosen by DeepTrust: one of your Ollama, else the one that ships. “Use” makes it your choice.",
                class_name="notice off",
            ),
            rx.el.div(
                rx.el.button(
                    icon("compass", 15),
                    "Let DeepTrust choose",
                    type="button",
                    class_name="button",
                    on_click=OffersState.choose_best,
                ),
                rx.el.span("One of your Ollama, else the one that ships.", class_name="small dim"),
                class_name="hint-row",
            ),
        ),
    )


def _here() -> rx.Component:
    return rx.el.section(
        rx.el.h2(icon("laptop"), "On this machine"),
        rx.el.p("Questions and passages stay here.", class_name="small dim"),
        rx.el.ul(rx.foreach(OffersState.here, _offer), class_name="offers"),
        class_name="study-section place",
    )


def _away() -> rx.Component:
    return rx.el.section(
        rx.el.h2(icon("globe"), "Leaves this machine"),
        rx.el.p("Questions, and the passages they need, are sent to the model's server.", class_name="small dim"),
        rx.cond(
            OffersState.away,
            rx.el.ul(rx.foreach(OffersState.away, _offer), class_name="offers"),
            rx.el.p("None is set up. Give the address of a server below.", class_name="quiet-note"),
        ),
        class_name="study-section place away",
    )


def _offer(offer: OfferLine) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h3(
                offer.name,
                _state(offer),
                rx.cond(offer.leaves, rx.el.span(icon("globe", 13), "leaves this machine", class_name="pill warn")),
            ),
            rx.el.p(offer.description),
            rx.cond(offer.facts != "", rx.el.p(offer.facts, class_name="offer-facts")),
            class_name="offer-text",
        ),
        _actions(offer),
        rx.cond(offer.phase == views.DOWNLOADING, _progress(offer)),
        rx.cond(
            OffersState.testing == offer.id,
            rx.el.p(icon("hourglass", 14), OffersState.test_stage, class_name="working"),
        ),
        rx.cond(
            offer.message != "",
            rx.el.p(
                rx.cond(offer.is_broken, icon("triangle-alert"), icon("info")),
                offer.message,
                class_name=rx.cond(offer.is_broken, "notice bad", "notice off"),
            ),
        ),
        rx.cond(OffersState.tested.id == offer.id, _tested()),
        rx.cond(OffersState.failed == offer.id, notice(OffersState.fault)),
        class_name=rx.cond(offer.is_chosen, "offer chosen", "offer"),
    )


def _state(offer: OfferLine) -> rx.Component:
    return rx.cond(
        offer.is_chosen,
        rx.el.span(icon("check", 13), "in use", class_name="pill ok"),
        rx.match(
            offer.phase,
            (views.READY, rx.el.span("ready", class_name="pill off")),
            (views.ABSENT, rx.el.span(icon("download", 13), "not downloaded", class_name="pill off")),
            (views.DOWNLOADING, rx.el.span(icon("download", 13), "downloading", class_name="pill off")),
            rx.el.span(icon("unplug", 13), "not available", class_name="pill off"),
        ),
    )


def _actions(offer: OfferLine) -> rx.Component:
    return rx.cond(
        OffersState.is_hosted,
        rx.fragment(),
        rx.el.div(
            rx.cond(offer.action != "", _button(icon("download", 15), offer.action, OffersState.download, offer)),
            rx.cond(offer.can_test, _test(offer)),
            rx.cond(
                (offer.phase == views.READY) & ~offer.is_chosen & (OffersState.fixed == ""),
                _button(rx.fragment(), "Use", OffersState.use, offer, "button go"),
            ),
            class_name="offer-actions",
        ),
    )


def _test(offer: OfferLine) -> rx.Component:
    return rx.cond(
        OffersState.testing == offer.id,
        rx.el.button(
            icon("square", 13), "Stop the test", type="button", class_name="button", on_click=OffersState.stop_test
        ),
        _button(icon("message-square", 15), "Say hello", OffersState.test, offer),
    )


def _button(sign: rx.Component, word: Any, event: Any, offer: OfferLine, class_name: str = "button") -> rx.Component:
    """The name of the model is part of what a screen reader says; a sighted person sees it beside the button."""
    return rx.el.button(
        sign,
        word,
        rx.el.span(", ", offer.name, class_name="visually-hidden"),
        type="button",
        class_name=class_name,
        on_click=event(offer.id),
    )


def _progress(offer: OfferLine) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.span(offer.progress),
            rx.el.button(
                "Cancel",
                rx.el.span(" the download of ", offer.name, class_name="visually-hidden"),
                type="button",
                class_name="button quiet",
                on_click=OffersState.cancel(offer.id),
            ),
            class_name="progress-line",
        ),
        progress_bar(offer.percent, "Downloading " + offer.name),
        class_name="offer-wide",
    )


def _tested() -> rx.Component:
    return rx.el.div(
        rx.el.p("“", OffersState.tested.text, "”", class_name="said"),
        rx.el.p(OffersState.tested.speed, class_name="offer-facts"),
        class_name="offer-wide tested",
        custom_attrs={"data-tested": ""},
    )
