"""Ready questions of the empty page and the chips under the composer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Starter:
    """A card that runs with one click; its answer stands in the sample documents."""

    topic: str
    question: str


@dataclass(frozen=True)
class Chip:
    """A chip (K20): fills `example` into an empty box; shapes and runs what stands in a filled one."""

    label: str
    example: str
    shape: str

    def shaped(self, question: str) -> str:
        """Return the question as this chip asks it."""
        return self.shape.format(question=question.strip().rstrip("?.! "))


STARTERS = (
    Starter("Leave", "How many days of paid leave do employees get in their first year?"),
    Starter("Batteries", "How does heat above 45 °C affect battery life?"),
    Starter("Copyright", "How long did the first copyright term last?"),
)

CHIPS = (
    Chip("In exact words", "What exactly is said about paid leave?", "What exactly is said about this: {question}?"),
    Chip(
        "How much, how long",
        "How many days of leave may be carried over?",
        "How much, how many or how long: {question}?",
    ),
    Chip("Who decides", "Who has to approve a request for leave?", "Who decides or approves: {question}?"),
)
