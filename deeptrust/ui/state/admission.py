"""Who uses the page: asked for each event, before its handler, and by every handler that touches data."""

from typing import Any

import reflex as rx
from reflex.istate.delta import _resolve_delta
from reflex.middleware.middleware import Middleware
from reflex.state import BaseState, StateUpdate
from reflex_base.event import Event

from deeptrust.errors import DeepTrustError, NotAdmitted
from deeptrust.identity.cookie import cookie_name, read_cookie
from deeptrust.identity.secrets import digest
from deeptrust.services import current_services


def owner_of(state: Any) -> str:
    """Return the user whose browser sent the event that `state` serves; also in background events.

    Raises:
        NotAdmitted: the session was revoked, or never let in.
    """
    return current_services().admission.owner(_secret_of(state))


def _secret_of(state: Any) -> str:
    return read_cookie(state.router.headers.cookie, cookie_name(current_services().settings))


class AdmissionState(rx.State):
    """Whether the page still belongs to somebody. Once it does not, it reloads, and the front door decides."""

    is_out: bool = False
    is_hurried: bool = False
    """Whether more comes from this browser than is read at once, so that it has to wait its turn."""

    @rx.var(initial_value=False)
    def is_hosted(self) -> bool:
        return current_services().settings.mode == "hosted"

    @rx.var(initial_value=False)
    def has_password(self) -> bool:
        return current_services().admission.has_password


class AdmissionCheck(Middleware):
    """Refuses every event of a browser that is not admitted, so that a check forgotten in a handler opens nothing."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """Let the event pass (None), or answer it with the news that the page is out."""
        told = await state.get_state(AdmissionState)
        try:
            owner_of(state)
        except NotAdmitted:
            told.is_out = True
            return await _flush(state)
        except DeepTrustError:  # starting or stopping: nothing is there that the event could work on
            return StateUpdate()
        told.is_out = False  # the same tab, after its person has signed in again
        told.is_hurried = current_services().admission.events.is_empty(digest(_secret_of(state)))
        return None


async def _flush(state: BaseState) -> StateUpdate:
    """Return only what concerns admission; whatever else waits to be shown is not for this browser any more."""
    name = AdmissionState.get_full_name()
    delta = await _resolve_delta(state._get_root_state().get_delta())
    state._get_root_state()._clean()
    return StateUpdate(delta={name: delta[name]} if name in delta else {})
