"""What the page holds of the open conversation, and how it changes with the news of a run."""

from dataclasses import replace

import reflex as rx

from deeptrust.domain.run import RunEvent, RunKind
from deeptrust.ui.state.panel import PLAN, PanelState
from deeptrust.ui.views import run as views
from deeptrust.ui.views.plan import PlanView, advance_plan
from deeptrust.ui.views.run import Turn
from deeptrust.ui.views.trace import TraceLine, trace_of


class ConversationData(rx.State, mixin=True):
    """`_ticket` changes whenever another conversation is opened: who follows the old one lets go.

    `thread_id` outlives a restart of the server in the browser's session storage; `_opened` is what this server
    knows, and wins: a browser that was offline sends an old value when it comes back (UI-10).
    """

    thread_id: str = rx.SessionStorage("", name="deeptrust-conversation")
    turns: list[Turn] = []
    earlier: int = 0
    draft: str = ""
    plan: PlanView = PlanView()
    trace: list[TraceLine] = []
    is_busy: bool = False
    is_ready: bool = False
    problem: str = ""
    announcement: str = ""
    quiet: str = ""
    _heard_at: float = 0.0
    _ticket: int = 0
    _is_still: bool = True
    _opened: str | None = None

    @rx.var
    def is_waiting(self) -> bool:
        """Whether a plan waits for the person: nothing else competes with it then."""
        return bool(self.turns) and self.turns[-1].phase == views.WAITING

    @rx.var
    def is_planning(self) -> bool:
        """Whether a plan is being made or audited."""
        return bool(self.turns) and self.turns[-1].kind == RunKind.RESEARCH and self.turns[-1].phase == views.THINKING

    def _leave(self, thread_id: str):
        """Show an empty page if this conversation, deleted by now, is the open one."""
        if self.thread_id == thread_id:
            self._clear()

    def _clear(self):
        self._ticket += 1
        self.thread_id, self._opened, self.turns, self.earlier = "", "", [], 0
        self.draft, self.trace, self.is_busy, self.problem, self.is_ready = "", [], False, "", True
        self.plan, self.quiet = PlanView(), ""

    async def _show_plan(self, kind: RunKind):
        """Open the Plan tab for a run that plans; what it showed of a former run goes."""
        if kind is RunKind.RESEARCH:
            self.plan = self.plan if self.plan.run_id == self.turns[-1].run_id else PlanView()
            (await self.get_state(PanelState)).tab = PLAN

    def _settle_turns(self):
        """Only the last turn can be taken up again: what follows it would otherwise stand on something else."""
        self.turns = [replace(turn, retry="") if turn.retry else turn for turn in self.turns]

    def _give_up(self, problem: str):
        self.turns, self.is_busy, self.problem = self.turns[:-1], False, problem
        self.announcement = problem

    def _apply(self, event: RunEvent):
        self.quiet, self._heard_at = "", event.at.timestamp()
        self.turns[-1] = views.advance(self.turns[-1], event)
        self.plan = advance_plan(self.plan, event)
        self.trace = [*self.trace, *trace_of([event])]
        self.announcement = views.announcement(self.turns[-1], event) or self.announcement
