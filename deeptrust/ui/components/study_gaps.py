"""The requirements held against the resume, and the resume itself."""

import reflex as rx

from deeptrust.study.jobs import MOST_CHARACTERS
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import notice, text_of
from deeptrust.ui.components.study_facts import quoted
from deeptrust.ui.components.study_list import gap_pills
from deeptrust.ui.components.upload import file_button
from deeptrust.ui.state.study_job import RESUME, JobState
from deeptrust.ui.views.study import GapLine


def gaps() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Gaps against your resume"),
            rx.cond(JobState.has_resume, gap_pills(JobState.missing, JobState.partly, JobState.met)),
            class_name="section-head",
        ),
        rx.cond(
            JobState.has_resume,
            rx.fragment(_list(), _change()),
            rx.cond(
                JobState.is_changing_resume,
                _resume_form(),
                rx.el.div(
                    rx.el.p("No resume was added, so nothing can be compared yet.", class_name="quiet-note"),
                    rx.el.button(
                        icon("file-plus", 15),
                        "Add your resume",
                        type="button",
                        class_name="button",
                        on_click=JobState.change_resume,
                    ),
                    class_name="stack",
                ),
            ),
        ),
        class_name="study-section",
        custom_attrs={"data-row": ""},
    )


def _list() -> rx.Component:
    return rx.cond(
        JobState.gaps,
        rx.el.ul(rx.foreach(JobState.gaps, _gap), class_name="card gap-list"),
        rx.el.p("The posting states no requirement that could be compared.", class_name="quiet-note"),
    )


def _gap(gap: GapLine) -> rx.Component:
    return rx.el.li(
        rx.match(
            gap.tone,
            ("ok", rx.el.span(icon("check", 13), gap.status, class_name="pill ok")),
            ("warn", rx.el.span(icon("triangle-alert", 13), gap.status, class_name="pill warn")),
            rx.el.span(icon("x", 13), gap.status, class_name="pill bad"),
        ),
        rx.el.div(
            rx.el.p(
                quoted(gap.requirement, gap.sentence),
                rx.cond(gap.kind == "preferred", rx.el.span("preferred", class_name="own")),
            ),
            rx.cond(gap.found != "", rx.el.p("Your resume says: “", gap.found, "”", class_name="dim small")),
            rx.cond(gap.looked_for != "", rx.el.p("Looked for: ", gap.looked_for, class_name="dim small")),
            rx.cond(gap.note != "", rx.el.p(gap.note, class_name="dim small")),
        ),
        class_name="gap",
    )


def _change() -> rx.Component:
    return rx.cond(
        JobState.is_changing_resume,
        _resume_form(),
        rx.el.div(
            rx.el.button("Change the resume", type="button", class_name="button quiet", on_click=JobState.change_resume)
        ),
    )


def _resume_form() -> rx.Component:
    return rx.el.form(
        rx.el.label("Resume", html_for=RESUME),
        rx.el.textarea(
            id=RESUME,
            class_name="field tall",
            auto_focus=True,
            default_value=JobState.resume,
            placeholder="Paste your resume; an empty box removes it",
            custom_attrs={"autocomplete": "off"},
        ),
        rx.el.div(
            file_button("attach", "Choose a resume file", JobState.fill_resume),
            rx.el.span("PDF, Markdown, text or a saved web page."),
            class_name="hint-row",
        ),
        rx.cond(JobState.reading != "", rx.el.p(icon("file", 15), JobState.reading, class_name="working")),
        notice(JobState.form_problem),
        rx.el.div(
            rx.el.button("Compare", type="submit", class_name="button go"),
            rx.el.button("Cancel", type="button", class_name="button quiet", on_click=JobState.change_resume),
            class_name="actions",
        ),
        class_name="card study-card",
        on_submit=JobState.save_resume(text_of(RESUME, MOST_CHARACTERS)),
        custom_attrs={"aria-label": "Resume"},
    )
