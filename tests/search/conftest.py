"""What every test of the search room may ask for. No request leaves 127.0.0.1."""

from collections.abc import AsyncIterator

import pytest

from deeptrust.search.transport import SearchTransport
from tests.search.engine_server import EngineServer, engine_server


@pytest.fixture
async def server() -> AsyncIterator[EngineServer]:
    async with engine_server() as running:
        yield running


@pytest.fixture
async def transport() -> AsyncIterator[SearchTransport]:
    """Blind to proxy variables of the machine, and patient: a busy machine is no slow host."""
    made = SearchTransport(trust_env=False, total_seconds=60)
    yield made
    await made.close()
