"""Chat models in this process, through llama.cpp, off the event loop (K07, D22-D25): the one that ships, and any
other pinned file."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from deeptrust.domain.chat import ModelPhase, ModelState
from deeptrust.errors import DeepTrustError, ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.chatml import defuse
from deeptrust.llm.engine import Engine
from deeptrust.llm.reply import ChatRequest, Reply, Usage
from deeptrust.llm.thinking import without_thinking
from deeptrust.llm.weights import SMOLLM2_135M, Weights, check_magic, locate_weights, verify_weights
from deeptrust.llm.windows import MOST_WINDOWS, choose_windows

Outcome = TypeVar("Outcome")

_VERIFIED = 60
"""Progress in percent once the file is verified; the rest is the engine's."""


class BundledModel(ChatModel):
    """A `ChatModel` in this process. It loads itself at the first call, if `load` was not called before.

    It writes up to four replies at once, as many as memory allows; more wait their turn.
    """

    def __init__(
        self,
        *,
        weights: Weights = SMOLLM2_135M,
        file: Path | None = None,
        max_tokens: int = 4096,
        temperature: float = 0.7,
    ) -> None:
        """Nothing is read yet.

        Args:
            weights: the catalogued model; its hash is checked at load.
            file: where its file is, if not in its package.
            max_tokens: longest reply unless a call says less (D24).
            temperature: of sampling, unless a call says otherwise (D24).
        """
        self._weights = weights
        self._file = file
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._executor = ThreadPoolExecutor(MOST_WINDOWS, thread_name_prefix="chat-model")
        self._opening = threading.Lock()
        self._stops: set[threading.Event] = set()
        self._engine: Engine | None = None
        self._is_closed = False
        self._state = ModelState(name=weights.name, phase=ModelPhase.ABSENT)

    @property
    def name(self) -> str:
        """Shown to the person."""
        return self._weights.name

    @property
    def context_tokens(self) -> int:
        """Window for prompt and reply together, in tokens."""
        return self._weights.context_tokens

    @property
    def reaches_network(self) -> bool:
        """It never does."""
        return False

    @property
    def state(self) -> ModelState:
        """Phase and load progress."""
        return self._state

    @property
    def tokens_made(self) -> int:
        """Tokens made since the load, by the engine's own count: proof that Stop stops it."""
        return self._engine.tokens_made if self._engine else 0

    async def load(self) -> None:
        """Verify the file and open it; a second call waits for the first one.

        Raises:
            ModelUnavailable: the file is missing, damaged or no model, memory is short, or the engine refuses it.
        """
        await self._run(self._open)

    def reply(self, request: ChatRequest) -> Reply:
        """Yield the reply token by token, then its usage; loads the model at the first call."""
        written = self._write(request)
        return without_thinking(written) if self._weights.thinks else written

    async def _write(self, request: ChatRequest) -> Reply:
        order = self._order(request)
        loop = asyncio.get_running_loop()
        items: asyncio.Queue[str | None] = asyncio.Queue()
        stop = threading.Event()

        def put(piece: str) -> None:
            try:
                loop.call_soon_threadsafe(items.put_nowait, piece)
            except RuntimeError:  # the loop is closed: nobody reads on
                stop.set()

        def finish(done: asyncio.Future[Usage]) -> None:
            done.exception()  # looked at, or asyncio reports it when the reader has left
            items.put_nowait(None)

        self._stops.add(stop)
        try:
            writing = self._run(lambda: self._open().generate(order, put, stop))
            writing.add_done_callback(finish)
            while (piece := await items.get()) is not None:
                yield piece
            yield writing.result()
        finally:
            stop.set()
            self._stops.discard(stop)

    async def close(self) -> None:
        """Stop what runs, then free the memory. Final: a closed model stays closed."""
        self._is_closed = True
        for stop in self._stops:
            stop.set()
        await asyncio.to_thread(self._shut)

    def _run(self, work: Callable[[], Outcome]) -> asyncio.Future[Outcome]:
        if self._is_closed:
            raise ModelUnavailable("The chat model is closed. Start DeepTrust again.")
        return asyncio.get_running_loop().run_in_executor(self._executor, work)

    def _order(self, request: ChatRequest) -> dict[str, object]:
        order: dict[str, object] = {
            "messages": [{"role": message.role, "content": defuse(message.content)} for message in request.messages],
            "max_tokens": self._max_tokens if request.max_tokens is None else request.max_tokens,
            "temperature": self._temperature if request.temperature is None else request.temperature,
        }
        if request.schema is not None:
            order["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": request.schema, "strict": True},
            }
        return order

    def _open(self) -> Engine:
        with self._opening:
            if self._engine is None:
                try:
                    self._engine = self._load_engine()
                except DeepTrustError as error:
                    self._show(ModelPhase.FAILED, message=str(error))
                    raise
                self._show(ModelPhase.READY, 100)
            return self._engine

    def _load_engine(self) -> Engine:
        self._show(ModelPhase.LOADING)
        path = self._file or locate_weights(self._weights)
        check_magic(path, self._weights)
        windows = choose_windows(path.stat().st_size, self._weights)
        verify_weights(path, self._weights, lambda share: self._show(ModelPhase.LOADING, int(share * _VERIFIED)))
        return Engine(
            path,
            name=self.name,
            context_tokens=self.context_tokens,
            parallel=windows,
            thinks=self._weights.thinks,
        )

    def _show(self, phase: ModelPhase, progress: int = 0, message: str = "") -> None:
        self._state = ModelState(name=self.name, phase=phase, progress=progress, message=message)

    def _shut(self) -> None:
        self._executor.shutdown(wait=True)
        with self._opening:
            if self._engine is not None:
                self._engine.close()
                self._engine = None
                self._show(ModelPhase.ABSENT)
