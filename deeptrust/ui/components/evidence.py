"""The Evidence tab: one citation in its place on the page."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import notice
from deeptrust.ui.state.evidence import EvidenceState


def evidence() -> rx.Component:
    return rx.cond(
        EvidenceState.view,
        _shown(),
        rx.cond(
            EvidenceState.problem != "",
            notice(EvidenceState.problem),
            rx.el.div(
                rx.el.h2("Evidence"),
                rx.el.p(
                    "Click a number in an answer: the passage that it stands on opens here, with the quote marked.",
                    class_name="quiet-note",
                ),
                style={"display": "grid", "gap": "6px"},
            ),
        ),
    )


def _shown() -> rx.Component:
    view: Any = EvidenceState.view  # a Var; its fields are Vars too
    return rx.fragment(
        rx.el.div(
            rx.el.span(view.number.to_string(), class_name="number"),
            rx.el.h2(view.title),
            rx.match(
                view.tone,
                ("ok", rx.el.span(icon("check", 14), view.verdict, class_name="pill ok")),
                ("warn", rx.el.span(icon("triangle-alert", 14), view.verdict, class_name="pill warn")),
                ("bad", rx.el.span(icon("x", 14), view.verdict, class_name="pill bad")),
                rx.el.span(icon("search-x", 14), view.verdict, class_name="pill off"),
            ),
            class_name="evidence-head",
        ),
        rx.el.div(rx.el.span(view.page), rx.el.span(view.match), rx.el.span(view.added), class_name="meta"),
        rx.el.blockquote(view.before, rx.el.mark(view.quote, id="quote"), view.after, class_name="page"),
        rx.el.dl(
            rx.cond(view.claim != "", rx.fragment(rx.el.dt("Claim"), rx.el.dd(view.claim))),
            rx.cond(view.reason != "", rx.fragment(rx.el.dt("Check"), rx.el.dd(view.reason))),
            rx.el.dt("Quote"),
            rx.el.dd(view.span),
            class_name="facts",
        ),
        rx.el.div(
            rx.cond(view.url != "", _address(view), _whole_page(view)),
            rx.el.button(
                "Copy citation",
                type="button",
                class_name="button quiet",
                on_click=rx.set_clipboard(view.reference),
                custom_attrs={"data-says": "Copied"},
            ),
            class_name="actions",
        ),
    )


def _whole_page(view: Any) -> rx.Component:
    return rx.el.button(
        rx.cond(view.is_whole, "Show the quote only", "Open page"),
        type="button",
        class_name="button",
        on_click=EvidenceState.toggle_page,
    )


def _address(view: Any) -> rx.Component:
    """The way to a page that was not opened: a new tab that learns nothing of this one."""
    return rx.el.a(
        icon("external-link", 15),
        "Open ",
        view.host,
        rx.el.span(" in a new tab", class_name="visually-hidden"),
        href=view.url,
        target="_blank",
        rel="noopener noreferrer",
        class_name="button",
    )
