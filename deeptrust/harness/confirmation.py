"""The yes that a pack needs before it leaves this machine: bound to person, place and every byte, good once (H11)."""

import hashlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from deeptrust.domain.study import PrepPack
from deeptrust.errors import Conflict
from deeptrust.harness.ingest import Confirmation, Leaving

LIFETIME = timedelta(minutes=10)
_WAITING_AT_MOST = 100


@dataclass(frozen=True, slots=True)
class Shipment:
    """What would leave: the texts of `pack`, into a new notebook called `notebook`, at `destination`."""

    owner: str
    destination: str
    notebook: str
    pack: PrepPack

    def digest(self) -> str:
        """The hash of all of it."""
        content = [self.owner, self.destination, self.notebook, self.pack.model_dump(mode="json")]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


class Confirmations:
    """The questions that wait for a yes. They live in memory: a restart makes the person look again."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._waiting: dict[str, tuple[str, datetime]] = {}

    def ask(self, shipment: Shipment) -> Confirmation:
        """Return the question to put to the person, with a token of its own."""
        token = secrets.token_urlsafe(32)
        expires_at = self._now() + LIFETIME
        while len(self._waiting) >= _WAITING_AT_MOST:
            del self._waiting[next(iter(self._waiting))]
        self._waiting[_hash(token)] = (shipment.digest(), expires_at)
        return Confirmation(
            token=token,
            expires_at=expires_at,
            destination=shipment.destination,
            notebook=shipment.notebook,
            leaving=tuple(
                Leaving(title=document.title, characters=len(document.markdown)) for document in shipment.pack.documents
            ),
        )

    def claim(self, token: str, shipment: Shipment) -> None:
        """Use up the yes; whatever comes of it, the token is gone.

        Raises:
            Conflict: it is unknown, used, expired, another person's, or was given for other texts or another place.
        """
        digest, expires_at = self._waiting.pop(_hash(token), ("", datetime.min.replace(tzinfo=UTC)))
        if not digest:
            raise Conflict("This confirmation is not known, or was used before. Look at what leaves and confirm again.")
        if self._now() >= expires_at:
            raise Conflict("This confirmation has expired. Look at what leaves and confirm again.")
        if not secrets.compare_digest(digest, shipment.digest()):
            raise Conflict("This confirmation was given for something else. Look at what leaves now and confirm again.")


def _hash(token: str) -> str:
    """Look-ups go by the hash, so that their timing tells nothing of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
