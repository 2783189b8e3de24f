"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

HomeOption = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", readable=False, help="Folder that holds everything of yours."),
]
OfflineOption = Annotated[bool, typer.Option("--offline", help="Forbid every connection that leaves this machine.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else on stdout.")]
