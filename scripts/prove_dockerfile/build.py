"""The instructions of a Dockerfile, carried out one by one on folders."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from scripts.prove_dockerfile.dockerfile import Instruction, Stage
from scripts.prove_dockerfile.root import run_step

BASE_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


@dataclass
class Image:
    """A root folder and how to start it; `steps` counts the instructions that made it."""

    root: Path
    environment: dict[str, str] = field(default_factory=lambda: dict(BASE_ENVIRONMENT))
    workdir: str = "/"
    user: str = "0"
    command: list[str] = field(default_factory=list[str])
    health_command: list[str] = field(default_factory=list[str])
    volumes: list[str] = field(default_factory=list[str])
    ports: list[int] = field(default_factory=list[int])
    stop_signal: str = "SIGTERM"
    steps: int = 0


def build_images(stages: list[Stage], bases: dict[str, Path], context: Path, work: Path) -> dict[str, Image]:
    """Build all stages below `work` and return them by name."""
    images: dict[str, Image] = {}
    for stage in stages:
        root = work / stage.name
        subprocess.run(["cp", "--archive", "--reflink=auto", bases[stage.base], root], check=True)
        images[stage.name] = image = Image(root)
        for instruction in stage.instructions:
            begin = time.monotonic()
            _carry_out(instruction, image, context, images)
            print(f"{stage.name:6} line {instruction.line:2}: {instruction.name} ({time.monotonic() - begin:.1f} s)")
            image.steps += 1
    return images


def _carry_out(instruction: Instruction, image: Image, context: Path, images: dict[str, Image]) -> None:
    verbs: dict[str, Callable[[], None]] = {
        "RUN": lambda: run_step(image.root, image.workdir, image.environment, ["/bin/sh", "-c", instruction.value]),
        "COPY": lambda: _copy(instruction, image, context, images),
        "WORKDIR": lambda: _enter(image, instruction.value),
        "ENV": lambda: image.environment.update(_read_pairs(instruction, image.environment)),
        "USER": lambda: setattr(image, "user", instruction.value),
        "VOLUME": lambda: image.volumes.append(instruction.value),
        "EXPOSE": lambda: image.ports.append(int(instruction.value)),
        "STOPSIGNAL": lambda: setattr(image, "stop_signal", instruction.value),
        "HEALTHCHECK": lambda: setattr(image, "health_command", instruction.command()),
        "CMD": lambda: setattr(image, "command", instruction.command()),
    }
    if instruction.name not in verbs:
        raise ValueError(f"Line {instruction.line}: this proof does not know {instruction.name}. Teach it.")
    verbs[instruction.name]()


def _enter(image: Image, workdir: str) -> None:
    image.workdir = workdir
    _inside(image.root, workdir).mkdir(parents=True, exist_ok=True)


def _read_pairs(instruction: Instruction, known: dict[str, str]) -> dict[str, str]:
    _, words = instruction.words()
    pairs = dict(word.split("=", 1) for word in words)
    return {name: re.sub(r"\$(\w+)", lambda found: known.get(found[1], ""), value) for name, value in pairs.items()}


def _copy(instruction: Instruction, image: Image, context: Path, images: dict[str, Image]) -> None:
    flags, (*sources, target) = instruction.words()
    origin = images[flags.pop("from")].root if "from" in flags else context
    if flags:
        raise ValueError(f"Line {instruction.line}: this proof does not know {', '.join(flags)}. Teach it.")
    place = _inside(image.root, f"{image.workdir}/{target}" if not target.startswith("/") else target)
    for source in (_inside(origin, name) for name in sources):
        if source.is_dir():  # its contents, as Docker has it
            shutil.copytree(source, place, symlinks=True, dirs_exist_ok=True)
        else:
            file = place / source.name if target.endswith("/") else place
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, file)


def _inside(root: Path, path: str) -> Path:
    return root / path.lstrip("/")
