"""The pages and their addresses, all in one place."""

import reflex as rx

from deeptrust.ui.addresses import JOB, SETTINGS, STUDY, WORKSPACE
from deeptrust.ui.components.account import account
from deeptrust.ui.components.composer import composer
from deeptrust.ui.components.conversation import conversation
from deeptrust.ui.components.deletion import deletion
from deeptrust.ui.components.faults import lost_connection, tell_fault
from deeptrust.ui.components.icons import icon, icon_button
from deeptrust.ui.components.keys import keys
from deeptrust.ui.components.model_card import model_card, model_pill
from deeptrust.ui.components.panel import panel
from deeptrust.ui.components.rail import brand, rail
from deeptrust.ui.components.retry import retry_question
from deeptrust.ui.components.settings import settings
from deeptrust.ui.components.study_job import study_job
from deeptrust.ui.components.study_list import study_list
from deeptrust.ui.state.approval import ApprovalState
from deeptrust.ui.state.composer import ComposerState
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.state.deletion import DeletionState
from deeptrust.ui.state.evidence import EvidenceState
from deeptrust.ui.state.grounded import GroundedState
from deeptrust.ui.state.history import HistoryState
from deeptrust.ui.state.library import LibraryState
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.state.offers import OffersState
from deeptrust.ui.state.servers import ServersState
from deeptrust.ui.state.study import StudyState
from deeptrust.ui.state.study_job import JobState
from deeptrust.ui.theme import HEAD, STYLESHEETS, font

_OVERLAY = (5, "Overlay")
"""Where Reflex puts its own words for a lost connection."""


def add_pages(app: rx.App) -> None:
    """Give `app` its look and its pages."""
    app.stylesheets.extend(STYLESHEETS)
    app.head_components.extend(HEAD)
    app.html_lang = "en"
    app.app_wraps[_OVERLAY] = lambda is_stateful: rx.fragment(lost_connection()) if is_stateful else None
    app.backend_exception_handler = tell_fault
    app.add_page(
        workspace(),
        route=WORKSPACE,
        title="DeepTrust",
        description="Ask your documents; every sentence of the answer shows its page.",
        on_load=[
            ModelState.refresh,
            LibraryState.refresh,
            HistoryState.refresh,
            ComposerState.refresh,
            ConversationState.open_page,
        ],
    )
    app.add_page(
        study_list(),
        route=STUDY,
        title="Study, DeepTrust",
        description="Prepare for a job from its posting.",
        on_load=[ModelState.refresh, HistoryState.refresh, StudyState.refresh],
    )
    app.add_page(
        study_job(),
        route=JOB,
        title="Job, DeepTrust",
        description="What a posting states, what is missing, and a pack to prepare with.",
        on_load=[ModelState.refresh, HistoryState.refresh, JobState.open_page, GroundedState.open_page],
    )
    app.add_page(
        settings(),
        route=SETTINGS,
        title="Settings, DeepTrust",
        description="Which chat model plans and writes, and what leaves this machine.",
        on_load=[ModelState.refresh, HistoryState.refresh, OffersState.open_page, ServersState.refresh],
    )


def workspace() -> rx.Component:
    return rx.el.div(
        rx.el.a("Skip to the question", href="#question", class_name="skip"),
        font(),
        rail(),
        rx.el.main(_topbar(), conversation(), composer(), _drop_veil(), id="main"),
        rx.el.div(class_name="veil"),
        panel(),
        model_card(),
        keys(),
        account(),
        deletion(),
        retry_question(),
        _live_region(),
        class_name="app",
    )


def _topbar() -> rx.Component:
    """Shown on small screens only: the way to the rail and to the panel."""
    return rx.el.header(
        icon_button("menu", "Open the menu", class_name="drawer-open", attributes={"data-opens-drawer": ""}),
        brand(),
        model_pill(),
        rx.el.button(
            icon("panel-right", 15),
            rx.el.span("Sources"),
            type="button",
            class_name="button sheet-open",
            custom_attrs={"data-opens-panel": "", "aria-controls": "panel", "aria-label": "Sources and evidence"},
        ),
        class_name="topbar",
    )


def _drop_veil() -> rx.Component:
    return rx.el.div("Drop to add to your documents", class_name="drop-veil", custom_attrs={"aria-hidden": "true"})


def _live_region() -> rx.Component:
    """Progress and finished answers for a screen reader: each stage once, never every word."""
    return rx.el.div(
        rx.el.p(ConversationState.announcement),
        rx.el.p(LibraryState.announcement),
        rx.el.p(ApprovalState.problem),
        rx.el.p(EvidenceState.announcement),
        rx.el.p(DeletionState.announcement),
        class_name="visually-hidden",
        custom_attrs={"role": "status", "aria-live": "polite"},
    )
