"""Beyond loopback the server opens only with people kept apart, and a password or an explicit word (DEP-04)."""

import io
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from deeptrust.cli.serve import refuse_public_host
from deeptrust.errors import BadInput
from deeptrust.settings import Settings
from tests.live import run_command

OPEN = {"open_to_everyone_without_password": True}


def settings(**values: object) -> Settings:
    return Settings(_env_file=None, **values)  # pyright: ignore[reportCallIssue, reportArgumentType]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_dep_04_public_bind_is_refused_by_default(host: str):
    with pytest.raises(BadInput, match="DEEPTRUST_MODE=hosted"):
        refuse_public_host(settings(host=host))
    with pytest.raises(BadInput, match="DEEPTRUST_MODE=hosted"):
        refuse_public_host(settings(host=host, password="x", **OPEN))
    for empty in ({}, {"password": ""}):
        with pytest.raises(BadInput, match="DEEPTRUST_PASSWORD"):
            refuse_public_host(settings(host=host, mode="hosted", **empty))


def test_dep_04_a_password_opens_quietly_and_the_override_loudly():
    said = io.StringIO()
    with redirect_stderr(said):
        refuse_public_host(settings(host="0.0.0.0", mode="hosted", password="x"))
    assert said.getvalue() == ""
    with redirect_stderr(said):
        refuse_public_host(settings(host="0.0.0.0", mode="hosted", **OPEN))
    assert said.getvalue().startswith("WARNING: everybody who reaches 0.0.0.0:3000")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost", "::1"])
def test_loopback_needs_nothing(host: str):
    refuse_public_host(settings(host=host))


def test_a_hosted_server_behind_a_proxy_needs_a_password_on_loopback_too():
    behind = {"mode": "hosted", "behind_proxy": True}
    with pytest.raises(BadInput, match=r"The proxy before 127\.0\.0\.1 .* DEEPTRUST_PASSWORD"):
        refuse_public_host(settings(**behind))
    refuse_public_host(settings(password="x", **behind))
    refuse_public_host(settings(mode="hosted"))


def test_each_refusal_is_one_sentence_that_names_the_fix(tmp_path: Path):
    for mode, fix in (("local", "DEEPTRUST_MODE=hosted"), ("hosted", "DEEPTRUST_PASSWORD")):
        ended = run_command("serve", "--host", "0.0.0.0", "--home", str(tmp_path / "home"), mode=mode)
        assert ended.returncode != 0
        assert fix in " ".join(ended.stderr.split())
        assert "Traceback" not in ended.stderr
        assert not (tmp_path / "home").exists()
