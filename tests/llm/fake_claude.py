"""Programs that stand in for `claude`: scripts of the shell, so that they start at once."""

import json
from collections.abc import Sequence
from pathlib import Path

_SCRIPT = """#!/bin/sh
cat > "{folder}/prompt"
printf '%s\\n' "$@" > "{folder}/arguments"
env > "{folder}/environment"
pwd > "{folder}/cwd"
turn=$(cat "{folder}/turn")
echo $((turn < {last} ? turn + 1 : turn)) > "{folder}/turn"
cat "{folder}/reply-$turn"
"""


class FakeClaude:
    """A script that prints the next reply; the last one is for ever. It notes what it was given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.command = str(folder / "claude")
        self.will("Hello there.")

    def will(self, *texts: str) -> None:
        """Say these, each as the result of a run that went well."""
        self.print(*(result(text) for text in texts))

    def print(self, *outputs: str) -> None:
        """Print these as they are."""
        for number, output in enumerate(outputs):
            (self.folder / f"reply-{number}").write_text(output, encoding="utf-8", errors="surrogatepass")
        (self.folder / "turn").write_text("0")
        self.run(_SCRIPT.format(folder=self.folder, last=len(outputs) - 1))

    def run(self, script: str) -> None:
        """Be this script of the shell."""
        Path(self.command).write_text(script)
        Path(self.command).chmod(0o755)

    def noted(self, name: str) -> str:
        """What it was given at its last run: `prompt`, `arguments`, `environment` or `cwd`."""
        return (self.folder / name).read_text()

    def arguments(self) -> Sequence[str]:
        return self.noted("arguments").split("\n")


def result(text: str, **changes: object) -> str:
    """What `claude --print --output-format json` prints."""
    usage = {"input_tokens": 4, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 0, "output_tokens": 7}
    fields: dict[str, object] = {"type": "result", "subtype": "success", "is_error": False, "result": text}
    return json.dumps(fields | {"session_id": "1", "usage": usage} | changes)
