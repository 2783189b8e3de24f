"""The policy: POLICY.md as rules that a machine can check, and prose for a model (K09, D15)."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import ConfigDict, Field, ValidationError

from deeptrust.domain.plan import Tool
from deeptrust.domain.record import Record
from deeptrust.errors import BadSetting
from deeptrust.language.clean import clean_text
from deeptrust.trust.policy_default import DEFAULT_POLICY

POLICY_FILE = Path(__file__).resolve().parents[2] / "POLICY.md"
"""Beside the app, whatever the working directory."""

_FENCE = "---"


class PolicyRules(Record):
    """The machine rules. The field names are the keys of the front matter; every one must be there."""

    model_config = ConfigDict(alias_generator=None)

    version: Literal[1]
    allowed_tools: tuple[Tool, ...]
    allowed_engines: tuple[str, ...]
    max_steps: int = Field(ge=1, le=50)
    max_requests: int = Field(ge=0)
    max_seconds: int = Field(ge=1)
    max_tokens: int = Field(ge=0)
    max_query_characters: int = Field(ge=1)
    min_rationale_words: int = Field(ge=0)
    personal_data_on_web: bool
    private_terms: tuple[str, ...]
    blocked_domains: tuple[str, ...]
    forbidden_terms: tuple[str, ...]


@dataclass(frozen=True)
class Policy:
    """A policy as read. `lines` holds each rule as it stands in the file; `hash` is the SHA-256 of the whole text."""

    rules: PolicyRules
    lines: dict[str, str]
    prose: str
    hash: str
    is_default: bool


def load_policy(file: Path = POLICY_FILE) -> Policy:
    """Read the policy; if the file is missing, the built-in one.

    Raises:
        BadSetting: the file is there, but is no policy. Nothing may then run: a broken policy allows nothing.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return parse_policy(DEFAULT_POLICY, is_default=True)
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting("POLICY.md cannot be read. Check its rights, and that it is UTF-8 text.") from error
    return parse_policy(text)


@lru_cache(maxsize=8)
def parse_policy(text: str, *, is_default: bool = False) -> Policy:
    """Read a policy from its text.

    Raises:
        BadSetting: front matter is missing, is not plain YAML, repeats a key, lacks one or has an unknown one.
    """
    front, prose = _split(clean_text(text))
    lines = _find_lines(front)
    try:
        rules = PolicyRules.model_validate(yaml.safe_load(front))
    except yaml.YAMLError as error:
        raise BadSetting("The front matter of POLICY.md is not plain YAML. Keep to `key: value` lines.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the front matter"
        raise BadSetting(f"POLICY.md is not usable: {place}: {first['msg']}. Mend that line.") from error
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Policy(rules=rules, lines=lines, prose=prose, hash=digest, is_default=is_default)


def _split(text: str) -> tuple[str, str]:
    lines = text.lstrip("\ufeff").split("\n")
    closing = next((at for at, line in enumerate(lines) if at and line.rstrip() == _FENCE), None)
    if lines[0].rstrip() != _FENCE or closing is None:
        raise BadSetting("POLICY.md has no machine rules. It must begin with YAML between two lines of `---`.")
    # An empty first line keeps the line numbers of the file.
    return "\n".join(["", *lines[1:closing]]), "\n".join(lines[closing + 1 :]).strip()


def _find_lines(front: str) -> dict[str, str]:
    """Each rule as it stands in the file, with the number of its line."""
    source = front.split("\n")
    found: dict[str, str] = {}
    try:
        root = yaml.SafeLoader(front).get_single_node()
    except yaml.YAMLError as error:
        raise BadSetting("The front matter of POLICY.md is not plain YAML. Keep to `key: value` lines.") from error
    if not isinstance(root, yaml.MappingNode):
        raise BadSetting("The front matter of POLICY.md must be `key: value` lines.")
    for key, value in root.value:
        if key.value in found:
            raise BadSetting(f"POLICY.md says {key.value} twice. Keep one of the two lines.")
        first, last = key.start_mark.line, max(key.start_mark.line, _last_line(value))
        rule = " ".join(line.strip() for line in source[first : last + 1])
        found[key.value] = f"line {first + 1}: {rule}"
    return found


def _last_line(node: yaml.Node) -> int:
    """Line of the node's last character; a block list ends where the next key begins."""
    return node.end_mark.line if node.end_mark.column else node.end_mark.line - 1
