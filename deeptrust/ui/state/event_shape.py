"""What a client sends is what its handler takes: checked for each event in one place, before any handler runs.

Any client can call any handler with anything. Reflex would hand on a wrong type, a missing argument or one of a name
that only a careless handler takes; here such an event ends without a word, since our own page never sends one.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

import reflex as rx
from pydantic import ConfigDict, TypeAdapter, ValidationError
from reflex.middleware.middleware import Middleware
from reflex.state import BaseState, StateUpdate
from reflex_base.event import Event
from reflex_base.registry import RegistrationContext
from reflex_base.utils.form import form_data_as_dict

_CLOSED = frozenset({"setvar", "update_vars_internal"})
"""Reflex's ways to let a client set variables by name; our page does without (AUT-09)."""
_STRICT = ConfigDict(strict=True, arbitrary_types_allowed=True)


class ShapeCheck(Middleware):
    """Refuses an event whose arguments are not those of its handler, by name and by type."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """Let the event pass (None), or end it."""
        known = RegistrationContext.get().event_handlers.get(event.name)
        if known is None or event.name.rpartition(".")[2] in _CLOSED or not fits(known.handler.fn, event.payload):
            return StateUpdate()
        return None


def fits(handler: Callable[..., Any], payload: Mapping[str, Any]) -> bool:
    """Whether `payload` has each argument that `handler` needs, none that it has not, and all of the right type."""
    parameters = _parameters(handler)
    needed = {name for name, (is_needed, _) in parameters.items() if is_needed}
    if not needed <= payload.keys() <= parameters.keys():
        return False
    try:
        for name, value in payload.items():
            parameters[name][1].validate_python(form_data_as_dict(value))
    except (ValidationError, TypeError, ValueError):  # the latter two: no form that a browser could have sent
        return False
    return True


@cache
def _parameters(handler: Callable[..., Any]) -> dict[str, tuple[bool, TypeAdapter[Any]]]:
    """Of each parameter: whether it must be given, and what it takes. A form is a flat one of texts."""
    hints = get_type_hints(handler)
    found = list(inspect.signature(handler).parameters.values())[1:]
    return {one.name: (one.default is inspect.Parameter.empty, _adapter(hints.get(one.name, Any))) for one in found}


def _adapter(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(dict[str, str] if hint is dict else hint, config=_STRICT)
