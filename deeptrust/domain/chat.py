"""What goes into a chat model and what comes out."""

from enum import StrEnum
from typing import Literal

from deeptrust.domain.record import Record


class Message(Record):
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


class FinishReason(StrEnum):
    """Why a model stopped writing."""

    END = "end"
    LENGTH = "length"
    STOPPED = "stopped"


class Completion(Record):
    """A whole reply with its cost. Token counts come from the model's own tokenizer."""

    text: str
    finish_reason: FinishReason
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    note: str = ""
    """Why the reply was cut, as a sentence; empty where it was not."""


class ModelCall(Record):
    """One call of a run, as its trace shows it. Tokens are the model's own count, or an estimate of it."""

    model: str
    purpose: str
    """`plan`, `audit` or `report`."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    note: str = ""
    """What went wrong or was left out, as a sentence; empty where nothing was."""


class ModelPhase(StrEnum):
    """Where a model is between unloaded and ready."""

    ABSENT = "absent"
    DOWNLOADING = "downloading"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


class ModelState(Record):
    """What the model pill shows. `progress` is 0-100; `message` is a sentence when absent or failed."""

    name: str
    phase: ModelPhase
    progress: int = 0
    message: str = ""
    reaches_network: bool = False
