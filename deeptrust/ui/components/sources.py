"""The Sources tab: ways to add, what is on its way in, and what is there."""

import reflex as rx

from deeptrust.ui.components.icons import icon, icon_button
from deeptrust.ui.components.model_card import progress_bar
from deeptrust.ui.components.pieces import address_form, bars, notice
from deeptrust.ui.components.upload import drop_zone
from deeptrust.ui.state.library import LibraryState
from deeptrust.ui.views.document import DocumentLine, IntakeLine


def sources() -> rx.Component:
    return rx.fragment(
        rx.el.h2("Sources", class_name="visually-hidden"),
        drop_zone("panel-upload"),
        _other_ways(),
        rx.cond(LibraryState.problem != "", _problem()),
        rx.cond(LibraryState.intake, rx.el.div(rx.foreach(LibraryState.intake, _intake), class_name="intake")),
        rx.cond(LibraryState.is_loaded, _documents(), bars()),
    )


def _other_ways() -> rx.Component:
    return rx.el.details(
        rx.el.summary("Add an address or a note"),
        rx.el.div(
            address_form(
                "url", "Address (kept as a reference, not fetched)", "Add", "Add an address", LibraryState.add_url
            ),
            rx.el.form(
                rx.el.label("Note", html_for="note"),
                rx.el.div(
                    rx.el.textarea(
                        id="note",
                        name="note",
                        class_name="field",
                        placeholder="Write or paste text",
                        custom_attrs={"data-limit": "note"},
                    ),
                    rx.el.button("Add note", type="submit", class_name="button"),
                    class_name="inline-form tall",
                ),
                on_submit=LibraryState.add_note,
                custom_attrs={"aria-label": "Add a note"},
            ),
            notice(LibraryState.form_problem),
            class_name="more-forms",
        ),
        class_name="more",
    )


def _problem() -> rx.Component:
    return rx.el.div(
        notice(LibraryState.problem),
        rx.el.button("Try again", type="button", class_name="button", on_click=LibraryState.refresh),
        style={"display": "grid", "gap": "8px", "justify-items": "start"},
    )


def _intake(line: IntakeLine) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.cond(
                line.is_locked,
                icon("lock"),
                rx.match(line.tone, ("bad", icon("triangle-alert")), ("off", icon("copy-check")), icon("file")),
            ),
            rx.el.span(line.name, class_name="name"),
            rx.cond(
                line.tone != "busy",
                icon_button("x", "Dismiss", on_click=LibraryState.dismiss(line.key)),
                rx.cond(
                    line.document_id != "",
                    icon_button("square", "Stop", on_click=LibraryState.stop_intake(line.document_id)),
                ),
            ),
            class_name="row",
        ),
        rx.el.p(line.stage, class_name="stage"),
        rx.cond(line.tone == "busy", progress_bar(line.percent, line.name)),
        rx.cond(line.is_locked, _unlock(line)),
        class_name="intake-line",
        custom_attrs={"data-tone": line.tone},
    )


def _unlock(line: IntakeLine) -> rx.Component:
    """The password goes from the field to the reader of the file; the page does not keep it."""
    return rx.el.form(
        rx.el.input(type="hidden", name="key", value=line.key),
        rx.el.input(
            name="password",
            type="password",
            class_name="field",
            auto_focus=line.is_retry,
            required=True,
            custom_attrs={"aria-label": "Password of " + line.name, "autocomplete": "off"},
        ),
        rx.el.button("Unlock", type="submit", class_name="button"),
        class_name="inline-form",
        on_submit=LibraryState.unlock,
        custom_attrs={"aria-label": "Unlock " + line.name},
    )


def _documents() -> rx.Component:
    return rx.cond(
        LibraryState.documents,
        rx.el.div(
            rx.el.h3(LibraryState.summary, style={"padding-bottom": "8px"}),
            rx.foreach(LibraryState.documents, _document),
            rx.cond(
                LibraryState.total > LibraryState.documents.length(),
                rx.el.button("Show more", type="button", class_name="button quiet", on_click=LibraryState.show_more),
            ),
            class_name="documents",
        ),
        rx.el.div(
            rx.el.p("No documents yet. Drop some above, or bring the samples.", class_name="quiet-note"),
            rx.el.button(
                icon("library"),
                "Add sample documents",
                type="button",
                class_name="button",
                on_click=LibraryState.add_samples,
            ),
            hidden=LibraryState.intake.length() > 0,  # they come already, or say why not
            style={"display": "grid", "gap": "10px", "justify-items": "start"},
        ),
    )


def _document(line: DocumentLine) -> rx.Component:
    return rx.el.div(
        rx.match(line.icon, ("note", icon("sticky-note")), ("url", icon("link")), icon("file-text")),
        rx.el.div(rx.el.b(line.title, title=line.title), rx.el.small(line.detail), style={"min-width": "0"}),
        rx.cond(LibraryState.doomed == line.id, _confirm(), _remove(line)),
        class_name="document",
        custom_attrs={"data-row": ""},
    )


def _remove(line: DocumentLine) -> rx.Component:
    return rx.el.button(
        icon("trash-2"),
        type="button",
        class_name="icon-button",
        title="Remove",
        on_click=LibraryState.ask_to_remove(line.id),
        custom_attrs={"aria-label": "Remove " + line.title},
    )


def _confirm() -> rx.Component:
    return rx.el.div(
        rx.el.button(
            "Remove",
            type="button",
            class_name="button danger",
            title="Its text is gone from the disk within a minute.",
            auto_focus=True,
            on_click=LibraryState.remove,
        ),
        rx.el.button(
            "Keep",
            type="button",
            class_name="button quiet",
            on_click=LibraryState.ask_to_remove(""),
            custom_attrs={"data-escapes": ""},
        ),
        class_name="confirm",
    )
