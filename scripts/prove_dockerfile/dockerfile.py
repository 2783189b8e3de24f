"""A Dockerfile as stages of instructions, and the files that its .dockerignore lets through."""

import io
import json
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dockerfile_parse import DockerfileParser


@dataclass(frozen=True)
class Instruction:
    """Its name in capitals, what follows with continued lines joined, and its first line (from 1)."""

    name: str
    value: str
    line: int

    def words(self) -> tuple[dict[str, str], list[str]]:
        """Return the leading `--name=value` flags, and the words after them."""
        words = shlex.split(self.value)
        count = next((index for index, word in enumerate(words) if not word.startswith("--")), len(words))
        flags = dict(word[2:].split("=", 1) for word in words[:count])
        return flags, words[count:]

    def command(self) -> list[str]:
        """Return the exec form's words.

        Raises:
            ValueError: this is the shell form.
        """
        return json.loads(self.value[self.value.index("[") :])


@dataclass
class Stage:
    """What stands between one FROM and the next."""

    base: str
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def all(self, name: str) -> list[Instruction]:
        """Return its instructions of one name."""
        return [instruction for instruction in self.instructions if instruction.name == name]


def read_stages(text: str) -> list[Stage]:
    """Return the stages of a Dockerfile, in order; the last one is the image."""
    stages: list[Stage] = []
    parser = DockerfileParser(fileobj=io.BytesIO(text.encode()))
    for entry in parser.structure:
        name, value = entry["instruction"], entry["value"]
        if name == "FROM":
            base, _, alias = value.partition(" AS ")
            stages.append(Stage(base, alias or str(len(stages))))
        elif name != "COMMENT":
            stages[-1].instructions.append(Instruction(name, value, entry["startline"] + 1))
    return stages


def read_ignored(text: str) -> Callable[[str], bool]:
    """Return what tells whether a path of the context is kept out: of the patterns that match, the last one decides."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rules = [(_compile(line.removeprefix("!")), not line.startswith("!")) for line in lines]

    def is_ignored(path: str) -> bool:
        return next((verdict for pattern, verdict in reversed(rules) if pattern.match(path)), False)

    return is_ignored


def _compile(pattern: str) -> re.Pattern[str]:
    """Docker's patterns: `*` stays in one folder, `**` does not, and a folder stands for all that is in it."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern.strip("/"))
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in parts) + r"(?:/.*)?\Z")


def context_files(folder: Path, paths: Sequence[str]) -> list[str]:
    """Return which of `paths`, relative to `folder`, a build would be given."""
    ignore = folder / ".dockerignore"
    is_ignored = read_ignored(ignore.read_text(encoding="utf-8")) if ignore.exists() else lambda _: False
    return [path for path in paths if not is_ignored(path)]
