"""Perform every step of the Dockerfile without a container engine, then use what came out.

`python -m scripts.prove_dockerfile` needs root, debootstrap, Chromium and the package registries; it takes some minutes
and 4 GB. Debian's own Python in Debian's smallest system stands in for the base image of the same release. All else is
read from the Dockerfile itself, so that the proof cannot drift from it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts.prove_dockerfile.build import build_images
from scripts.prove_dockerfile.checks import NotProven, check_files, check_refusals, check_service
from scripts.prove_dockerfile.dockerfile import context_files, read_stages
from scripts.prove_dockerfile.root import bootstrap_base

PROJECT = Path(__file__).resolve().parents[2]


def clone_context(folder: Path) -> Path:
    """Clone the last commit and keep what .dockerignore lets through; return the folder."""
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{PROJECT}", folder], check=True)
    listing = subprocess.check_output(["git", "ls-files", "-z"], cwd=folder, text=True)
    tracked = listing.rstrip("\0").split("\0")
    for path in set(tracked) - set(context_files(folder, tracked)):
        (folder / path).unlink()
    shutil.rmtree(folder / ".git")
    return folder


def prove(work: Path) -> None:
    """Build below `work`, check, and print one line for each thing that holds.

    Raises:
        NotProven: a check does not hold.
        CalledProcessError: a step failed.
    """
    stages = read_stages((PROJECT / "Dockerfile").read_text(encoding="utf-8"))
    for name in ("context", *(stage.name for stage in stages)):
        shutil.rmtree(work / name, ignore_errors=True)
    context = clone_context(work / "context")
    bases: dict[str, Path] = {}
    for image in {stage.base for stage in stages}:
        bases[image] = work / "base"
        if not bases[image].exists():
            bootstrap_base(bases[image], image)
    begin = time.monotonic()
    images = build_images(stages, bases, context, work)
    print(f"{sum(image.steps for image in images.values())} instructions in {time.monotonic() - begin:.0f} s")
    final = images[stages[-1].name]
    for check in (check_files(final), check_refusals(final, work), check_service(final, work)):
        for sentence in check:
            print(f"ok     {sentence}", flush=True)


def main() -> None:
    """Read the command line and run the proof."""
    parser = argparse.ArgumentParser(description="Perform the Dockerfile's steps and use the result.")
    parser.add_argument("--keep", type=Path, help="work here and leave it; a base system is used again")
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("The proof needs root and debootstrap. On Debian: apt install debootstrap, then run it as root.")
    work = options.keep or Path(tempfile.mkdtemp(prefix="deeptrust-image-"))
    work.mkdir(parents=True, exist_ok=True)
    try:
        prove(work.resolve())
    except NotProven as failure:
        sys.exit(f"BROKEN {failure}")
    finally:
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
