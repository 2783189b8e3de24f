"""The prep pack: four documents as tabs, each to read, to write anew and to take along."""

import reflex as rx

from deeptrust.study.jobs import MOST_CHARACTERS
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.markdown import markdown
from deeptrust.ui.components.pieces import notice, text_of
from deeptrust.ui.state.study_job import JobState
from deeptrust.ui.views.study import PackTab

_BOX = "document-text"


def pack() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Prep pack"),
            rx.el.button(
                icon("download", 15),
                "Download zip",
                type="button",
                class_name="button",
                on_click=JobState.download_pack,
            ),
            class_name="section-head",
        ),
        rx.el.div(
            rx.el.div(
                rx.foreach(JobState.tabs, _tab),
                class_name="tabs",
                custom_attrs={"role": "tablist", "aria-label": "Documents of the pack", "data-list": "tabs"},
            ),
            rx.el.div(
                rx.cond(JobState.is_writing, _editor(), _reader()),
                id="pack-document",
                class_name="pack-document",
                tab_index=0,
                custom_attrs={"role": "tabpanel", "aria-label": "Document", "data-row": ""},
            ),
            class_name="card",
        ),
        notice(JobState.pack_problem),
        class_name="study-section",
    )


def _tab(tab: PackTab) -> rx.Component:
    is_open = JobState.tab == tab.name
    return rx.el.button(
        tab.title,
        type="button",
        class_name="tab",
        on_click=JobState.open_tab(tab.name),
        custom_attrs={
            "role": "tab",
            "aria-selected": rx.cond(is_open, "true", "false"),
            "aria-controls": "pack-document",
            "tabindex": rx.cond(is_open, "0", "-1"),
        },
    )


def _reader() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.cond(JobState.is_own, rx.el.span(icon("pencil", 13), "Your own version", class_name="pill off")),
            rx.el.div(
                rx.cond(
                    JobState.is_own,
                    rx.el.button(
                        icon("rotate-ccw", 15),
                        "Reset",
                        type="button",
                        class_name="button quiet",
                        title="Build this document from the posting again",
                        on_click=JobState.reset_document,
                    ),
                ),
                rx.el.button(
                    icon("pencil", 15), "Edit", type="button", class_name="button quiet", on_click=JobState.write
                ),
                class_name="actions end",
            ),
            class_name="pack-actions",
        ),
        markdown(text=JobState.document),
    )


def _editor() -> rx.Component:
    return rx.el.form(
        rx.el.label("Markdown of this document", html_for=_BOX),
        rx.el.textarea(id=_BOX, class_name="field mono", default_value=JobState.source, auto_focus=True),
        rx.el.div(
            rx.el.button("Save", type="submit", class_name="button go"),
            rx.el.button("Cancel", type="button", class_name="button quiet", on_click=JobState.write),
            class_name="actions",
        ),
        class_name="stack wide",
        on_submit=JobState.save_document(text_of(_BOX, MOST_CHARACTERS)),
        custom_attrs={"aria-label": "Edit the document"},
    )
