"""A folder as the root of processes: what an engine does with mounts and name spaces, in a few lines."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_NETWORK = re.compile(r"(?i)^((pip|uv|npm_config)_\w+|\w+_proxy|ssl_cert_\w+|\w+_ca_(bundle|certs))$")
_HOST_FILES = ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs")
_MOUNT = """set -e
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
for file in $HOST_FILES; do
    if [ -e "$file" ] && [ -e "$ROOT$file" ]; then mount --bind "$file" "$ROOT$file"; fi
done
"""


def bootstrap_base(folder: Path, image: str) -> None:
    """Make what stands in for `image`: Debian's own Python of the same version in Debian's smallest system.

    Raises:
        ValueError: `image` is not a slim Python of a Debian release.
    """
    found = re.fullmatch(r"python:3\.11-slim-(?P<suite>bookworm)", image)
    if not found:
        raise ValueError(f"{image} cannot be built here: only Debian bookworm has Python 3.11.")
    packages = "--include=python3,python3-venv,ca-certificates"
    subprocess.run(["debootstrap", "--variant=minbase", packages, found["suite"], folder], check=True)
    for name in ("python", "python3"):
        (folder / "usr/local/bin" / name).symlink_to("/usr/bin/python3.11")
    shutil.rmtree(folder / "var/cache/apt/archives", ignore_errors=True)
    shutil.rmtree(folder / "var/lib/apt/lists", ignore_errors=True)
    (folder / "etc/pip.conf").touch()  # so that this machine's own can be laid over it for a step


def run_step(root: Path, workdir: str, environment: Mapping[str, str], command: Sequence[str]) -> None:
    """Run a build step inside `root` as root, with this machine's way to the package registries.

    Raises:
        CalledProcessError: the step failed.
    """
    network = {name: value for name, value in os.environ.items() if _NETWORK.match(name) and name != "PIP_FIND_LINKS"}
    inside = ["chroot", str(root), "/usr/bin/env", "-i", f"--chdir={workdir}", *_assign({**network, **environment})]
    spaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    script = f'{_MOUNT}exec "$@"'
    setting = {**os.environ, "ROOT": str(root), "HOST_FILES": " ".join(_HOST_FILES)}
    subprocess.run([*spaces, "sh", "-c", script, "sh", *inside, *command], env=setting, check=True)


def _assign(environment: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in environment.items()]
