"""`deeptrust research`: a plan, your yes, a report in which every claim is cited."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from deeptrust.cli.files import add_files, is_taken_in
from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_note
from deeptrust.cli.report import finish
from deeptrust.cli.workspace import Workspace, open_workspace
from deeptrust.domain.approval import Approve, Reject
from deeptrust.domain.plan import AuditResult, ResearchPlan
from deeptrust.domain.question import check_question
from deeptrust.domain.run import RunKind, RunRequest, RunStatus, Sources
from deeptrust.runs.projection import RunView
from deeptrust.settings import Settings, load_settings

ApproveOption = Annotated[bool, typer.Option("--approve", help="Say yes to the first plan that the policy passes.")]


def research(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    file: Annotated[list[Path] | None, typer.Option(help="Add this file first; may be given several times.")] = None,
    web: Annotated[bool, typer.Option("--web", help="Let the plan search the web as well.")] = False,
    approve: ApproveOption = False,
    json: JsonOption = False,
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Plan, ask for approval, carry out, report. Without --approve the plan is shown and nothing runs before a yes."""
    settings = load_settings(home=home, offline=offline or None)
    request = RunRequest(
        kind=RunKind.RESEARCH,
        question=check_question(question, settings.max_question_characters),
        sources=Sources.DOCUMENTS_AND_WEB if web and not settings.offline else Sources.DOCUMENTS,
    )
    view = asyncio.run(_research(settings, request, file or [], approve))
    finish(view, json)


async def _research(settings: Settings, request: RunRequest, paths: list[Path], approve: bool) -> RunView:
    async with open_workspace(settings) as workspace:
        for outcome in await add_files(workspace, paths, settings):
            if not is_taken_in(outcome):
                print_note(f"{outcome.name}: {outcome.reason}")
        run_id = await workspace.start(request)
        view = await workspace.wait(run_id)
        while view.status is RunStatus.AWAITING_APPROVAL:
            await _decide(workspace, view, approve)
            view = await workspace.wait(run_id)
    return view


async def _decide(workspace: Workspace, view: RunView, approve: bool) -> None:
    """Say yes if told to; otherwise show the plan and ask, on stderr, so that stdout stays the report's."""
    if not approve:
        _show_plan(view.plan, view.audit_result)
        approve = await asyncio.to_thread(typer.confirm, "Run this plan?", default=False, err=True)
    await workspace.decide(view.thread_id, Approve() if approve else Reject(), view.plan_hash)


def _show_plan(plan: ResearchPlan | None, audit: AuditResult | None) -> None:
    if plan is None:
        return
    print_note(f"Plan: {plan.objective}")
    for number, step in enumerate(plan.steps, 1):
        print_note(f"  {number}. {step.tool}: {step.input}\n     {step.rationale}")
    for finding in audit.findings if audit else ():
        print_note(f"  {'holds ' if finding.holds else 'BROKEN'} {finding.rule}: {finding.detail or finding.line}")
