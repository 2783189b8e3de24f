"""The plan that waits: approve it, edit it, or reject it."""

from uuid import uuid4

import reflex as rx

from deeptrust.domain.approval import Approve, Edit, Reject
from deeptrust.errors import Conflict, DeepTrustError
from deeptrust.services import current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.views import plan_form
from deeptrust.ui.views.plan_form import StepRow

MAX_REASON_CHARACTERS = 4_000


class ApprovalState(rx.State):
    """What the approval card is at. `editing` and `rejecting` hold the approval they belong to, so that a form never
    outlives the plan it was opened for.
    """

    editing: str = ""
    rejecting: str = ""
    rows: list[StepRow] = []
    problem: str = ""
    problem_run: str = ""

    @rx.event
    async def approve(self, run_id: str, plan_hash: str, is_still: bool = True):
        """Say yes to exactly the plan with this hash."""
        (await self.get_state(ConversationState))._is_still = bool(is_still)
        await self._decide(str(run_id), Approve(), str(plan_hash))

    @rx.event
    async def open_edit(self):
        plan = (await self.get_state(ConversationState)).plan
        self.rows, self.editing, self.rejecting, self.problem = plan_form.rows_of(plan), plan.approval_id, "", ""

    @rx.event
    async def open_reject(self):
        plan = (await self.get_state(ConversationState)).plan
        self.rejecting, self.editing, self.problem = plan.approval_id, "", ""

    @rx.event
    def close_form(self):
        self.editing, self.rejecting, self.problem = "", "", ""
        return rx.set_focus("gate")

    @rx.event
    def add_step(self):
        if len(self.rows) < plan_form.MAX_ROWS:
            self.rows = [*self.rows, StepRow(key=str(uuid4()), is_new=True)]

    @rx.event
    def remove_step(self, key: str):
        self.rows = [row for row in self.rows if row.key != key]
        return rx.set_focus("objective")

    @rx.event
    def move_step(self, key: str, by: int):
        self.rows = plan_form.moved(self.rows, str(key), by)

    @rx.event
    async def save(self, form: dict):
        """Send the edited plan; it is audited again. A refused one stays in the form as it was typed."""
        plan = (await self.get_state(ConversationState)).plan
        try:
            draft = plan_form.read_draft(form, self.rows)
        except DeepTrustError as error:
            self._tell(plan.run_id, str(error))
        else:
            await self._decide(plan.run_id, Edit(plan=draft), plan.plan_hash)

    @rx.event
    async def reject(self, form: dict):
        """Say no; with a reason the plan is made anew."""
        plan = (await self.get_state(ConversationState)).plan
        reason = str(form.get("reason", "")).strip()
        if len(reason) > MAX_REASON_CHARACTERS:
            self._tell(plan.run_id, f"A reason may have {MAX_REASON_CHARACTERS:,} characters. Shorten it.")
        else:
            await self._decide(plan.run_id, Reject(reason=reason or None), plan.plan_hash)

    async def _decide(self, run_id: str, outcome: Approve | Edit | Reject, plan_hash: str):
        services = current_services()
        self.problem = ""
        try:
            await services.runner.decide(owner_of(self), run_id, outcome, plan_hash)
        except Conflict as error:  # decided elsewhere, overdue or stale: the log shows the true state
            self.editing = self.rejecting = ""
            self._tell(run_id, str(error))
        except DeepTrustError as error:
            self._tell(run_id, str(error))

    def _tell(self, run_id: str, problem: str):
        self.problem, self.problem_run = problem, run_id
