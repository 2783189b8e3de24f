"""Keys of model servers: in the environment, or in a file of the home that only its owner can read."""

import os
import stat
from pathlib import Path

from pydantic import SecretStr

from deeptrust.errors import BadInput, StoreUnavailable
from deeptrust.llm.home_file import HomeFile

KEY_NAMES = ("endpoint",)
"""What a key may be for."""

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class KeyFile:
    """`keys.json` of a home, mode 0600. Keys leave it as `SecretStr`, which prints as stars."""

    def __init__(self, home: Path) -> None:
        self._file = HomeFile(home / "keys.json")

    def read(self, name: str) -> SecretStr | None:
        """Return the key for `name`, or None.

        Raises:
            StoreUnavailable: the file cannot be read, is not ours, or is open to others.
        """
        key = self._load().get(name)
        return SecretStr(key) if key else None

    def write(self, name: str, key: SecretStr) -> None:
        """Keep `key` for `name`; an empty one forgets it.

        Raises:
            BadInput: no such name, or the key has characters that no HTTP header can carry.
            StoreUnavailable: the file cannot be written, is not ours, or is open to others.
        """
        secret = key.get_secret_value().strip()
        if name not in KEY_NAMES:
            raise BadInput(f"There is no key for {name}. Keys are kept for: {', '.join(KEY_NAMES)}.")
        if not (secret.isascii() and secret.isprintable()):
            raise BadInput("The key has characters that no key has. Copy it again.")
        keys = self._load()
        try:
            self._file.write(keys | {name: secret})
        except OSError as error:
            raise StoreUnavailable("The key cannot be kept: the home cannot be written. Check its disk.") from error

    def _load(self) -> dict[str, str]:
        self._refuse_open()
        try:
            return self._file.read()
        except (OSError, ValueError) as error:
            raise StoreUnavailable("keys.json in the home cannot be read. Delete it and set the keys again.") from error

    def _refuse_open(self) -> None:
        """Raises StoreUnavailable where somebody else may know the keys, or have put them there."""
        try:
            found = self._file.path.stat()
        except OSError:
            return  # there is none, or reading it will say what is wrong
        path = self._file.path
        if found.st_uid != os.geteuid():
            raise StoreUnavailable(
                f"The file of keys {path} belongs to another user, so it is not used. "
                "Delete it and set the keys again, or make it yours with `chown`."
            )
        if found.st_mode & _OTHERS:
            raise StoreUnavailable(
                f"The file of keys {path} can be read by others (mode {stat.S_IMODE(found.st_mode):04o}), so it is not "
                f"used. Close it with `chmod 600 {path}`; if others use this machine, have the keys renewed."
            )
