"""Documents on their way in: what is removed or stopped meanwhile must not come back later (ING-37)."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from deeptrust.errors import Stopped


@dataclass(slots=True)
class Intake:
    """One document between its first byte and its commit."""

    document_id: str
    is_wanted: bool = True

    def check(self) -> None:
        """Raise if the work is in vain.

        Raises:
            Stopped: the document was removed.
        """
        if not self.is_wanted:
            raise Stopped("The document was removed before it was stored.")


class Intakes:
    """All documents on their way in, of all owners, by document id."""

    def __init__(self) -> None:
        """Start with none."""
        self._running: dict[tuple[str, str], Intake] = {}

    @contextmanager
    def begin(self, owner: str, document_id: str) -> Generator[Intake, None, None]:
        """Follow one intake; when it ends early, for any reason, a commit still under way is refused."""
        intake = self._running[owner, document_id] = Intake(document_id)
        try:
            yield intake
        finally:
            intake.is_wanted = False
            del self._running[owner, document_id]

    def cancel(self, owner: str, document_id: str) -> bool:
        """Stop an intake; False if there is none of that id."""
        intake = self._running.get((owner, document_id))
        if intake is None:
            return False
        intake.is_wanted = False
        return True

    def count(self, owner: str) -> int:
        """How many are on their way in for `owner`."""
        return sum(whose == owner for whose, _ in self._running)

    def cancel_all(self, owner: str) -> None:
        """Stop everything that is on its way in for `owner`."""
        for (whose, _), intake in self._running.items():
            if whose == owner:
                intake.is_wanted = False
