"""Keys of model servers: in the environment, or in a file of the home that only its owner can read."""

import json
import os
from pathlib import Path

from pydantic import SecretStr

from deeptrust.errors import BadInput, StoreUnavailable

KEY_NAMES = ("endpoint",)
"""What a key may be for."""


class KeyFile:
    """`keys.json` of a home, mode 0600. Keys leave it as `SecretStr`, which prints as stars."""

    def __init__(self, home: Path) -> None:
        self._path = home / "keys.json"

    def read(self, name: str) -> SecretStr | None:
        """Return the key for `name`, or None.

        Raises:
            StoreUnavailable: the file cannot be read, or is not ours.
        """
        key = self._load().get(name)
        return SecretStr(key) if key else None

    def write(self, name: str, key: SecretStr) -> None:
        """Keep `key` for `name`; an empty one forgets it.

        Raises:
            BadInput: no such name, or the key has characters that no HTTP header can carry.
            StoreUnavailable: the file cannot be written.
        """
        secret = key.get_secret_value().strip()
        if name not in KEY_NAMES:
            raise BadInput(f"There is no key for {name}. Keys are kept for: {', '.join(KEY_NAMES)}.")
        if not (secret.isascii() and secret.isprintable()):
            raise BadInput("The key has characters that no key has. Copy it again.")
        keys = self._load()
        keys.pop(name, None)
        self._save(keys | ({name: secret} if secret else {}))

    def _load(self) -> dict[str, str]:
        try:
            found: object = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            found = None
        if not isinstance(found, dict):
            raise StoreUnavailable("keys.json in the home cannot be read. Delete it and set the keys again.")
        return {str(name): str(key) for name, key in found.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]

    def _save(self, keys: dict[str, str]) -> None:
        fresh = self._path.with_suffix(".new")
        try:
            fresh.unlink(missing_ok=True)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(keys, file)
            fresh.replace(self._path)
        except OSError as error:
            raise StoreUnavailable("The key cannot be kept: the home cannot be written. Check its disk.") from error
