"""NotebookLM through an MCP server of the person's own: publishes a pack after a yes, then points to it (H09)."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from deeptrust.database.engine import Database
from deeptrust.domain.study import PrepPack
from deeptrust.errors import BadInput, HarnessUnavailable
from deeptrust.harness.base import Availability
from deeptrust.harness.confirmation import Confirmations, Shipment
from deeptrust.harness.ingest import IngestReport, PackStatus
from deeptrust.harness.mcp_client import READ_SECONDS, Conversation, converse
from deeptrust.harness.mcp_reply import find_texts
from deeptrust.harness.mcp_server import McpServer
from deeptrust.harness.mcp_tools import Publisher, map_tools
from deeptrust.harness.place import NOTEBOOKLM, OutsideHarness, check_link

_OFF = "Off. Name an MCP server in DEEPTRUST_NOTEBOOKLM_MCP_COMMAND or DEEPTRUST_NOTEBOOKLM_MCP_URL to use this."
_OFFLINE = "Off, for DEEPTRUST_OFFLINE forbids every connection that leaves this machine."
_PUBLISH_SECONDS = 300.0
_ID = re.compile(r"[\w-]{1,200}")


class NotebookLmMcp(OutsideHarness):
    """Speaks to the server only to see whether it is ready, and to publish what was confirmed."""

    id = "notebooklm-mcp"
    display_name = "NotebookLM (MCP)"
    place = NOTEBOOKLM
    how_to_begin = "Nothing of this job was published yet. Ingest it with this harness, confirm, and open the notebook."

    def __init__(
        self,
        database: Database,
        server: McpServer | None,
        confirmations: Confirmations,
        *,
        is_offline: bool = False,
        read_seconds: float = READ_SECONDS,
        max_question_characters: int = 8000,
    ) -> None:
        """`server` is None until the person configures one; `read_seconds` bounds each answer of it."""
        super().__init__(database, max_question_characters)
        self._server = server
        self._confirmations = confirmations
        self._off = _OFF if server is None else _OFFLINE if is_offline else ""
        self._read_seconds = read_seconds

    async def availability(self) -> Availability:
        """Start or reach the server, find its tools, and read with them: a login that only looks fine fails here."""
        try:
            await converse(
                self._ready_server(), _prepare, read_seconds=self._read_seconds, total_seconds=self._read_seconds
            )
        except HarnessUnavailable as error:
            return Availability(is_available=False, reason=str(error))
        return Availability(is_available=True)

    async def ingest(self, owner: str, pack: PrepPack, confirmation: str | None = None) -> IngestReport:
        """Without `confirmation` ask for it; with it, publish the pack as a new notebook.

        Raises:
            Conflict: the confirmation is not good for exactly this.
            HarnessUnavailable: the server is off, silent, signed out or refuses; the sentence says what was published.
        """
        server = self._ready_server()
        destination = f"Google NotebookLM, under your own Google login, through the MCP server {server.name}"
        shipment = Shipment(owner, destination, _notebook_title(pack), pack)
        if confirmation is None:
            return IngestReport(
                harness_id=self.id,
                status=PackStatus.CONFIRM,
                message="Nothing has left this machine yet. Look at what would, and confirm.",
                document_count=len(pack.documents),
                confirmation=self._confirmations.ask(shipment),
            )
        self._confirmations.claim(confirmation, shipment)
        return await self._publish(server, shipment)

    def _ready_server(self) -> McpServer:
        if self._server is None or self._off:
            raise HarnessUnavailable(self._off)
        return self._server

    async def _publish(self, server: McpServer, shipment: Shipment) -> IngestReport:
        async def work(conversation: Conversation) -> str:
            publisher = await _prepare(conversation)
            created = await conversation.call(publisher.create.name, publisher.create_arguments(shipment.notebook))
            notebook = _notebook_id(created)
            link = await self.remember(shipment.owner, shipment.pack.job_id, _notebook_link(created, notebook))
            await _add_documents(conversation, publisher, notebook, shipment.pack, link)
            return link

        link = await converse(server, work, read_seconds=self._read_seconds, total_seconds=_PUBLISH_SECONDS)
        count = len(shipment.pack.documents)
        return IngestReport(
            harness_id=self.id,
            status=PackStatus.READY,
            message=f"{count} documents were published to the notebook “{shipment.notebook}”.",
            document_count=count,
            link=link,
        )


async def _prepare(conversation: Conversation) -> Publisher:
    """Find the tools and read once with them.

    Raises:
        HarnessUnavailable: a tool is missing, or the read fails, most often for want of a login.
    """
    publisher = map_tools(await conversation.tools(), conversation.server.tools or {})
    await conversation.call(publisher.read.name, {})
    return publisher


async def _add_documents(
    conversation: Conversation, publisher: Publisher, notebook: str, pack: PrepPack, link: str
) -> None:
    for done, document in enumerate(pack.documents):
        arguments = publisher.add_arguments(notebook, document.title, document.markdown)
        try:
            await conversation.call(publisher.add.name, arguments)
        except HarnessUnavailable as error:
            raise HarnessUnavailable(
                f"{done} of {len(pack.documents)} documents were published to {link}, then it failed. {error}"
            ) from error


def _notebook_title(pack: PrepPack) -> str:
    """Name the job as the pack's titles do ("Study plan: Data Engineer"), or by its id."""
    subjects = {document.title.partition(": ")[2] for document in pack.documents}
    subject = subjects.pop() if len(subjects) == 1 else ""
    return f"Prep pack: {subject or pack.job_id[:8]}"


def _notebook_id(created: Mapping[str, Any]) -> str:
    for text in find_texts(created, ("notebook_id", "notebookId", "id")):
        if _ID.fullmatch(text):
            return text
    raise HarnessUnavailable("The server made a notebook, but did not say which. Look into NotebookLM; add by hand.")


def _notebook_link(created: Mapping[str, Any], notebook: str) -> str:
    """Return the address that the server gives if it is one of NotebookLM, else the one that follows from the id."""
    for text in find_texts(created, ("url", "notebook_url")):
        with suppress(BadInput):
            return check_link(NOTEBOOKLM, text)
    return f"{NOTEBOOKLM.home}notebook/{notebook}"
