"""Every event of the page passes one gate: whose browser sent it, and is that browser still let in (AUT-01)."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import reflex as rx
from reflex_base.event import Event

from deeptrust.composition import open_services
from deeptrust.errors import NotAdmitted
from deeptrust.services import Services
from deeptrust.settings import load_settings
from deeptrust.ui.state.admission import AdmissionCheck, AdmissionState, owner_of
from deeptrust.ui.state.library import LibraryState

EVENT = Event(name="state.library_state.refresh", payload={})


@pytest.fixture
async def services(tmp_path: Path) -> AsyncGenerator[Services]:
    settings = load_settings(home=tmp_path / "home", mode="hosted", embedder="hashing", chat_model="none")
    async with open_services(settings) as opened:
        yield opened


def tab(secret: str) -> Any:
    """The state of a tab whose websocket came with this cookie."""
    state: Any = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue]
    state.router_data = {"headers": {"cookie": f"deeptrust={secret}"}}
    state.router = type(state.router).from_router_data(state.router_data)
    return state


async def check(state: Any) -> Any:
    return await AdmissionCheck().preprocess(app=None, state=state, event=EVENT)  # pyright: ignore[reportArgumentType]


async def test_a_known_browser_passes_and_handlers_know_whose_it_is(services: Services):
    secret = services.admission.make_secret()
    owner = await services.admission.enter(secret)
    state = tab(secret)
    assert await check(state) is None
    assert owner_of(state) == owner
    assert owner_of(await state.get_state(LibraryState)) == owner


@pytest.mark.parametrize("secret", ["", "x", "a.b"])
async def test_nobody_is_refused_and_told_nothing_else(services: Services, secret: str):
    state = tab(secret)
    (await state.get_state(LibraryState)).summary = "not for this browser"
    update = await check(state)
    assert list(update.delta) == [AdmissionState.get_full_name()]
    assert "not for this browser" not in str(update)
    with pytest.raises(NotAdmitted):
        owner_of(state)


async def test_aut_01_the_next_event_of_a_revoked_session_is_refused(services: Services):
    secret = services.admission.make_secret()
    owner = await services.admission.enter(secret)
    state = tab(secret)
    assert await check(state) is None
    await services.admission.sign_out_everywhere(owner)
    assert (await check(state)) is not None
    assert (await state.get_state(AdmissionState)).is_out


async def test_a_tab_lives_again_after_its_person_came_back(services: Services):
    secret = services.admission.make_secret()
    await services.admission.enter(secret)
    state = tab(secret)
    (await state.get_state(AdmissionState)).is_out = True
    assert await check(state) is None
    assert not (await state.get_state(AdmissionState)).is_out
