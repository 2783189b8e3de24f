"""What a posting states, field by field, each with its sentence, and the editor of one field."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import notice, text_of
from deeptrust.ui.state.study_job import JobState
from deeptrust.ui.views.study_facts import FactLine, FactValue

_MOST = 40_000
_BOX = "fact-text"


def facts() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("What the posting states"),
            rx.el.p(
                JobState.stated.to_string() + " of " + JobState.facts.length().to_string() + " fields are stated. "
                "Underlined values show their sentence.",
                class_name="dim small",
            ),
        ),
        rx.el.dl(rx.foreach(JobState.facts, _fact), class_name="card fact-list"),
        class_name="study-section",
    )


def _fact(line: FactLine) -> rx.Component:
    return rx.el.div(
        rx.el.dt(line.label),
        rx.el.dd(rx.cond(JobState.editing == line.name, _editor(line), _shown(line))),
        class_name="fact",
        custom_attrs={"data-row": ""},
    )


def _shown(line: FactLine) -> rx.Component:
    return rx.fragment(
        rx.cond(
            line.stated,
            rx.el.ul(rx.foreach(line.stated, _value)),
            rx.el.span("not stated", class_name="not-stated"),
        ),
        rx.el.button(
            icon("pencil", 14),
            type="button",
            class_name="icon-button",
            title="Edit",
            on_click=JobState.edit(line.name),
            custom_attrs={"aria-label": "Edit " + line.label},
        ),
    )


def _value(value: FactValue) -> rx.Component:
    return rx.el.li(
        quoted(value.text, value.quote),
        rx.cond(value.is_own, rx.el.span("entered by you", class_name="own")),
    )


def quoted(text: Any, sentence: Any) -> rx.Component:
    """A text whose sentence of the posting shows on hover and on focus, and is read out after it."""
    return rx.cond(
        sentence != "",
        rx.el.span(
            text,
            rx.el.span(" The posting says: ", sentence, class_name="visually-hidden"),
            class_name="quoted",
            tab_index=0,
            custom_attrs={"data-tip": "The posting says: “" + sentence + "”"},
        ),
        rx.el.span(text),
    )


def _editor(line: FactLine) -> rx.Component:
    return rx.el.form(
        rx.cond(
            line.is_long,
            rx.el.textarea(
                id=_BOX, class_name="field", default_value=line.draft, custom_attrs={"aria-label": line.label}
            ),
            rx.el.input(
                id=_BOX,
                class_name="field",
                type="text",
                default_value=line.draft,
                custom_attrs={"aria-label": line.label},
            ),
        ),
        rx.cond(line.hint != "", rx.el.p(line.hint, class_name="dim small")),
        notice(JobState.edit_problem),
        rx.el.div(
            rx.el.button("Save", type="submit", class_name="button go"),
            rx.el.button(
                "Cancel",
                type="button",
                class_name="button quiet",
                on_click=JobState.edit(""),
                custom_attrs={"data-escapes": ""},
            ),
            rx.el.span("Empty means not stated.", class_name="dim small"),
            class_name="actions",
        ),
        class_name="fact-editor",
        on_submit=JobState.save_fact(text_of(_BOX, _MOST)),
        custom_attrs={"aria-label": "Edit " + line.label},
    )
