"""Giving the pack to a harness: the button, how it ended, and what it takes before something leaves (H23)."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.dialog import question
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.place import HERE
from deeptrust.ui.state.grounded import GroundedState
from deeptrust.ui.views.grounded import Leaving


def ingest(harness: Any) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.button(
                icon("package-check", 15),
                rx.cond(harness.answers_here, "Ingest the pack", "Prepare the pack"),
                type="button",
                id="ingest",
                title=rx.cond(harness.answers_here, "Your first question does this by itself", ""),
                class_name="button",
                on_click=GroundedState.ingest,
                disabled=GroundedState.is_ingesting | GroundedState.is_busy,
            ),
            rx.cond(GroundedState.is_ingesting, rx.el.span("Handing over the 4 documents", class_name="working")),
            class_name="actions",
        ),
        rx.cond(GroundedState.ingested, _ingested()),
        class_name="stack wide",
    )


def _ingested() -> rx.Component:
    line: Any = GroundedState.ingested
    return rx.cond(
        line.is_ready,
        rx.el.div(
            rx.el.p(icon("circle-check", 15), rx.el.span(line.message), class_name="done"),
            rx.cond(line.counts != "", rx.el.p(line.counts, class_name="dim small")),
            rx.cond(
                line.files > 0,
                rx.el.button(
                    icon("download", 15),
                    "Download the files",
                    type="button",
                    class_name="button",
                    on_click=GroundedState.download_files,
                ),
            ),
            class_name="stack",
        ),
        rx.el.p(icon("triangle-alert"), line.message, class_name="notice bad"),
    )


def confirmation() -> rx.Component:
    view: Any = GroundedState.confirmation  # a Var; its fields are Vars too
    return rx.cond(
        GroundedState.confirmation,
        question(
            "leaving",
            "Send this pack out of " + HERE + "?",
            rx.el.p("Nothing has left yet. After your yes, exactly this is sent, once:", id="leaving-text"),
            rx.el.ul(rx.foreach(view.leaving, _leaving), class_name="leaving"),
            rx.el.dl(
                rx.el.dt("In all"),
                rx.el.dd(view.total),
                rx.el.dt("To"),
                rx.el.dd(view.destination),
                rx.el.dt("As"),
                rx.el.dd("a new notebook “", view.notebook, "”"),
                class_name="facts",
            ),
            yes=rx.el.button("Send it", type="button", class_name="button go", on_click=GroundedState.confirm),
            no="Keep it here",
            on_no=GroundedState.decline,
        ),
    )


def _leaving(one: Leaving) -> rx.Component:
    return rx.el.li(icon("file-text", 15), rx.el.span(one.title), rx.el.span(one.size, class_name="dim"))
