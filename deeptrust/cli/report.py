"""How a research run is printed once it has stopped: its report, what its models took, and what went wrong."""

import typer

from deeptrust.cli.output import print_json, print_note
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.run import Evidence, RunStatus
from deeptrust.runs.projection import RunView
from deeptrust.runs.retries import RetryPoint

_WIRE_NAMES = (
    "threadId status evidence userQuery plan auditResult stepResults finalReport citations model embedder "
    "errorMessage reasoning retry"
).split()


def finish(view: RunView, json: bool) -> None:
    """Print the run, as JSON or for a person.

    Raises:
        typer.Exit: it did not complete; exit code 1.
    """
    if json:
        wire = view.to_wire()
        print_json({name: wire[name] for name in _WIRE_NAMES})
    else:
        _print_report(view)
    if view.status is not RunStatus.COMPLETE:
        raise typer.Exit(1)


def _print_report(view: RunView) -> None:
    if view.final_report:
        typer.echo(view.final_report)
    for entry in view.reasoning:
        for call in entry.calls:
            print_note(_write_call(call))
    if view.error_message:
        print_note(view.error_message)
    if view.evidence is Evidence.NONE:
        print_note("Nothing in the sources answers this.")
    if view.retry:
        again = "go on" if view.retry is RetryPoint.STEP else "have the report written by another model"
        print_note(f"To {again}: deeptrust runs retry {view.thread_id}")


def _write_call(call: ModelCall) -> str:
    tokens = f"{call.prompt_tokens:,} + {call.completion_tokens:,} tokens"
    return f"{call.purpose.capitalize()} by {call.model}: {tokens}, {call.seconds:.1f} s. {call.note}".rstrip()
