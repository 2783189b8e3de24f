"""The password of the server: argon2id, made in memory at start; of it, only `version` is on the disk."""

import asyncio
import hashlib
import hmac

from argon2 import Type
from argon2.low_level import hash_secret_raw

# Second recommended option of RFC 9106, section 4: 64 MiB, three passes, four lanes.
_PASSES = 3
_KIBIBYTES = 64 * 1024
_LANES = 4
_MAX_CHARACTERS = 1024


class Password:
    """What `DEEPTRUST_PASSWORD` says, as a hash."""

    def __init__(self, password: str, salt: bytes) -> None:
        """Hash the password; `salt` has 8 bytes at least and stays the same as long as the home does."""
        self._salt = salt
        self._hash = self._hashed(password)
        self._turn = asyncio.Semaphore(1)

    @property
    def version(self) -> str:
        """A name for this very password, the same after a restart; sessions that another one let in are void.

        64 bits of a hash of its hash, kept with each session.
        """
        return hashlib.sha256(self._hash).hexdigest()[:16]

    async def matches(self, attempt: str) -> bool:
        """Compare an attempt, of any length: each costs one hash, whatever is wrong with it (AUT-12).

        One at a time and off the event loop: attempts may not take the machine's memory or hold up others.
        """
        async with self._turn:
            hashed = await asyncio.to_thread(self._hashed, attempt[: _MAX_CHARACTERS + 1])
        return hmac.compare_digest(hashed, self._hash)

    def _hashed(self, password: str) -> bytes:
        return hash_secret_raw(password.encode(), self._salt, _PASSES, _KIBIBYTES, _LANES, 32, Type.ID)
