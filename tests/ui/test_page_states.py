"""What any client may call, and what it cannot reach."""

import inspect

import pytest
import reflex as rx

from deeptrust.domain.run import RunKind, Sources
from deeptrust.ui.starters import CHIPS
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
from deeptrust.ui.state.panel import PanelState
from deeptrust.ui.state.retry import RetryState
from deeptrust.ui.state.servers import ServersState
from deeptrust.ui.state.study import StudyState
from deeptrust.ui.state.study_job import JobState
from deeptrust.ui.views.model import TrialLine
from deeptrust.ui.views.plan import PlanView

STATES = [
    ApprovalState,
    ComposerState,
    ConversationState,
    DeletionState,
    EvidenceState,
    GroundedState,
    HistoryState,
    JobState,
    LibraryState,
    ModelState,
    OffersState,
    PanelState,
    RetryState,
    ServersState,
    StudyState,
]


@pytest.mark.parametrize("state", STATES)
def test_aut_09_no_variable_has_a_setter_that_a_client_could_call(state: type[rx.State]):
    # Reflex's own `setvar` only calls such a setter, and there is none.
    assert [name for name in dir(state) if name.startswith("set_")] == ["set_is_hydrated"]


@pytest.mark.parametrize("state", STATES)
def test_aut_10_no_underscore_method_is_an_event(state: type[rx.State]):
    assert [name for name in state.event_handlers if name.startswith("_")] == []


@pytest.mark.parametrize("state", STATES)
def test_no_secret_connection_or_task_is_held_by_a_page(state: type[rx.State]):
    plain = (str, int, bool, float, list, PlanView, TrialLine, type(None))
    fresh = state()  # pyright: ignore[reportCallIssue]
    own = state.__fields__.keys() - rx.State.__fields__.keys()
    assert own
    assert all(isinstance(getattr(fresh, name), plain) for name in own)


@pytest.mark.parametrize("state", STATES)
def test_handlers_are_short(state: type[rx.State]):
    """At most ten lines of body: validate, call a service, assign."""
    for name, handler in state.event_handlers.items():
        if handler.fn.__module__.startswith("deeptrust"):
            assert len(inspect.getsource(handler.fn).splitlines()) <= 16, name


def test_a_chip_shapes_the_question_and_names_what_it_reaches():
    assert CHIPS[RunKind.ASK][0].shaped("the deposit? ") == "What exactly is said about: the deposit?"
    reaches = [chip.reach for chip in CHIPS[RunKind.RESEARCH]]
    assert reaches == [Sources.DOCUMENTS_AND_WEB, None, Sources.DOCUMENTS]


def test_only_the_two_modes_can_be_chosen():
    state = ComposerState()  # pyright: ignore[reportCallIssue]
    state.choose("research")
    state.choose("anything")
    assert state.mode == "research"


def test_an_unknown_tab_is_ignored():
    state = PanelState()  # pyright: ignore[reportCallIssue]
    state.show("settings")
    assert state.tab == "sources"
