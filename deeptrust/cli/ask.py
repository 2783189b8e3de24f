"""`deeptrust ask`: a cited answer from your documents."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from deeptrust.cli.files import add_files, is_taken_in
from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_answer, print_json, print_note
from deeptrust.cli.workspace import open_workspace
from deeptrust.domain.answer import GroundedAnswer
from deeptrust.domain.document import IngestOutcome
from deeptrust.domain.question import check_question
from deeptrust.settings import Settings, load_settings


def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    file: Annotated[list[Path] | None, typer.Option(help="Add this file first; may be given several times.")] = None,
    json: JsonOption = False,
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Answer a question from your documents; every sentence is a quote with its page."""
    settings = load_settings(home=home, offline=offline or None)
    question = check_question(question, settings.max_question_characters)
    outcomes, answer = asyncio.run(_answer(settings, question, file or []))
    for outcome in outcomes:
        if outcome.reason and not is_taken_in(outcome):
            print_note(f"{outcome.name}: {outcome.reason}")
    if json:
        print_json(answer.to_wire())
    else:
        print_answer(answer)
    if not all(is_taken_in(outcome) for outcome in outcomes):
        raise typer.Exit(2)


async def _answer(settings: Settings, question: str, paths: list[Path]) -> tuple[list[IngestOutcome], GroundedAnswer]:
    async with open_workspace(settings) as workspace:
        outcomes = await add_files(workspace, paths, settings)
        detail = await workspace.ask(question)
    return outcomes, detail.answer
