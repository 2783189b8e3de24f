"""What commands do with chat models: in this process, or through the server that holds the home."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol

from pydantic import SecretStr

from deeptrust.choices import open_models
from deeptrust.cli.remote import RemoteWorkspace
from deeptrust.domain.model import DownloadPhase, DownloadProgress, ModelList, ModelTest
from deeptrust.home import HomeFolder
from deeptrust.llm.selection import ModelSelection
from deeptrust.llm.selector import ModelSelector
from deeptrust.llm.server_settings import ServerSetting
from deeptrust.settings import Settings


class ModelDesk(Protocol):
    """The selector, as commands see it. Errors are those of `ModelSelector`."""

    async def models(self) -> ModelList:
        """Look for all models and list them."""
        ...

    async def choose(self, model_id: str) -> ModelList:
        """Use a model from now on."""
        ...

    async def test(self, model_id: str) -> ModelTest:
        """Say hello to a model; an empty id means the one in use."""
        ...

    def download(self, model_id: str) -> AsyncGenerator[DownloadProgress, None]:
        """Download a model and yield its progress."""
        ...

    async def cancel(self, model_id: str) -> None:
        """End a download and keep what came."""
        ...

    async def set_key(self, name: str, key: SecretStr) -> None:
        """Keep a key in the home; an empty one is forgotten."""
        ...

    async def set_server(self, name: ServerSetting, value: str) -> None:
        """Keep where a server is, or which model of it is meant; an empty value is forgotten."""
        ...


class LocalModels:
    """The models of a home that nobody serves."""

    def __init__(self, selector: ModelSelector) -> None:
        self._selector = selector

    async def models(self) -> ModelList:
        """See `ModelDesk`."""
        await self._selector.refresh()
        return self._selector.overview()

    async def choose(self, model_id: str) -> ModelList:
        """See `ModelDesk`."""
        await self._selector.choose(model_id)
        return self._selector.overview()

    async def test(self, model_id: str) -> ModelTest:
        """See `ModelDesk`."""
        await self._selector.refresh()
        return await self._selector.test(model_id)

    async def download(self, model_id: str) -> AsyncGenerator[DownloadProgress, None]:
        """See `ModelDesk`."""
        await self._selector.refresh()
        started = self._selector.download(model_id)
        async for progress in self._selector.follow_download(started.id):
            yield progress

    async def cancel(self, model_id: str) -> None:
        """See `ModelDesk`."""
        await self._selector.cancel_download(model_id)

    async def set_key(self, name: str, key: SecretStr) -> None:
        """See `ModelDesk`."""
        await self._selector.set_key(name, key)

    async def set_server(self, name: ServerSetting, value: str) -> None:
        """See `ModelDesk`."""
        await self._selector.set_server(name, value)


class RemoteModels:
    """The models of the server that holds the home."""

    def __init__(self, server: RemoteWorkspace) -> None:
        self._server = server

    async def models(self) -> ModelList:
        """See `ModelDesk`."""
        return ModelList.model_validate(await self._server.call("GET", "models", params={"refresh": True}))

    async def choose(self, model_id: str) -> ModelList:
        """See `ModelDesk`."""
        return ModelList.model_validate(await self._server.call("POST", "model/choose", json={"modelId": model_id}))

    async def test(self, model_id: str) -> ModelTest:
        """See `ModelDesk`."""
        return ModelTest.model_validate(await self._server.call("POST", "model/test", json={"modelId": model_id}))

    async def download(self, model_id: str) -> AsyncGenerator[DownloadProgress, None]:
        """See `ModelDesk`."""
        async for frame in self._server.frames("model/download", {"modelId": model_id}):
            yield DownloadProgress(
                id=frame["file"],
                phase=DownloadPhase(frame["status"]),
                received_bytes=frame["receivedBytes"],
                total_bytes=frame["totalBytes"],
                bytes_per_second=frame["bytesPerSecond"],
                seconds_left=frame["etaSeconds"],
                message=frame["message"],
            )

    async def cancel(self, model_id: str) -> None:
        """See `ModelDesk`."""
        await self._server.call("POST", "model/cancel", json={"modelId": model_id})

    async def set_key(self, name: str, key: SecretStr) -> None:
        """See `ModelDesk`."""
        await self._server.call("PUT", "model/key", json={"name": name, "key": key.get_secret_value()})

    async def set_server(self, name: ServerSetting, value: str) -> None:
        """See `ModelDesk`."""
        await self._server.call("PUT", "model/server", json={"name": name, "value": value})


@asynccontextmanager
async def open_model_desk(settings: Settings) -> AsyncGenerator[ModelDesk]:
    """Speak to the server that holds the home, or to the models themselves where none runs; no store is opened.

    Raises:
        Unavailable: the server does not answer, or the home cannot be opened.
    """
    home = HomeFolder(settings.home_folder)
    server = home.running_server()
    if server is not None:
        async with RemoteWorkspace(server.port, home.server_token()) as remote:
            yield RemoteModels(remote)
        return
    selector = open_models(settings, home, ModelSelection(None))
    try:
        yield LocalModels(selector)
    finally:
        await selector.close()
