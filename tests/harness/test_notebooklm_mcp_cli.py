"""The real server package, without an account: its tools are found, and being signed out is told in our sentence."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from deeptrust.database.engine import Database
from deeptrust.errors import HarnessUnavailable
from deeptrust.harness.confirmation import Confirmations
from deeptrust.harness.mcp_client import Conversation, converse
from deeptrust.harness.mcp_reply import SIGN_IN
from deeptrust.harness.mcp_server import McpServer, read_server
from deeptrust.harness.mcp_tools import Publisher, map_tools
from deeptrust.harness.notebooklm_mcp import NotebookLmMcp
from tests.harness.packs import make_pack

pytestmark = pytest.mark.thorough

PACKAGE = "notebooklm-mcp-cli==0.15.8"
UV = Path(sys.executable).with_name("uv")
INSTALL_SECONDS = 600
# The very first start compiles seventy packages; the limits of the harness itself are tested elsewhere.
FIRST_START_SECONDS = 600


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> McpServer:
    """The package in an environment of its own, with a home of its own so that nobody's login is touched."""
    folder = tmp_path_factory.mktemp("notebooklm-mcp-cli")
    environment, home = folder / "venv", folder / "home"
    home.mkdir()
    try:
        for arguments in (
            ["venv", "--python", sys.executable, environment],
            ["pip", "install", "--python", environment / "bin" / "python", PACKAGE],
        ):
            subprocess.run([UV, *arguments], check=True, capture_output=True, timeout=INSTALL_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"{PACKAGE} cannot be installed here: {type(error).__name__}")
    command = ["env", f"HOME={home}", environment / "bin" / "notebooklm-mcp"]
    made = read_server(shlex.join(map(str, command)), "", "")
    assert made
    return made


async def test_its_tools_are_found(server: McpServer):
    async def work(conversation: Conversation) -> Publisher:
        return map_tools(await conversation.tools(), {})

    found = await converse(server, work, read_seconds=FIRST_START_SECONDS, total_seconds=FIRST_START_SECONDS)
    assert (found.create.name, found.add.name, found.read.name) == ("notebook_create", "source_add", "notebook_list")
    assert found.create_arguments("Pack") == {"title": "Pack"}
    assert found.add_arguments("n1", "Plan", "Learn.") == {
        "notebook_id": "n1", "source_type": "text", "title": "Plan", "text": "Learn."
    }  # fmt: skip


async def test_being_signed_out_names_nlm_login(server: McpServer, database: Database, owner: str):
    harness = NotebookLmMcp(database, server, Confirmations(), read_seconds=FIRST_START_SECONDS)
    availability = await harness.availability()
    assert availability.reason == SIGN_IN
    assert "`nlm login`" in availability.reason
    asked = await harness.ingest(owner, make_pack())
    assert asked.confirmation
    with pytest.raises(HarnessUnavailable, match="nlm login"):
        await harness.ingest(owner, make_pack(), asked.confirmation.token)
