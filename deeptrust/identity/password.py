"""The password of the server: argon2id, made in memory at start; of it, only `version` is on the disk."""

import asyncio
import hashlib
import hmac
import unicodedata

from argon2 import Type
from argon2.low_level import hash_secret_raw

from deeptrust.errors import BadSetting

# Second recommended option of RFC 9106, section 4: 64 MiB, three passes, four lanes.
_PASSES = 3
_KIBIBYTES = 64 * 1024
_LANES = 4
MAX_CHARACTERS = 1024


def check_password(password: str) -> None:
    """Refuse a password that nobody could ever give.

    Raises:
        BadSetting: it is too long, has characters that a browser's field cannot hold, or is no text.
    """
    if len(password) > MAX_CHARACTERS:
        raise BadSetting(
            f"DEEPTRUST_PASSWORD has {len(password):,} characters. Choose one of {MAX_CHARACTERS:,} at most."
        )
    if any(unicodedata.category(one) in {"Cc", "Cs"} for one in password):
        raise BadSetting(
            "DEEPTRUST_PASSWORD has a line break, another control character or broken UTF-8 in it, which no browser "
            "can send. Choose one of letters, digits, signs and spaces."
        )


class Password:
    """What `DEEPTRUST_PASSWORD` says, as a hash."""

    def __init__(self, password: str, salt: bytes) -> None:
        """Hash the password; `salt` has 8 bytes at least and stays the same as long as the home does.

        Raises:
            BadSetting: nobody could ever give this password.
        """
        check_password(password)
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
            hashed = await asyncio.to_thread(self._hashed, attempt[: MAX_CHARACTERS + 1])
        return hmac.compare_digest(hashed, self._hash)

    def _hashed(self, password: str) -> bytes:
        same = unicodedata.normalize("NFC", password)  # keyboards differ in how they write one and the same letter
        return hash_secret_raw(same.encode(), self._salt, _PASSES, _KIBIBYTES, _LANES, 32, Type.ID)
