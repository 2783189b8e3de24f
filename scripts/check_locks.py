"""Check, without network, that the lock files answer pyproject.toml: `python -m scripts.check_locks`."""

import itertools
import re
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).parent.parent
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)


def find_mismatches(project: Path) -> list[str]:
    """Return a sentence for each requirement that a lock misses or breaks, and each pin on which the locks differ."""
    config = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    groups = config["dependency-groups"]
    served = [*config["project"]["dependencies"], *groups["models"]]
    run = [*served, *groups["frontend"], *groups["build"]]
    wanted = {
        "requirements-serve.lock": served,
        "requirements.lock": run,
        "requirements-dev.lock": [*run, *groups["dev"]],
    }
    pins = {name: _read_pins(project / name) for name in wanted}
    found = [sentence for name in wanted for sentence in _compare(wanted[name], pins[name], name)]
    for smaller, larger in itertools.pairwise(wanted):
        found += [
            f"{package} is {pin} in {smaller}, {pins[larger].get(package)} in {larger}."
            for package, pin in pins[smaller].items()
            if pins[larger].get(package) != pin
        ]
    return found


def _read_pins(lock: Path) -> dict[str, str]:
    return {canonicalize_name(name): version for name, version in _PIN.findall(lock.read_text(encoding="utf-8"))}


def _compare(wanted: list[str], pins: dict[str, str], lock: str) -> list[str]:
    requirements = [Requirement(line) for line in wanted]
    return [
        f"{lock} does not answer {requirement}."
        for requirement in requirements
        if not requirement.specifier.contains(pins.get(canonicalize_name(requirement.name), "0"), prereleases=True)
    ]


if __name__ == "__main__":
    mismatches = find_mismatches(PROJECT)
    print("\n".join(mismatches) or "The lock files answer pyproject.toml.")
    if mismatches:
        sys.exit("Run `make lock` and commit the files.")
