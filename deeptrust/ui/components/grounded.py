"""The grounded research panel: where to ask, and what the chosen harness offers (H23)."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.grounded_elsewhere import elsewhere
from deeptrust.ui.components.grounded_ingest import confirmation, ingest
from deeptrust.ui.components.grounded_replies import question_form, replies
from deeptrust.ui.components.icons import icon, icon_button
from deeptrust.ui.components.pieces import notice, shimmer
from deeptrust.ui.components.place import HERE
from deeptrust.ui.state.grounded import GroundedState
from deeptrust.ui.state.study_job import READY, JobState
from deeptrust.ui.views.grounded import HarnessChip


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
        confirmation(),
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
                rx.cond(harness.is_available, ingest(harness), _not_available(harness)),
                rx.cond(harness.answers_here, replies(), elsewhere()),
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
                rx.el.small(icon("laptop", 13), "ready, on ", HERE),
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
