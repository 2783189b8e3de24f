"""The workspace: the conversation with its composer, and the side panel."""

import reflex as rx

from deeptrust.ui.addresses import WORKSPACE
from deeptrust.ui.components.composer import composer
from deeptrust.ui.components.conversation import conversation
from deeptrust.ui.components.frame import frame
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.panel import panel
from deeptrust.ui.components.retry import retry_question
from deeptrust.ui.state.approval import ApprovalState
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.state.evidence import EvidenceState
from deeptrust.ui.state.library import LibraryState


def workspace() -> rx.Component:
    return frame(
        conversation(),
        composer(),
        rx.el.div("Drop to add to your documents", class_name="drop-veil", custom_attrs={"aria-hidden": "true"}),
        retry_question(),
        place=WORKSPACE,
        skip=("question", "question"),
        live=(
            ConversationState.announcement,
            LibraryState.announcement,
            ApprovalState.problem,
            EvidenceState.announcement,
        ),
        panel=panel(),
        panel_button=_panel_button(),
    )


def _panel_button() -> rx.Component:
    return rx.el.button(
        icon("panel-right", 15),
        rx.el.span("Sources"),
        type="button",
        class_name="button sheet-open",
        custom_attrs={"data-opens-panel": "", "aria-controls": "panel", "aria-label": "Sources and evidence"},
    )
