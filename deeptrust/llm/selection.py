"""Which chat model is in use, and whether it may write."""

from deeptrust.llm.base import ChatModel
from deeptrust.settings import Answers


class ModelSelection:
    """Read at each question, so that a choice holds from the next question on."""

    def __init__(self, current: ChatModel | None, answers: Answers = "auto", *, is_capable: bool = True) -> None:
        """Args:
        current: the model in use; None where answers shall only quote.
        answers: quote, or let the model write; `auto` lets only capable models.
        is_capable: whether `current` writes better than quoting does (`ModelOffer.writes`).
        """
        self.current = current
        self.answers: Answers = answers
        self._is_capable = is_capable

    def use(self, model: ChatModel | None, *, is_capable: bool) -> None:
        """Put `model` in the place of the one in use; closing the old one is the caller's affair."""
        self.current = model
        self._is_capable = is_capable

    @property
    def is_capable(self) -> bool:
        """Whether the model in use writes better than quoting does."""
        return self.current is not None and self._is_capable

    @property
    def writer(self) -> ChatModel | None:
        """The model that may write now: chosen by the person, or capable enough to be chosen by itself."""
        may_write = self.answers == "written" or (self.answers == "auto" and self.is_capable)
        return self.current if may_write else None

    @property
    def reviewer(self) -> ChatModel | None:
        """The model whose opinion on a plan is worth asking for; where that leaves the machine, only if it may write.

        Who chose quotes has been told that nothing goes to a hosted model (K26).
        """
        model = self.current if self.is_capable else None
        return self.writer if model and model.reaches_network else model
