"""What the Settings page waits for: models that are looked for, tested, downloaded."""

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from deeptrust.domain.model import DownloadPhase, ModelTest
from deeptrust.errors import DeepTrustError
from deeptrust.services import current_services
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.views import model as views
from deeptrust.ui.views.model import TrialLine

if TYPE_CHECKING:
    from deeptrust.ui.state.offers import OffersState

logger = logging.getLogger(__name__)

_PUSH_SECONDS = 0.3
_FAULT = "Something went wrong inside DeepTrust. The log says what; try again."
_ENDINGS = {DownloadPhase.DONE: "is ready", DownloadPhase.FAILED: "could not be downloaded"}


async def look(state: "OffersState") -> None:
    """Ask every place where models come from; call from a background event."""
    async with state:
        if state.is_looking:
            return
        state.is_looking = True
    problem = ""
    try:
        await current_services().selector.refresh()
    except DeepTrustError as error:
        problem = str(error)
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("the models could not be looked for")
        problem = _FAULT
    async with state:
        state.is_looking = False
        state._show()
        state.problem = problem or state.problem
        (await state.get_state(ModelState))._read()


async def follow_downloads(state: "OffersState") -> None:
    """Show the downloads several times a second until none is under way; call from a background event."""
    async with state:
        if state._is_following:
            return
        state._is_following = True
    try:
        running = _running()
        while running:
            await asyncio.sleep(_PUSH_SECONDS)
            now = _running()
            async with state:
                state._show()
                state.announcement = _ended(running - now) or state.announcement
                (await state.get_state(ModelState))._read()
            running = now
    finally:
        async with state:
            state._is_following = False
            state._show()


async def try_model(state: "OffersState", model_id: str) -> None:
    """Say hello to a model until it has answered or the person has seen enough; call from a background event."""
    async with state:
        if state.testing:
            return
        state._ticket += 1
        state.testing, state.tested, ticket = model_id, TrialLine(), state._ticket
        state._tell("", "")
    test = asyncio.ensure_future(current_services().selector.test(model_id))
    started = time.monotonic()
    while not test.done():
        await asyncio.wait({test}, timeout=_PUSH_SECONDS)
        async with state:
            state.test_stage = f"Loading it and saying hello, {time.monotonic() - started:.0f} s"
            is_wanted = state._ticket == ticket
        if not is_wanted:
            test.cancel()
    tested, fault = _outcome(model_id, test)
    async with state:
        state.testing, state.test_stage, state.tested = "", "", tested
        state._tell(model_id if fault else "", fault)
        state.announcement = fault or f"{tested.text} {tested.speed}".strip() or "The test was stopped."
        state._show()
        (await state.get_state(ModelState))._read()


def _outcome(model_id: str, test: "asyncio.Future[ModelTest]") -> tuple[TrialLine, str]:
    """(what it said, what went wrong); neither where the test was stopped."""
    try:
        return views.trial_line(model_id, test.result()), ""
    except asyncio.CancelledError:
        return TrialLine(), ""
    except DeepTrustError as error:
        return TrialLine(), str(error)
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("a model could not be tested")
        return TrialLine(), _FAULT


def _running() -> set[str]:
    return {one.id for one in current_services().selector.downloads() if views.is_under_way(one)}


def _ended(model_ids: set[str]) -> str:
    """What a screen reader is told of downloads that have just ended."""
    models = current_services().selector
    ended = [one for one in models.downloads() if one.id in model_ids and one.phase in _ENDINGS]
    return " ".join(f"{models.find(one.id).name} {_ENDINGS[one.phase]}. {one.message}".strip() for one in ended)
