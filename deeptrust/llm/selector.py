"""What can be asked about chat models, by pages and commands alike: which there are, which is used, how to get one."""

from collections.abc import AsyncGenerator, Sequence

from pydantic import SecretStr

from deeptrust.domain.model import DownloadProgress, ModelList, ModelOffer, ModelTest
from deeptrust.errors import BadInput, Conflict
from deeptrust.llm.base import ChatModel
from deeptrust.llm.choice import AUTO, ChoiceFile
from deeptrust.llm.choosing import ModelChoice, Wrap
from deeptrust.llm.downloads import Downloads
from deeptrust.llm.offers import find_offer
from deeptrust.llm.selection import ModelSelection
from deeptrust.llm.server_settings import ServerSetting, ServerSettings
from deeptrust.llm.sources.base import ModelSource
from deeptrust.llm.sources.every import EverySource
from deeptrust.llm.trial import try_model
from deeptrust.settings import Settings


class ModelSelector:
    """One place for all doors; what visitors of a hosted server may not do is refused here."""

    def __init__(
        self,
        settings: Settings,
        selection: ModelSelection,
        sources: Sequence[ModelSource],
        choice: ChoiceFile,
        servers: ServerSettings,
        wrap: Wrap = lambda model: model,
    ) -> None:
        """Take the model that is chosen now into use, without looking for any server; `watch` and `refresh` do that.

        Args:
            settings: a `chat_model` other than `auto` decides, whatever `choice` says.
            selection: where the model in use is put.
            sources: where models come from, in the order in which they are shown.
            choice: what the person chose before.
            servers: where servers are, and the key of one.
            wrap: puts limits round each model that is built.

        Raises:
            BadSetting: the setting names no model, or an address is malformed.
        """
        self.servers = servers
        self._settings = settings
        self._source = EverySource(sources)
        self._choice = ModelChoice(settings, selection, self._source, choice, wrap)
        self._downloads = Downloads()

    @property
    def choice(self) -> str:
        """`auto`, or the id that was chosen."""
        return self._choice.chosen

    @property
    def current(self) -> ChatModel | None:
        """The model in use; None where answers quote."""
        return self._choice.current

    @property
    def current_id(self) -> str:
        """Id of the model in use; `none` where answers quote."""
        return self._choice.current_id

    @property
    def fixed_by(self) -> str:
        """Why the model cannot be chosen here, as a sentence; empty where it can."""
        if self._settings.mode == "hosted":
            return "The operator of this server has chosen the model."
        if self._settings.chat_model != AUTO:
            return f"DEEPTRUST_CHAT_MODEL={self._settings.chat_model} decides. Take it away to choose a model here."
        return ""

    def offers(self) -> list[ModelOffer]:
        """Every model that could be used, as it was at the last look; the one in use has `is_chosen`.

        Visitors of a hosted server see that one alone, and no address of a server behind it.
        """
        found = self._choice.offers()
        if self._settings.mode != "hosted":
            return found
        return [offer.model_copy(update={"description": "", "message": ""}) for offer in found if offer.is_chosen]

    def overview(self) -> ModelList:
        """All offers, and who decides."""
        return ModelList(models=tuple(self.offers()), choice=self.choice, fixed_by=self.fixed_by)

    def find(self, model_id: str) -> ModelOffer:
        """Return the offer with this id; a name with or without its maker, as hubs have it, will do too.

        Raises:
            BadInput: there is none; the nearest id is named.
        """
        return find_offer(model_id, self.offers())

    async def refresh(self) -> None:
        """Look for all models at once; where the choice is left to us, take the best into use."""
        await self._choice.refresh()

    async def watch(self) -> None:
        """Look again and again, ever less often, as long as something is missing. Runs until cancelled."""
        await self._choice.watch()

    async def choose(self, model_id: str) -> None:
        """Use this model from the next question on, and after a restart; `auto` leaves the choice to us.

        Replies of the model before it may end.

        Raises:
            BadInput: there is no such model.
            Conflict: it is not ready, or a setting decides; the sentence says what to do.
            StoreUnavailable: the choice cannot be kept.
        """
        if self.fixed_by:
            raise Conflict(self.fixed_by)
        if model_id != AUTO:
            model_id = (await self._find_ready(model_id)).id
        self._choice.keep(model_id)

    async def test(self, model_id: str = "") -> ModelTest:
        """Say hello to a model, by default to the one in use.

        Raises:
            BadInput: there is no such model, or it is none.
            Conflict: it is not ready, or this server is hosted.
            ModelUnavailable: it fails.
        """
        self._refuse_hosted()
        if self.current and model_id in ("", self.current_id):
            return await try_model(self.current)
        model = self._choice.build((await self._find_ready(model_id or self.current_id)).id)
        if model is None:
            raise BadInput("There is nothing to test: answers quote your documents, without a model.")
        try:
            return await try_model(model)
        finally:
            await model.close()

    def download(self, model_id: str) -> DownloadProgress:
        """Start to download a model, or join the download that runs; see `follow_download`.

        Raises:
            BadInput: there is no such model, or it needs no download.
            Conflict: it would not fit into memory, the program is offline, or this server is hosted.
        """
        self._refuse_hosted()
        offer = self.find(model_id)
        work = self._source.download(offer.id)
        if work is None:
            raise BadInput(f"{offer.name} is not downloaded: {offer.message or 'it is ready.'}")
        return self._downloads.start(offer.id, work)

    def downloads(self) -> list[DownloadProgress]:
        """Every download that was asked for since the start, those that have ended included."""
        return self._downloads.all()

    def follow_download(self, model_id: str) -> AsyncGenerator[DownloadProgress, None]:
        """Yield each change until the download has ended; leaving does not end it.

        Raises:
            BadInput: there is no such model.
            NotFound: it is not being downloaded.
        """
        return self._downloads.follow(self.find(model_id).id)

    async def cancel_download(self, model_id: str) -> None:
        """End a download; what came is kept, and the next one goes on from there.

        Raises:
            BadInput: there is no such model.
            Conflict: this server is hosted.
        """
        self._refuse_hosted()
        await self._downloads.cancel(self.find(model_id).id)

    async def set_key(self, name: str, key: SecretStr) -> None:
        """Keep the key of a server in the home, or forget it where `key` is empty, and look for models with it.

        Raises:
            BadInput, Conflict, StoreUnavailable: see `ServerSettings.keep_key`.
        """
        self.servers.keep_key(name, key)
        await self._choice.reach_anew(name)

    async def set_server(self, name: ServerSetting, value: str) -> None:
        """Keep where a server is, or which model of it is meant, and look for models there.

        Raises:
            BadInput, Conflict, StoreUnavailable: see `ServerSettings.keep`.
        """
        self.servers.keep(name, value)
        await self._choice.reach_anew(name.partition("_")[0])

    async def close(self) -> None:
        """Stop downloads and replies, and free the memory."""
        await self._downloads.close()
        await self._choice.close()

    async def _find_ready(self, model_id: str) -> ModelOffer:
        offer = next((offer for offer in self._choice.offers() if offer.id == model_id and offer.is_ready), None)
        if offer is None:  # it may have come since the last look
            await self.refresh()
            offer = self.find(model_id)
        if not offer.is_ready:
            fix = f" Download it first: `deeptrust models download {offer.id}`." if offer.can_download else ""
            raise Conflict(f"{offer.name} is not ready. {offer.message}{fix}")
        return offer

    def _refuse_hosted(self) -> None:
        if self._settings.mode == "hosted":
            raise Conflict("The operator of this server looks after its models.")
