"""Places that take files: a drop zone, and the attach button of the composer."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.icons import icon, icon_button
from deeptrust.ui.components.place import HERE
from deeptrust.ui.state.library import LibraryState
from deeptrust.ui.state.model import ModelState


def drop_zone(name: str) -> rx.Component:
    """A zone to drop files on or to press; `name` is unique on the page."""
    return _upload(
        name,
        rx.el.button(
            icon("file-up", 20),
            rx.el.b("Drop files here, or choose them"),
            rx.el.span("PDF, text or Markdown. ", _where_they_go()),
            type="button",
            class_name="drop",
        ),
    )


def _where_they_go() -> rx.Var[str]:
    return rx.cond(
        ModelState.search_leaves,
        "Their text is sent to be embedded by " + ModelState.embedder + ".",
        rx.cond(
            ModelState.writer_leaves != "",
            "What is found in them goes to " + ModelState.writer_leaves + ".",
            "They stay on " + HERE + ".",
        ),
    )


def attach_button(name: str) -> rx.Component:
    return _upload(name, icon_button("paperclip", "Attach files"))


def file_button(name: str, label: str, on_files: Any) -> rx.Component:
    """A button with a word; `on_files` is the background event that takes the pieces of the files."""
    return _upload(name, rx.el.button(icon("file-up", 15), label, type="button", class_name="button"), on_files)


def _upload(name: str, button: rx.Component, on_files: Any = LibraryState.add_files) -> rx.Component:
    """Wrap `button`: a press or a drop on it sends the files.

    Types and sizes are judged on the server, which answers with a sentence for each file; the browser's own
    filter would drop a file without a word.
    """
    upload = rx.upload.root(
        button,
        id=name,
        no_keyboard=True,  # the button inside is what the keyboard reaches
        on_drop=on_files(rx.upload_files_chunk(upload_id=name)),
        class_name="upload",
        custom_attrs={"data-upload": name},
    )
    zone = upload.children[0]
    zone.children[0].custom_attrs = {"aria-label": "Files"}  # the hidden input that Reflex puts first
    return upload
