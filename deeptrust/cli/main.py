"""The `deeptrust` command: its subcommands, and how an error becomes one sentence and an exit code."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from deeptrust.cli import study_research
from deeptrust.cli.ask import ask
from deeptrust.cli.bundle import bundle
from deeptrust.cli.doctor import doctor
from deeptrust.cli.documents import documents, ingest
from deeptrust.cli.models import models
from deeptrust.cli.policy import policy
from deeptrust.cli.research import research
from deeptrust.cli.runs import runs
from deeptrust.cli.serve import serve
from deeptrust.cli.study import study
from deeptrust.errors import BadInput, DeepTrustError


class OneSentenceGroup(TyperGroup):
    """Ends a command that met a DeepTrustError with its sentence on stderr: exit 2 for bad input, else 1."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen subcommand."""
        try:
            return super().invoke(ctx)
        except DeepTrustError as error:
            typer.echo(str(error), err=True)
            sys.exit(2 if isinstance(error, BadInput) else 1)


app = typer.Typer(
    cls=OneSentenceGroup,
    help="Ask your own documents; every sentence of an answer is cited and checked.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


for command in (serve, ask, research, ingest, documents, doctor, bundle):
    app.command()(command)
app.add_typer(runs, name="runs")
app.add_typer(policy, name="policy")
app.add_typer(models, name="models")
for command in (study_research.ingest, study_research.ask):
    study.command()(command)
app.add_typer(study, name="study")
