"""An embedding model that Ollama runs, for those who have one there already (K06)."""

import asyncio
from collections.abc import Sequence

import httpx
import numpy as np
from ollama import AsyncClient, ResponseError

from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.embedding.minilm import MAX_TOKENS, MiniLmEmbedder
from deeptrust.errors import BadDocument, DeepTrustError, ModelUnavailable
from deeptrust.network.address import is_loopback
from deeptrust.network.bounded_body import bound_body

_FAILURES = (ResponseError, ConnectionError, httpx.HTTPError, ValueError, TypeError, AttributeError, TimeoutError)
_BATCH = 32
_ANSWER_SECONDS = 120
"""Longest wait for one batch; the first one may have to load the model."""

_LIST_SECONDS = 10
_DIGEST_CHARACTERS = 16

_BLANK = "."
"""Stands for a question without a letter, for which Ollama makes no vector."""

_INSTEAD = "set DEEPTRUST_EMBEDDER=minilm"


class OllamaEmbedder:
    """An `Embedder` behind `/api/embed`, or `/api/embeddings` of an older Ollama.

    Texts are counted with the bundled tokenizer of MiniLM: exactly for `all-minilm`, nearly for other models of the
    BERT family. The server is told never to cut a text (its own default is to cut in silence).
    """

    max_tokens = MAX_TOKENS

    def __init__(self, model: str, *, url: str = "http://127.0.0.1:11434", connect_seconds: float = 5) -> None:
        """Nothing is asked yet.

        Args:
            model: as `ollama list` shows it.
            url: where Ollama listens; what is embedded goes there.
            connect_seconds: longest time to reach it.
        """
        self._model = model
        self._digest = ""
        self._reaches_network = not is_loopback(url)
        self._counter = MiniLmEmbedder()
        self._client = AsyncClient(
            url,
            timeout=httpx.Timeout(_ANSWER_SECONDS, connect=connect_seconds),
            follow_redirects=False,
            trust_env=False,
            headers={"Accept-Encoding": "identity"},
            event_hooks={"response": [bound_body]},
        )
        self._is_old = False

    @property
    def name(self) -> str:
        """The model, and who runs it."""
        return f"ollama:{self._model}"

    @property
    def reaches_network(self) -> bool:
        """Whether Ollama is on another machine."""
        return self._reaches_network

    @property
    def fingerprint(self) -> str:
        """Model, width, longest text, and the digest of the weights: the same name may be pulled anew with others."""
        return f"ollama:{self._model}:{DIMENSIONS}:{MAX_TOKENS}:{self._digest}".rstrip(":")

    async def identify(self) -> str:
        """See `Embedder.identify`."""
        try:
            async with asyncio.timeout(_LIST_SECONDS):
                listed = await self._client.list()
        except ResponseError as error:
            if error.status_code not in (404, 405):
                raise self._explain(error) from error
            return self.fingerprint  # it embeds, but tells nothing about its models
        except _FAILURES as error:
            raise self._explain(error) from error
        names = (self._model, f"{self._model}:latest")
        digest = next((entry.digest for entry in listed.models if entry.model in names), None)
        self._digest = (digest or "")[:_DIGEST_CHARACTERS]
        return self.fingerprint

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text by the tokenizer of MiniLM, special tokens included."""
        return self._counter.count_tokens(texts)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`. Nothing is returned unless all texts have their vector."""
        counts = await asyncio.to_thread(self.count_tokens, texts)
        if any(count > MAX_TOKENS for count in counts):
            raise _too_long()
        batches = [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]
        vectors = [await self._embed_batch(batch) for batch in batches]
        return np.concatenate(vectors) if vectors else np.empty((0, DIMENSIONS), np.float32)

    async def embed_question(self, text: str) -> Vectors:
        """See `Embedder.embed_question`."""
        shortened = await asyncio.to_thread(self._shorten, text)
        return (await self._embed_batch([shortened]))[0]

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()
        await self._counter.close()

    def _shorten(self, text: str) -> str:
        """The longest beginning of a question that is read whole, by halving what is left over."""
        if not text.strip():
            return _BLANK
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            fits = self.count_tokens([text[:middle]])[0] <= MAX_TOKENS
            low, high = (middle, high) if fits else (low, middle - 1)
        return text[:low]

    async def _embed_batch(self, texts: Sequence[str]) -> Vectors:
        await self.identify()
        try:
            return _normalise(await self._fetch(texts), len(texts), self._model)
        except _FAILURES as error:
            raise self._explain(error) from error

    async def _fetch(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if not self._is_old:
            try:
                return (await self._client.embed(self._model, list(texts), truncate=False)).embeddings
            except ResponseError as error:
                if error.status_code != 404 or "model" in error.error.lower():
                    raise
                self._is_old = True
        return [(await self._client.embeddings(self._model, text)).embedding for text in texts]

    def _explain(self, error: Exception) -> DeepTrustError:
        match error:
            case ResponseError(status_code=404):
                fix = f"Run `ollama pull {self._model}`, or {_INSTEAD}."
                return ModelUnavailable(f"Ollama has no embedding model {self._model}. {fix}")
            case ResponseError() if "length" in error.error or "too long" in error.error:
                return _too_long()
            case ConnectionError() | httpx.ConnectTimeout():
                fix = f"Start it with `ollama serve`, or {_INSTEAD}."
                return ModelUnavailable(f"Ollama, which embeds your texts, does not answer. {fix} Nothing was changed.")
            case ResponseError():
                said = " ".join(error.error.split())[:200].rstrip(".")
                return ModelUnavailable(f"Ollama could not embed: {said}. Ask again, or {_INSTEAD}.")
            case httpx.HTTPError() | TimeoutError():
                return ModelUnavailable(f"Ollama broke off while it embedded. Ask again, or {_INSTEAD}.")
            case _:
                return ModelUnavailable(
                    f"What answers in the place of Ollama makes no embeddings. Set DEEPTRUST_OLLAMA_URL, or {_INSTEAD}."
                )


def _normalise(raw: Sequence[Sequence[float]], wanted: int, model: str) -> Vectors:
    """Rows of norm 1; an older Ollama gives them as long as they come.

    Raises:
        ModelUnavailable: there are not as many, they are not of `DIMENSIONS` numbers, or one is no direction.
        ValueError: they are no matrix.
    """
    vectors = np.asarray(raw, np.float64)
    if vectors.ndim != 2 or len(vectors) != wanted:
        raise ModelUnavailable(f"{model} did not give one vector for each text. Choose another model, or {_INSTEAD}.")
    if vectors.shape[1] != DIMENSIONS:
        raise ModelUnavailable(
            f"{model} makes vectors of {vectors.shape[1]} numbers, and the store holds {DIMENSIONS}. "
            f"Set DEEPTRUST_OLLAMA_EMBEDDING_MODEL=all-minilm:l6-v2, or {_INSTEAD}."
        )
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not (norms > 0).all():
        raise ModelUnavailable(f"{model} gave a vector that is none. Restart Ollama, or {_INSTEAD}.")
    return (vectors / norms).astype(np.float32)


def _too_long() -> BadDocument:
    return BadDocument("A passage is longer than the embedder reads; split it into smaller passages.")
