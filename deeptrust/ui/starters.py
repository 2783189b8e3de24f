"""Ready questions of the empty page and the chips under the composer."""

from dataclasses import dataclass

from deeptrust.domain.run import RunKind, Sources
from deeptrust.samples import SAMPLE_QUESTIONS


@dataclass(frozen=True)
class Starter:
    """A card that runs with one click; its answer stands in the sample documents."""

    topic: str
    icon: str
    question: str


@dataclass(frozen=True)
class Chip:
    """A chip (K20): fills `example` into an empty box; shapes and runs what stands in a filled one.

    Shapes add words of question only ("exactly", "who"), which retrieval does not weigh. `reach` is what a run of
    this chip may reach; None leaves the switch as it is.
    """

    label: str
    example: str
    shape: str
    reach: Sources | None = None

    def shaped(self, question: str) -> str:
        """Return the question as this chip asks it."""
        return self.shape.format(question=question.strip().rstrip("?.! "))


_LOOKS = (("Renting", "key-round"), ("Remote work", "house"), ("Home battery", "battery-charging"))

STARTERS = tuple(
    Starter(topic, icon, question) for (topic, icon), question in zip(_LOOKS, SAMPLE_QUESTIONS, strict=True)
)

_ASK_CHIPS = (
    Chip(
        "Exact words",
        "What exactly is said about carrying over unused leave?",
        "What exactly is said about: {question}?",
    ),
    Chip("How much, how long", "How much does a home battery cost?", "How much, how many or how long: {question}?"),
    Chip("Who", "Who decides about a request for ten days of leave?", "Who: {question}?"),
)

_RESEARCH_CHIPS = (
    Chip(
        "Documents and cited web",
        "What does a home battery cost, and how have prices changed since?",
        "What do we have on this: {question}?",
        Sources.DOCUMENTS_AND_WEB,
    ),
    Chip(
        "Approve before tools",
        "How is unused leave carried over, and who decides about exceptions?",
        "What, where and why: {question}?",
    ),
    Chip(
        "On this device only",
        "When must a deposit be returned, and what may be kept back?",
        "What do we have here: {question}?",
        Sources.DOCUMENTS,
    ),
)

CHIPS = {RunKind.ASK: _ASK_CHIPS, RunKind.RESEARCH: _RESEARCH_CHIPS}
