"""An Ollama that embeds: real HTTP, with the vectors of the hashing embedder, three times too long."""

from deeptrust.embedding.hashing import _hash as hash_text  # pyright: ignore[reportPrivateUsage]
from tests.llm.model_server import Asked, FakeOllama


class EmbedServer(FakeOllama):
    """`width` is how many numbers a vector has; `may_cut` counts requests that came with leave to cut."""

    def __init__(self) -> None:
        super().__init__()
        self.names = ["all-minilm:l6-v2"]
        self.width = 384
        self.may_cut = 0

    def texts(self) -> list[list[str]]:
        """What was sent to be embedded, request by request."""
        sent = [asked.body for asked in self.asked if asked.path.startswith("/api/embed")]
        return [body["input"] if "input" in body else [body["prompt"]] for body in sent]

    def describe(self, asked: Asked) -> object:
        if asked.path == "/api/tags":
            return super().describe(asked)
        if asked.path == "/api/embed":
            self.may_cut += asked.body.get("truncate") is not False
            return {"embeddings": [self._embed(text) for text in asked.body["input"]]}
        return {"embedding": self._embed(asked.body["prompt"])}

    def _embed(self, text: str) -> list[float]:
        return [3 * float(number) for number in hash_text(text)[: self.width]]
