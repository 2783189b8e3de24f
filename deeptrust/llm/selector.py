"""The models that could be used, and which one is: chosen by a setting, by the person, or by rule (K07)."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from typing import Literal

from pydantic import SecretStr

from deeptrust.domain.chat import ModelPhase
from deeptrust.domain.model import Backend, DownloadProgress, ModelList, ModelOffer, ModelTest
from deeptrust.errors import BadInput, BadSetting, Conflict
from deeptrust.llm.base import ChatModel
from deeptrust.llm.choice import AUTO, ChoiceFile
from deeptrust.llm.downloads import Downloads
from deeptrust.llm.keys import KeyFile
from deeptrust.llm.offers import describe_unlisted, find_offer, name_nearest, pick_model
from deeptrust.llm.retiring import RetiringModel
from deeptrust.llm.selection import ModelSelection
from deeptrust.llm.sources import endpoint
from deeptrust.llm.sources.base import ModelSource
from deeptrust.llm.sources.built_in import EXTRACTIVE
from deeptrust.llm.trial import try_model
from deeptrust.settings import Settings

_FIRST_PAUSE_SECONDS = 2.0
_LONGEST_PAUSE_SECONDS = 15.0

Wrap = Callable[[ChatModel], ChatModel]
KeyPlace = Literal["", "setting", "home"]


class ModelSelector:
    """Lists models, puts one of them into a `ModelSelection`, and looks again for those that are not there yet."""

    def __init__(
        self,
        settings: Settings,
        selection: ModelSelection,
        sources: Sequence[ModelSource],
        choice: ChoiceFile,
        keys: KeyFile,
        wrap: Wrap = lambda model: model,
    ) -> None:
        """Take the model that is chosen now into use, without looking for any server; `watch` and `refresh` do that.

        Args:
            settings: a `chat_model` other than `auto` decides, whatever `choice` says.
            selection: where the model in use is put.
            sources: where models come from, in the order in which they are shown.
            choice: what the person chose before.
            keys: keys that are kept in the home.
            wrap: puts limits round each model that is built.

        Raises:
            BadSetting: the setting names no model, or an address is malformed.
        """
        self._settings = settings
        self._selection = selection
        self._sources = sources
        self._choice_file = choice
        self._keys = keys
        self._wrap = wrap
        self._downloads = Downloads()
        self._refreshing = asyncio.Lock()
        self._changed = asyncio.Event()
        self._farewells: dict[asyncio.Task[None], RetiringModel] = {}
        self._current: RetiringModel | None = None
        self._current_id = EXTRACTIVE
        self._choice = AUTO
        self._is_forbidden = False
        self._adopt_choice()

    @property
    def choice(self) -> str:
        """`auto`, or the id that was chosen."""
        return self._choice

    @property
    def current(self) -> ChatModel | None:
        """The model in use; None where answers quote."""
        return self._current

    @property
    def current_id(self) -> str:
        """Id of the model in use; `none` where answers quote."""
        return self._current_id

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
        found = self._all_offers()
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
        async with self._refreshing:
            await asyncio.gather(*(source.refresh() for source in self._sources))
        self._settle()

    async def watch(self) -> None:
        """Look again and again, ever less often, as long as something is missing (DEP-05). Runs until cancelled."""
        pause = _FIRST_PAUSE_SECONDS
        while True:
            if self._is_unsettled():
                await self.refresh()
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), pause)
                pause = _FIRST_PAUSE_SECONDS
            except TimeoutError:
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

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
        self._choice_file.write(model_id)
        self._take(model_id)

    async def test(self, model_id: str = "") -> ModelTest:
        """Say hello to a model, by default to the one in use.

        Raises:
            BadInput: there is no such model, or it is none.
            Conflict: it is not ready, or this server is hosted.
            ModelUnavailable: it fails.
        """
        self._refuse_hosted()
        if self._current and model_id in ("", self._current_id):
            return await try_model(self._current)
        model = self._build((await self._find_ready(model_id or self._current_id)).id)
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
        for source in self._sources:
            if work := source.download(offer.id):
                return self._downloads.start(offer.id, work)
        raise BadInput(f"{offer.name} is not downloaded: {offer.message or 'it is ready.'}")

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

    def key_place(self, name: str) -> KeyPlace:
        """Where the key for `name` comes from; empty where there is none. The key itself is never shown."""
        if name == endpoint.KEY_NAME and self._settings.endpoint_key:
            return "setting"
        return "home" if self._keys.read(name) else ""

    async def set_key(self, name: str, key: SecretStr) -> None:
        """Keep a key in the home, or forget it where `key` is empty, and look for models with it.

        Raises:
            BadInput: there is no key of this name, or it cannot be one.
            Conflict: the environment has one, which wins; or this server is hosted.
            StoreUnavailable: the home cannot be written.
        """
        self._refuse_hosted()
        if self.key_place(name) == "setting":
            raise Conflict("DEEPTRUST_ENDPOINT_KEY is set and wins. Take it away to keep a key here.")
        self._keys.write(name, key)
        if self._current_id.startswith(endpoint.PREFIX):
            self._put(self._current_id)  # the model in use was built with the old key
        await self.refresh()

    async def close(self) -> None:
        """Stop downloads and replies, and free the memory."""
        await self._downloads.close()
        for task, model in tuple(self._farewells.items()):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await model.close()
        if self._current:
            await self._current.close()

    def _all_offers(self) -> list[ModelOffer]:
        found = [offer for source in self._sources for offer in source.offers()]
        if self._current and all(offer.id != self._current_id for offer in found):
            found.append(describe_unlisted(self._current_id, self._current))
        return [offer.model_copy(update={"is_chosen": offer.id == self._current_id}) for offer in found]

    def _adopt_choice(self) -> None:
        wanted = self._settings.chat_model
        if wanted == AUTO:
            kept = self._choice_file.read()
            self._take(kept if self._is_known(kept) else AUTO)
        elif self._is_known(wanted):
            self._take(wanted)
        else:
            ids = [AUTO, *(offer.id for offer in self._all_offers())]
            raise BadSetting(f"DEEPTRUST_CHAT_MODEL={wanted} is no model.{name_nearest(wanted, ids)}")

    def _is_known(self, model_id: str) -> bool:
        return model_id == AUTO or any(source.knows(model_id) for source in self._sources)

    def _take(self, model_id: str) -> None:
        self._choice = model_id
        self._is_forbidden = self._settings.offline and model_id != AUTO and self._would_leave(model_id)
        self._changed.set()
        self._settle()

    def _would_leave(self, model_id: str) -> bool:
        model = self._build(model_id)
        return model is not None and model.reaches_network

    def _settle(self) -> None:
        """Take into use what the choice, and what is there, ask for."""
        is_free = self._choice == AUTO or self._is_forbidden
        wanted = pick_model(self._all_offers()) if is_free else self._choice
        if wanted != self._current_id:
            self._put(wanted)
        self._rate()  # its size may be known only now

    def _rate(self) -> None:
        writes = next((offer.writes for offer in self._all_offers() if offer.is_chosen), False)
        self._selection.use(self._current, is_capable=writes)

    def _put(self, model_id: str) -> None:
        model = self._build(model_id)
        old, self._current = self._current, RetiringModel(model) if model else None
        self._current_id = model_id
        self._rate()
        if old:
            task = asyncio.create_task(old.retire())
            self._farewells[task] = old
            task.add_done_callback(self._farewells.pop)

    def _build(self, model_id: str) -> ChatModel | None:
        built = (source.build(model_id) for source in self._sources if source.knows(model_id))
        model = next(built, None)
        return self._wrap(model) if model else None

    async def _find_ready(self, model_id: str) -> ModelOffer:
        offer = next((offer for offer in self._all_offers() if offer.id == model_id and offer.is_ready), None)
        if offer is None:  # it may have come since the last look
            await self.refresh()
            offer = self.find(model_id)
        if not offer.is_ready:
            fix = f" Download it first: `deeptrust models download {offer.id}`." if offer.can_download else ""
            raise Conflict(f"{offer.name} is not ready. {offer.message}{fix}")
        return offer

    def _is_unsettled(self) -> bool:
        in_use = next((offer for offer in self._all_offers() if offer.is_chosen), None)
        if in_use is None or not in_use.is_ready or (self._current and self._current.state.phase is ModelPhase.FAILED):
            return True
        return self._choice == AUTO and in_use.backend is not Backend.OLLAMA

    def _refuse_hosted(self) -> None:
        if self._settings.mode == "hosted":
            raise Conflict("The operator of this server looks after its models.")
