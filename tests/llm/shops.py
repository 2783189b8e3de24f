"""A selector over servers on loopback and a home of its own, as `services` puts it together."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from deeptrust.llm.catalogue import CataloguedModel
from deeptrust.llm.choice import ChoiceFile
from deeptrust.llm.hub import Hub
from deeptrust.llm.keys import KeyFile
from deeptrust.llm.selection import ModelSelection
from deeptrust.llm.selector import ModelSelector
from deeptrust.llm.server_settings import ServerSettings
from deeptrust.llm.sources.built_in import BuiltInSource
from deeptrust.llm.sources.claude import ClaudeSource
from deeptrust.llm.sources.downloaded import DownloadedSource
from deeptrust.llm.sources.endpoint import EndpointSource
from deeptrust.llm.sources.ollama import OllamaSource
from deeptrust.llm.weights import SMOLLM2_135M
from deeptrust.settings import Settings
from tests.live import free_port
from tests.llm.hub_server import HubServer


def make_settings(home: Path, **values: object) -> Settings:
    """Settings of a machine with no model server, unless `values` name one."""
    nowhere = {"ollama_url": f"http://127.0.0.1:{free_port()}", "claude_command": "no-such-program"}
    return Settings.model_validate({"home": home, **nowhere, **values})


def list_model(server: HubServer) -> CataloguedModel:
    """A catalogue's line for what `server` holds."""
    return CataloguedModel(
        id="small",
        name="Small",
        file=server.file,
        parameters=1e8,
        context_tokens=SMOLLM2_135M.context_tokens,
        window_bytes_per_token=SMOLLM2_135M.window_bytes_per_token,
        description="For tests.",
    )


@asynccontextmanager
async def open_shop(
    settings: Settings, catalogue: Sequence[CataloguedModel] = ()
) -> AsyncIterator[tuple[ModelSelector, ModelSelection]]:
    home = settings.home_folder
    home.mkdir(exist_ok=True)
    choice = ChoiceFile(home)
    servers = ServerSettings(settings, choice, KeyFile(home))
    selection = ModelSelection(None, settings.answers)
    selector = ModelSelector(
        settings,
        selection,
        [
            BuiltInSource(settings),
            DownloadedSource(settings, home, Hub(settings.hub_url, pause_seconds=0.01), catalogue),
            OllamaSource(settings, servers),
            EndpointSource(settings, servers),
            ClaudeSource(settings),
        ],
        choice,
        servers,
    )
    try:
        yield selector, selection
    finally:
        await selector.close()
