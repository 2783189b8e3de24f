"""Which model is in use: by a setting, by the person's choice, or by rule (K07)."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from deeptrust.domain.chat import ModelPhase
from deeptrust.domain.model import Backend, ModelOffer
from deeptrust.errors import BadSetting, DeepTrustError
from deeptrust.llm.base import ChatModel
from deeptrust.llm.choice import AUTO, ChoiceFile
from deeptrust.llm.in_use import ModelInUse
from deeptrust.llm.offers import describe_unlisted, name_nearest, pick_model
from deeptrust.llm.selection import ModelSelection
from deeptrust.llm.sources.base import ModelSource
from deeptrust.llm.sources.built_in import EXTRACTIVE
from deeptrust.settings import Settings

logger = logging.getLogger(__name__)

_FIRST_PAUSE_SECONDS = 2.0
_LONGEST_PAUSE_SECONDS = 15.0

Wrap = Callable[[ChatModel], ChatModel]


class ModelChoice:
    """Puts a model of `source` into a `ModelSelection`, and looks again for those that are not there yet."""

    def __init__(
        self, settings: Settings, selection: ModelSelection, source: ModelSource, file: ChoiceFile, wrap: Wrap
    ) -> None:
        """Take the model that is chosen now into use, without looking for any server.

        Args:
            settings: a `chat_model` other than `auto` decides, whatever `file` says.
            selection: where the model in use is put.
            source: where models come from.
            file: what the person chose before.
            wrap: puts limits round each model that is built.

        Raises:
            BadSetting: the setting names no model, or an address is malformed.
            StoreUnavailable: the setting names a model whose key cannot be read.
        """
        self.chosen = AUTO
        """`auto`, or the id that was chosen."""
        self._settings = settings
        self._selection = selection
        self._source = source
        self._file = file
        self._wrap = wrap
        self._refreshing = asyncio.Lock()
        self._changed = asyncio.Event()
        self._in_use = ModelInUse(EXTRACTIVE)
        self._adopt()

    @property
    def current(self) -> ChatModel | None:
        """The model in use; None where answers quote."""
        return self._in_use.model

    @property
    def current_id(self) -> str:
        """Id of the model in use; `none` where answers quote."""
        return self._in_use.id

    def offers(self) -> list[ModelOffer]:
        """Every model that could be used, as it was at the last look; the one in use has `is_chosen`."""
        found = self._source.offers()
        if self.current and all(offer.id != self.current_id for offer in found):
            found.append(describe_unlisted(self.current_id, self.current))
        return [offer.model_copy(update={"is_chosen": offer.id == self.current_id}) for offer in found]

    def build(self, model_id: str) -> ChatModel | None:
        """Return a model within its limits, not loaded; None where the id stands for quoting."""
        model = self._source.build(model_id)
        return self._wrap(model) if model else None

    def keep(self, model_id: str) -> None:
        """Use this model from now on, and after a restart.

        Raises:
            StoreUnavailable: the choice cannot be kept.
        """
        self._file.write(model_id)
        self._take(model_id)

    async def refresh(self) -> None:
        """Look for all models at once; where the choice is left to us, take the best into use."""
        async with self._refreshing:
            await self._source.refresh()
        self._settle()

    async def reach_anew(self, backend: str) -> None:
        """Look again; the model in use, if it is of this backend, was built with an old address or key."""
        if self.current_id.startswith(f"{backend}:"):
            self._in_use.replace(EXTRACTIVE, None)
        self._adopt()
        await self.refresh()

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

    async def close(self) -> None:
        """Stop all replies, and free the memory."""
        await self._in_use.close()

    def _adopt(self) -> None:
        wanted = self._settings.chat_model
        if wanted == AUTO:
            self._take_or_leave(self._file.read())
        elif self._source.knows(wanted):
            self._take(wanted)
        else:
            ids = [AUTO, *(offer.id for offer in self.offers())]
            raise BadSetting(f"DEEPTRUST_CHAT_MODEL={wanted} is no model.{name_nearest(wanted, ids)}")

    def _take_or_leave(self, model_id: str) -> None:
        """Take what the person chose; where it is gone, or its address or key cannot be used, the choice is ours."""
        try:
            self._take(model_id if self._source.knows(model_id) else AUTO)
        except DeepTrustError as error:
            logger.warning("%s was chosen and cannot be used, so the choice is automatic: %s", model_id, error)
            self._take(AUTO)

    def _take(self, model_id: str) -> None:
        self.chosen = model_id
        self._changed.set()
        self._settle()

    def _settle(self) -> None:
        """Take into use what the choice, and what is there, ask for."""
        offers = {offer.id: offer for offer in self.offers()}
        is_free = self.chosen == AUTO or (self._settings.offline and self._leaves(self.chosen, offers))
        wanted = pick_model(list(offers.values())) if is_free else self.chosen
        in_use = self.current
        # That Ollama passes a model on may be known only now; it must not go on as one of this machine.
        has_moved = in_use and wanted in offers and offers[wanted].reaches_network != in_use.reaches_network
        if wanted != self.current_id or has_moved:
            self._in_use.replace(wanted, self.build(wanted))
        self._rate()

    def _leaves(self, model_id: str, offers: Mapping[str, ModelOffer]) -> bool:
        """Whether prompts leave this machine with a model, by what is known now."""
        if model_id in offers:
            return offers[model_id].reaches_network
        model = self.build(model_id)
        return model is not None and model.reaches_network

    def _rate(self) -> None:
        """Say which model is in use, and whether it may write; its size may be known only now."""
        writes = next((offer.writes for offer in self.offers() if offer.is_chosen), False)
        self._selection.use(self.current, is_capable=writes)

    def _is_unsettled(self) -> bool:
        in_use = next((offer for offer in self.offers() if offer.is_chosen), None)
        if in_use is None or not in_use.is_ready or (self.current and self.current.state.phase is ModelPhase.FAILED):
            return True
        return self.chosen == AUTO and in_use.backend is not Backend.OLLAMA
