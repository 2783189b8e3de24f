"""The page of one job: what it is, what is missing, what to read, and the panel that answers."""

import reflex as rx
from reflex_components_core.react_router.dom import ReactRouterLink

from deeptrust.ui.addresses import STUDY
from deeptrust.ui.components.grounded import grounded_panel
from deeptrust.ui.components.pieces import notice, shimmer
from deeptrust.ui.components.study_facts import facts
from deeptrust.ui.components.study_gaps import gaps
from deeptrust.ui.components.study_pack import pack
from deeptrust.ui.components.study_shell import back_link, study_page
from deeptrust.ui.state.grounded import GroundedState
from deeptrust.ui.state.study_job import FAILED, READY, UNKNOWN, JobState


def study_job() -> rx.Component:
    return study_page(
        rx.match(
            JobState.phase,
            (READY, _ready()),
            (UNKNOWN, _unknown()),
            (FAILED, _failed()),
            rx.fragment(rx.el.h1("Job", class_name="visually-hidden"), shimmer("Opening the job")),
        ),
        live=(JobState.announcement, JobState.reading, GroundedState.announcement),
        panel=grounded_panel(),
        is_wide=(JobState.phase == UNKNOWN) | (JobState.phase == FAILED),
    )


def _ready() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            back_link(),
            rx.el.h1(JobState.title),
            rx.el.p(JobState.company, ", ", JobState.added, class_name="lead"),
            class_name="study-head",
        ),
        facts(),
        gaps(),
        pack(),
    )


def _unknown() -> rx.Component:
    return rx.el.div(
        rx.el.h1("There is no such job"),
        rx.el.p("It may have been deleted, or the address is not whole.", class_name="lead"),
        rx.el.div(
            ReactRouterLink.create("See all jobs", to=STUDY, class_name="button"),
            style={"margin-top": "14px"},
        ),
        class_name="study-head",
    )


def _failed() -> rx.Component:
    return rx.el.div(
        back_link(),
        rx.el.h1("This job could not be opened"),
        notice(JobState.problem),
        rx.el.button("Try again", type="button", class_name="button", on_click=JobState.open_page),
        class_name="study-head",
    )
