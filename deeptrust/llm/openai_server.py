"""A connection to an OpenAI-compatible server, and what its failures mean in a sentence without the key."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from openai import APIStatusError, AsyncOpenAI, DefaultAsyncHttpxClient, Omit, Timeout
from pydantic import SecretStr

from deeptrust.errors import BadSetting, ModelUnavailable
from deeptrust.llm.openai_failures import FAILURES, describe, describe_stranger
from deeptrust.network.address import check_address, is_loopback, show_address
from deeptrust.network.bounded_body import bound_body

ANSWER_SECONDS = 10
"""Longest wait for what a server knows without running a model."""

_NO_LIST = (404, 405, 501)
"""What servers without a list answer; a wrong path answers so too, and then the first reply shows it."""

_NO_KEY = "none"
"""Sent where no key is set; the client would otherwise send the one of OPENAI_API_KEY, meant for somebody else."""


class OpenAiServer:
    """Where the server listens. Redirects are not followed, so that the key stays with the host it is for."""

    def __init__(self, url: str, key: SecretStr | None = None, *, connect_seconds: float = 5) -> None:
        """Nothing is asked yet.

        Raises:
            BadSetting: `url` is not an address, or the key has characters that no header can carry.
        """
        self.url = check_address(url, "DEEPTRUST_ENDPOINT_URL")
        self.reaches_network = not is_loopback(self.url)
        self._answer = Timeout(ANSWER_SECONDS, connect=connect_seconds)
        self._key = key.get_secret_value().strip() if key else ""
        if not self._key.isascii() or not self._key.isprintable():
            raise BadSetting("DEEPTRUST_ENDPOINT_KEY has characters that a key cannot have. Copy it again.")
        self.client = AsyncOpenAI(
            api_key=self._key or _NO_KEY,
            base_url=self.url,
            max_retries=0,
            default_headers={"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()},  # pyright: ignore[reportArgumentType]
            http_client=DefaultAsyncHttpxClient(
                timeout=Timeout(None, connect=connect_seconds),
                follow_redirects=False,
                trust_env=self.reaches_network,
                headers={"Accept-Encoding": "identity"},
                event_hooks={"response": [bound_body]},
            ),
        )

    @asynccontextmanager
    async def translating(self, model: str = "") -> AsyncGenerator[None, None]:
        """Turn `FAILURES` into sentences. The cause is cut off: it holds the request and with it the key.

        Raises:
            ModelUnavailable: as said.
        """
        try:
            yield
        except FAILURES as error:
            if isinstance(error.__cause__, ModelUnavailable):  # from `bound_body`, in the client's own wrapping
                raise error.__cause__ from None
            sentence = describe(error, show_address(self.url), model=model, key=self._key)
            raise ModelUnavailable(sentence) from None

    def is_stranger(self) -> ModelUnavailable:
        """Return the error for an answer that no such server gives."""
        return ModelUnavailable(describe_stranger(show_address(self.url)))

    async def names(self) -> list[str] | None:
        """Return the names of the models that are there, sorted; None where the server does not tell.

        Raises:
            ModelUnavailable: nothing answers there, the key is wrong, or it is another kind of server.
        """
        async with self.translating():
            try:
                listed = await self.client.models.list(timeout=self._answer)
            except APIStatusError as error:
                if error.status_code in _NO_LIST:
                    return None
                raise
            return sorted(entry.id for entry in listed.data)

    async def close(self) -> None:
        """Close all connections, those in use as well."""
        await self.client.close()
