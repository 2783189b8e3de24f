"""`deeptrust policy check`: what the policy allows, as the machine reads it."""

from pathlib import Path
from typing import Annotated

import typer

from deeptrust.cli.options import JsonOption
from deeptrust.cli.output import print_json
from deeptrust.trust.policy import POLICY_FILE, load_policy

policy = typer.Typer(help="The policy that every plan is audited against.", no_args_is_help=True)


@policy.callback()
def describe() -> None:
    """Keep `check` a named subcommand while it is the only one."""


@policy.command()
def check(
    file: Annotated[
        Path, typer.Argument(help="The policy to check.", show_default="POLICY.md of DeepTrust")
    ] = POLICY_FILE,
    json: JsonOption = False,
) -> None:
    """Read the policy and list its machine rules; a policy that cannot be read allows nothing and exits 2."""
    found = load_policy(file)
    if json:
        print_json({"hash": found.hash, "isDefault": found.is_default, "rules": found.rules.model_dump(mode="json")})
        return
    typer.echo("The built-in policy (there is no POLICY.md)." if found.is_default else "POLICY.md is in order.")
    for line in found.lines.values():
        typer.echo(f"  {line}")
    typer.echo(f"Prose for the model: {len(found.prose.split())} words. Hash {found.hash[:12]}.")
