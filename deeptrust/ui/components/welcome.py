"""The empty page: one sentence, three questions to start with, the samples, and a place to drop files."""

import reflex as rx

from deeptrust.ui.components.browser import IS_STILL
from deeptrust.ui.components.egress import IS_WEB
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.place import HERE
from deeptrust.ui.components.upload import drop_zone
from deeptrust.ui.starters import STARTERS, Starter
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.state.library import LibraryState
from deeptrust.ui.state.model import ModelState


def _what_leaves() -> rx.Var[str]:
    """What may go out, as it is set now; where several things do, the one that takes most with it comes first."""
    is_traced = ModelState.tracing_project != ""
    tracing = "; tracing sends the prompts of research runs to LangSmith."
    found = "Your question and the passages that are found go to " + ModelState.writer_leaves
    searched = rx.cond(
        IS_WEB,
        "Only the search words of a plan that you approve leave " + HERE + ".",
        "Nothing leaves " + HERE + ".",
    )
    return rx.cond(
        ModelState.search_leaves,
        "Your documents and questions leave " + HERE + " to be embedded by " + ModelState.embedder + ".",
        rx.cond(
            ModelState.writer_leaves != "",
            rx.cond(is_traced, found + tracing, found + "."),
            rx.cond(is_traced, "Your files stay on " + HERE + tracing, searched),
        ),
    )


def welcome() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.h1("Ask your documents. Every sentence of the answer shows its page."),
            rx.el.p(
                _what_leaves(),
                class_name="lead",
            ),
        ),
        rx.el.div(*[_starter(number, starter) for number, starter in enumerate(STARTERS)], class_name="starters"),
        rx.cond(
            LibraryState.total == 0,
            rx.el.div(
                drop_zone("welcome-upload"),
                rx.el.div(
                    rx.el.button(
                        icon("library"),
                        "Try it with sample documents",
                        type="button",
                        class_name="button",
                        on_click=LibraryState.add_samples,
                    ),
                    rx.el.span("The questions above bring them too.", class_name="small dim"),
                    class_name="welcome-row",
                ),
                style={"display": "grid", "gap": "14px"},
            ),
            rx.el.p(
                icon("circle-check"),
                LibraryState.summary,
                " ready to ask.",
                class_name="meta",
                style={"align-items": "center"},
            ),
        ),
        class_name="welcome",
    )


def _starter(number: int, starter: Starter) -> rx.Component:
    return rx.el.button(
        rx.el.span(icon(starter.icon, 14), starter.topic, class_name="topic"),
        rx.el.b(starter.question),
        type="button",
        class_name="card starter",
        on_click=ConversationState.start_with(number, IS_STILL),
    )
