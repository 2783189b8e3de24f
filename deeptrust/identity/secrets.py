"""Secrets that stand for somebody: how they are made, recognised and kept."""

import hashlib
import hmac
import secrets

_MAC_CHARACTERS = 32


class SecretMint:
    """Makes secrets for cookies. They carry a mark by which this home, and nobody else, knows them again.

    So a visitor who only looks costs no row, and nobody can have a browser known by a secret of their own choice.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def make(self) -> str:
        """Return a new secret: 256 random bits and their mark."""
        return self._marked(secrets.token_urlsafe(32))

    def is_genuine(self, secret: str) -> bool:
        """Whether this home made the secret."""
        return hmac.compare_digest(secret.encode(), self._marked(secret.partition(".")[0]).encode())

    def _marked(self, nonce: str) -> str:
        mark = hmac.new(self._key, b"cookie:" + nonce.encode(), hashlib.sha256).hexdigest()
        return f"{nonce}.{mark[:_MAC_CHARACTERS]}"


def make_token() -> str:
    """Return a new API token: 256 random bits, after a mark that lets people and scanners see what it is."""
    return f"dt_{secrets.token_urlsafe(32)}"


def digest(secret: str) -> str:
    """Return what is kept of a secret. 256 random bits need no slow hash: they cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()
