"""Choosing among offers: by id, by name, or by rule."""

import difflib
from collections.abc import Sequence

from deeptrust.domain.chat import ModelPhase
from deeptrust.domain.model import Backend, ModelOffer
from deeptrust.errors import BadInput
from deeptrust.llm.base import ChatModel
from deeptrust.llm.sources.built_in import BUNDLED, EXTRACTIVE
from deeptrust.llm.sources.endpoint import EndpointSource
from deeptrust.llm.sources.ollama import PREFERRED


def find_offer(model_id: str, offers: Sequence[ModelOffer]) -> ModelOffer:
    """Return the offer with this id; a name with or without its maker, as hubs have it, will do too.

    Raises:
        BadInput: there is none; the nearest id is named.
    """
    for wanted in (model_id, model_id.rpartition("/")[2]):
        for offer in offers:
            if wanted in (offer.id, offer.name):
                return offer
    raise BadInput(f"There is no model {model_id}.{name_nearest(model_id, [offer.id for offer in offers])}")


def pick_model(offers: Sequence[ModelOffer]) -> str:
    """Id of the model that is used where nothing is chosen (K07): of Ollama, else the one that ships, else none.

    Models that Ollama only passes on to its own servers are left out: what leaves the machine must be chosen.
    """
    ready = [offer for offer in offers if offer.is_ready]
    served = [offer for offer in ready if offer.backend is Backend.OLLAMA and not offer.is_passed_on]
    if served:
        return max(served, key=lambda offer: (offer.id == PREFERRED, offer.writes)).id
    return BUNDLED if any(offer.id == BUNDLED for offer in ready) else EXTRACTIVE


def describe_unlisted(model_id: str, model: ChatModel) -> ModelOffer:
    """The line of a model that is in use, but that its server does not list."""
    backend = Backend.ENDPOINT if model_id.startswith(EndpointSource.prefix) else Backend.OLLAMA
    return ModelOffer(
        id=model_id,
        name=model.name,
        backend=backend,
        reaches_network=model.reaches_network,
        is_ready=model.state.phase is ModelPhase.READY,
        is_chosen=True,
        writes=True,
        description="Not in the list of its server.",
        message=model.state.message or "Its server does not list it; it may know it all the same.",
        context_tokens=model.context_tokens,
    )


def name_nearest(wanted: str, ids: Sequence[str]) -> str:
    """A sentence with the id that is most like `wanted`; empty where there is none."""
    near = difflib.get_close_matches(wanted, ids, n=1, cutoff=0)
    return f" The nearest is {near[0]}." if near else ""
