"""The Study page: adding a job, and the jobs that there are."""

from typing import Any

import reflex as rx
from reflex_components_core.react_router.dom import ReactRouterLink

from deeptrust.study.jobs import MOST_CHARACTERS
from deeptrust.ui.addresses import STUDY
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import notice, shimmer, text_of
from deeptrust.ui.components.place import HERE
from deeptrust.ui.components.study_shell import study_page
from deeptrust.ui.components.upload import file_button
from deeptrust.ui.state.study import POSTING, RESUME, StudyState
from deeptrust.ui.views.study import JobLine


def study_list() -> rx.Component:
    return study_page(
        rx.el.div(
            rx.el.h1("Study for a job"),
            rx.el.p(
                "Add a posting: what it states with its own sentences, what your resume lacks, and a pack to prepare "
                "with. It stays on ",
                HERE,
                ".",
                class_name="lead",
            ),
            class_name="study-head",
        ),
        _add(),
        _jobs(),
        live=(StudyState.announcement, StudyState.reading),
    )


def _add() -> rx.Component:
    return rx.el.form(
        rx.el.h2("Add a job"),
        rx.el.label("Posting", html_for=POSTING),
        rx.el.textarea(
            id=POSTING,
            class_name="field tall",
            placeholder="Paste the whole posting, with the address to apply at",
            custom_attrs={"autocomplete": "off", "aria-describedby": "posting-files"},
        ),
        rx.el.div(
            file_button("attach", "Choose a file", StudyState.fill_posting),
            rx.el.span("PDF, Markdown, text or a saved web page; or drop it here.", id="posting-files"),
            class_name="hint-row",
        ),
        rx.el.details(
            rx.el.summary("Compare with your resume (optional)"),
            rx.el.label("Resume", html_for=RESUME, class_name="visually-hidden"),
            rx.el.textarea(
                id=RESUME,
                class_name="field tall",
                placeholder="Paste your resume, to see what the posting asks and it does not show",
                custom_attrs={"autocomplete": "off"},
            ),
            rx.el.div(
                file_button("resume-file", "Choose a resume file", StudyState.fill_resume), class_name="hint-row"
            ),
            class_name="more",
        ),
        rx.cond(StudyState.reading != "", rx.el.p(icon("file", 15), StudyState.reading, class_name="working")),
        notice(StudyState.form_problem),
        rx.el.div(
            rx.el.button(
                rx.cond(StudyState.is_adding, "Reading the posting", "Add job"),
                type="submit",
                class_name="button go",
                disabled=StudyState.is_adding,
            ),
        ),
        class_name="card study-card add-job",
        on_submit=StudyState.add(text_of(POSTING, MOST_CHARACTERS), text_of(RESUME, MOST_CHARACTERS)),
        custom_attrs={"aria-label": "Add a job"},
    )


def _jobs() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Your jobs"),
        rx.cond(
            StudyState.problem != "",
            rx.el.div(
                notice(StudyState.problem),
                rx.el.button("Try again", type="button", class_name="button", on_click=StudyState.refresh),
                class_name="stack",
            ),
        ),
        rx.cond(
            StudyState.is_loaded,
            rx.cond(
                StudyState.jobs,
                rx.el.ul(rx.foreach(StudyState.jobs, _job), class_name="jobs"),
                rx.cond(
                    StudyState.problem == "",
                    rx.el.p("No jobs yet. Paste a posting above and press “Add job”.", class_name="quiet-note"),
                ),
            ),
            shimmer("Opening your jobs"),
        ),
        rx.cond(
            StudyState.total > StudyState.jobs.length(),
            rx.el.button("Show more", type="button", class_name="button quiet", on_click=StudyState.show_more),
        ),
        class_name="study-section",
    )


def _job(job: JobLine) -> rx.Component:
    return rx.el.li(
        ReactRouterLink.create(
            rx.el.b(job.title),
            rx.el.span(job.company, ", ", job.added),
            to=f"{STUDY}/" + job.id,
            class_name="job-link",
        ),
        rx.cond(StudyState.doomed == job.id, _confirm(job), _state(job)),
        class_name="job",
        custom_attrs={"data-row": ""},
    )


def _state(job: JobLine) -> rx.Component:
    return rx.el.div(
        rx.cond(job.has_resume, gap_pills(job.missing, job.partly, job.met), rx.el.span("no resume", class_name="dim")),
        rx.el.button(
            icon("trash-2"),
            type="button",
            class_name="icon-button",
            title="Delete",
            on_click=StudyState.ask_to_remove(job.id),
            custom_attrs={"aria-label": "Delete " + job.title},
        ),
        class_name="job-state",
    )


def _confirm(job: JobLine) -> rx.Component:
    return rx.el.div(
        rx.el.span("Delete the job and its pack?", class_name="dim small"),
        rx.el.button("Delete", type="button", class_name="button danger", auto_focus=True, on_click=StudyState.remove),
        rx.el.button(
            "Keep",
            type="button",
            class_name="button quiet",
            on_click=StudyState.ask_to_remove(""),
            custom_attrs={"data-escapes": ""},
        ),
        class_name="confirm",
    )


def gap_pills(missing: Any, partly: Any, met: Any) -> rx.Component:
    """How many requirements are missing, partly met and met; what is nought is left out, but for the met ones."""
    return rx.el.span(
        rx.cond(missing > 0, rx.el.span(icon("x", 13), missing.to_string() + " missing", class_name="pill bad")),
        rx.cond(
            partly > 0, rx.el.span(icon("triangle-alert", 13), partly.to_string() + " partly", class_name="pill warn")
        ),
        rx.el.span(icon("check", 13), met.to_string() + " met", class_name="pill ok"),
        class_name="pills",
    )
