from deeptrust.domain.chat import ModelPhase, ModelState
from deeptrust.domain.plan import Tool
from deeptrust.domain.run import RunKind
from deeptrust.ui.views.plan import RUNNING, PlanView, StepLine
from deeptrust.ui.views.run import EXECUTING, THINKING, WAITING, Turn
from deeptrust.ui.views.waiting import is_working, still_working

READY = ModelState(name="Scripted", phase=ModelPhase.READY)
PLANNING = Turn(run_id="r", question="q", kind=RunKind.RESEARCH.value, phase=THINKING)


def running(tool: Tool) -> PlanView:
    return PlanView(steps=[StepLine(id="s", number=1, tool=tool.value, tag="", input="", why="", state=RUNNING)])


def test_hit_07_the_line_says_what_is_waited_for():
    assert still_working(PLANNING, PlanView(), READY, 24.4) == "Still working: waiting for the model (24 s)"
    loading = READY.model_copy(update={"phase": ModelPhase.LOADING, "progress": 40})
    assert still_working(PLANNING, PlanView(), loading, 11) == "Still working: the model is loading, 40 % (11 s)"
    unseen = loading.model_copy(update={"progress": 100})
    assert "waiting for the model" in still_working(PLANNING, PlanView(), unseen, 11)
    assert still_working(PLANNING, PlanView(), None, 11) == "Still working (11 s)"


def test_a_step_under_way_is_named():
    turn = Turn(run_id="r", question="q", kind=RunKind.RESEARCH.value, phase=EXECUTING)
    assert "the web search" in still_working(turn, running(Tool.WEB_SEARCH), READY, 12)
    assert "reading your documents" in still_working(turn, running(Tool.KNOWLEDGE_SEARCH), READY, 12)


def test_a_plan_that_waits_for_a_person_is_not_at_work():
    assert is_working(PLANNING)
    assert not is_working(Turn(run_id="r", question="q", phase=WAITING))
