"""The grounded research panel: harnesses, ingest, and what it takes before something leaves (H23)."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.grounded_replies import question_form, replies
from deeptrust.ui.components.icons import icon, icon_button
from deeptrust.ui.components.pieces import notice, shimmer
from deeptrust.ui.state.grounded import GroundedState
from deeptrust.ui.state.study_job import READY, JobState
from deeptrust.ui.views.grounded import HarnessChip, Leaving


def grounded_panel() -> rx.Component:
    return rx.el.aside(
        rx.el.div(
            rx.el.h2("Grounded research"),
            icon_button("x", "Close the panel", class_name="panel-close", attributes={"data-closes-panel": ""}),
            class_name="panel-head",
        ),
        rx.el.div(
            rx.cond(
                (JobState.phase == READY) & GroundedState.is_loaded,
                _body(),
                shimmer("Looking which harnesses are there"),
            ),
            id="replies",
            class_name="pane",
            tab_index=0,
            custom_attrs={"role": "region", "aria-label": "Harness and answers"},
        ),
        _foot(),
        _confirmation(),
        id="panel",
        class_name="panel",
        custom_attrs={"aria-label": "Grounded research"},
    )


def _body() -> rx.Component:
    harness: Any = GroundedState.harness  # a Var; its fields are Vars too
    return rx.fragment(
        rx.el.div(
            rx.foreach(GroundedState.choices, _chip),
            class_name="harnesses",
            custom_attrs={"role": "radiogroup", "aria-label": "Where to ask", "data-list": ""},
        ),
        _problem(),
        rx.cond(
            GroundedState.harness,
            rx.fragment(
                rx.cond(harness.is_available, _ingest(harness), _not_available(harness)),
                rx.cond(harness.answers_here, replies(), _elsewhere()),
            ),
        ),
    )


def _foot() -> rx.Component:
    """The question stays in sight below the answers, where the chosen harness answers here."""
    harness: Any = GroundedState.harness
    is_open = (JobState.phase == READY) & GroundedState.is_loaded & GroundedState.harness.is_not_none()  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
    return rx.cond(
        is_open,
        rx.cond(harness.answers_here & harness.is_available, rx.el.div(question_form(), class_name="panel-foot")),
    )


def _chip(chip: HarnessChip) -> rx.Component:
    is_chosen = GroundedState.harness.id == chip.id  # pyright: ignore[reportOptionalMemberAccess]
    return rx.el.button(
        rx.el.b(chip.name),
        rx.cond(chip.is_default, rx.el.span("default", class_name="badge")),
        rx.cond(
            chip.is_available,
            rx.cond(
                chip.answers_here,
                rx.el.small(icon("laptop", 13), "ready, on this machine"),
                rx.el.small(icon("external-link", 13), "ready, elsewhere"),
            ),
            rx.el.small(icon("circle-slash", 13), "not available"),
        ),
        type="button",
        class_name="harness",
        on_click=GroundedState.choose(chip.id),
        custom_attrs={
            "role": "radio",
            "aria-checked": rx.cond(is_chosen, "true", "false"),
            "tabindex": rx.cond(is_chosen, "0", "-1"),
        },
    )


def _problem() -> rx.Component:
    return rx.cond(
        GroundedState.problem != "",
        rx.el.div(notice(GroundedState.problem), _look_again("Try again"), class_name="stack"),
    )


def _not_available(harness: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(icon("circle-slash"), rx.el.span("Not available. ", harness.reason), class_name="notice off"),
        _look_again("Look again"),
        class_name="stack",
    )


def _look_again(word: str) -> rx.Component:
    return rx.el.button(
        icon("rotate-ccw", 15), word, type="button", class_name="button", on_click=GroundedState.look_again
    )


def _ingest(harness: Any) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.button(
                icon("package-check", 15),
                rx.cond(harness.answers_here, "Ingest the pack", "Prepare the pack"),
                type="button",
                id="ingest",
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
                    "Download " + line.files.to_string() + " files",
                    type="button",
                    class_name="button",
                    on_click=GroundedState.download_files,
                ),
            ),
            class_name="stack",
        ),
        rx.el.p(icon("triangle-alert"), line.message, class_name="notice bad"),
    )


def _elsewhere() -> rx.Component:
    pointer: Any = GroundedState.pointer
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
            _link_form(),
            class_name="card pointer",
        ),
        shimmer("Looking where this is answered"),
    )


def _link_form() -> rx.Component:
    return rx.el.form(
        rx.el.label("Address of your notebook or project", html_for="link"),
        rx.el.div(
            rx.el.input(
                id="link",
                name="link",
                class_name="field",
                type="text",
                placeholder="https://",
                custom_attrs={"inputmode": "url", "autocomplete": "off"},
            ),
            rx.el.button("Keep", type="submit", class_name="button"),
            class_name="inline-form",
        ),
        notice(GroundedState.link_problem),
        class_name="stack wide",
        on_submit=GroundedState.keep_link,
        custom_attrs={"aria-label": "Keep an address"},
    )


def _confirmation() -> rx.Component:
    view: Any = GroundedState.confirmation
    return rx.cond(
        GroundedState.confirmation,
        rx.el.dialog(
            rx.el.div(
                rx.el.div(
                    rx.el.h2("Send this pack out of this machine?", id="leaving-title"), class_name="dialog-head"
                ),
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
                rx.el.div(
                    rx.el.button("Send it", type="button", class_name="button go", on_click=GroundedState.confirm),
                    rx.el.button(
                        "Keep it here",
                        type="button",
                        class_name="button",
                        auto_focus=True,
                        on_click=GroundedState.decline,
                        custom_attrs={"data-declines": ""},
                    ),
                    class_name="actions",
                ),
                class_name="dialog-body",
            ),
            custom_attrs={"data-modal": "", "aria-labelledby": "leaving-title", "aria-describedby": "leaving-text"},
        ),
    )


def _leaving(one: Leaving) -> rx.Component:
    return rx.el.li(icon("file-text", 15), rx.el.span(one.title), rx.el.span(one.size, class_name="dim"))
