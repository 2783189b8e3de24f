"""One real server for the threats and habits that a running process must show."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.live import LiveServer, live_server

QUICK = {"embedder": "hashing", "chat_model": "none"}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("home"), settings=QUICK) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"
