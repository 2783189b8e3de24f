"""What the client was told, and so may rely on."""

from dataclasses import dataclass, field
from enum import Enum


class Presence(Enum):
    """Whether a thing must be in the store."""

    SURE = "acknowledged as stored"
    UNSURE = "asked for, and killed before the answer"
    GONE = "acknowledged as deleted"


@dataclass
class DocumentBelief:
    """A document, known by its unique name."""

    name: str
    text: str
    presence: Presence = Presence.UNSURE
    id: str | None = None
    passages: int = 0


@dataclass
class RunBelief:
    """A run, known by the unique word in its question."""

    word: str
    is_research: bool
    presence: Presence = Presence.UNSURE
    id: str | None = None
    waits: bool = False
    """It was seen waiting for approval, and no decision was sent."""
    is_decided: bool = False
    """A decision was acknowledged."""
    is_cancelled: bool = False
    """Its end by Stop was acknowledged."""
    answer: str | None = None
    """The text of an answer that was received."""
    seen: dict[int, str] = field(default_factory=dict[int, str])
    """The time of each event that was received, by its number."""
    recorded_at_count: int | None = None
    """How often the engine had been asked when the step's result was first found stored."""


@dataclass
class Beliefs:
    """All that one client knows of its home."""

    documents: dict[str, DocumentBelief] = field(default_factory=dict[str, DocumentBelief])
    runs: dict[str, RunBelief] = field(default_factory=dict[str, RunBelief])
    is_purging: bool = False
    """A deletion of everything was sent and not acknowledged."""

    def doubt_all(self) -> None:
        """Everything may or may not be deleted now."""
        for belief in (*self.documents.values(), *self.runs.values()):
            if belief.presence is Presence.SURE:
                belief.presence = Presence.UNSURE

    def give_up_all(self) -> None:
        """Everything that ever was is deleted."""
        for belief in (*self.documents.values(), *self.runs.values()):
            belief.presence = Presence.GONE
