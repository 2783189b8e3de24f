"""The pages and their addresses, all in one place."""

import reflex as rx

from deeptrust.ui.addresses import JOB, SETTINGS, STUDY, WORKSPACE
from deeptrust.ui.components.faults import lost_connection, tell_fault
from deeptrust.ui.components.settings import settings
from deeptrust.ui.components.study_job import study_job
from deeptrust.ui.components.study_list import study_list
from deeptrust.ui.components.workspace import workspace
from deeptrust.ui.state.composer import ComposerState
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.state.grounded import GroundedState
from deeptrust.ui.state.history import HistoryState
from deeptrust.ui.state.library import LibraryState
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.state.offers import OffersState
from deeptrust.ui.state.servers import ServersState
from deeptrust.ui.state.study import StudyState
from deeptrust.ui.state.study_job import JobState
from deeptrust.ui.theme import HEAD, STYLESHEETS

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
