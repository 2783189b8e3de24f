"""llama.cpp inside this process (xllamacpp): blocking calls, stoppable, without an open port.

Two facts shape this file. Only a streaming call can be stopped, because a call is stopped by what its callback
returns. And while a prompt is read the callback comes once a batch, and only if progress is asked for; so the
batch decides how long a Stop waits.
"""

import os
import re
import secrets
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from deeptrust.domain.chat import FinishReason
from deeptrust.errors import DeepTrustError, ModelUnavailable
from deeptrust.llm.chatml import TEMPLATE, TEMPLATE_WITHOUT_THINKING
from deeptrust.llm.reply import Usage, prompt_too_long

BATCH_TOKENS = 64
"""Read per step: on two busy cores as fast as 256, and Stop waits 0.5 s in place of 2.4 s
(benchmarks/chat_model.py)."""

_SILENT = -1
"""Below every level of llama.cpp's log, which would otherwise carry parts of prompts."""


@dataclass
class _Turn:
    """One running call: what its chunks have said so far."""

    on_piece: Callable[[str], None]
    stop: threading.Event
    finish_reason: FinishReason = FinishReason.STOPPED
    prompt_tokens: int = 0
    completion_tokens: int = 0
    error: dict[str, Any] | None = field(default=None)

    def take(self, chunk: dict[str, Any]) -> bool:
        """Read one chunk; True tells the engine to stop."""
        if self.stop.is_set():
            return True
        if "error" in chunk:
            self.error = chunk["error"]
            return True
        if progress := chunk.get("prompt_progress"):
            self.prompt_tokens = progress["total"]
        if usage := chunk.get("usage"):
            self.prompt_tokens = usage["prompt_tokens"]
            self.completion_tokens = usage["completion_tokens"]
        for choice in chunk.get("choices", ()):
            self._take_choice(choice)
        return False

    def _take_choice(self, choice: dict[str, Any]) -> None:
        if piece := choice["delta"].get("content"):
            self.completion_tokens += 1
            self.on_piece(piece)
        if reason := choice["finish_reason"]:
            self.finish_reason = FinishReason.LENGTH if reason == "length" else FinishReason.END


class Engine:
    """A loaded model. Its methods block and may be called from several threads at once."""

    def __init__(self, path: Path, *, name: str, context_tokens: int, parallel: int, thinks: bool = False) -> None:
        """Load the file; each of `parallel` calls gets a window of `context_tokens`. Thinking aloud is turned off.

        The constructor of llama.cpp holds Python's lock while it loads (about 0.5 s), on whatever thread.

        Raises:
            ModelUnavailable: the engine is not installed or refuses the file.
        """
        self._name = name
        self._context_tokens = context_tokens
        try:
            xllamacpp: Any = import_module("xllamacpp")
            with tempfile.TemporaryDirectory(prefix="dt-") as folder:
                # Its HTTP server cannot be turned off. It listens on a socket in a folder that is ours alone,
                # and both are gone before this constructor returns: then nothing can reach it.
                params = _engine_parameters(xllamacpp, path, Path(folder) / "llm.sock", context_tokens, parallel)
                params.chat_template = TEMPLATE_WITHOUT_THINKING if thinks else TEMPLATE
                self._server: Any = xllamacpp.Server(params)
                # Answered by llama.cpp's own loop, which therefore runs now: closed before that, it would never end.
                self._server.handle_metrics()
        except (ImportError, OSError, RuntimeError) as error:
            raise ModelUnavailable(
                f"The engine cannot load {name}. Run `make setup` again; `deeptrust doctor` checks the model."
            ) from error

    def generate(self, request: dict[str, object], on_piece: Callable[[str], None], stop: threading.Event) -> Usage:
        """Write one reply. `stop` ends it after at most one token, or one batch of the prompt.

        Args:
            request: an OpenAI chat completion request without its streaming keys.
            on_piece: called with each piece on this thread; it must not raise.
            stop: set by another thread.

        Raises:
            BadInput: the prompt is longer than the window.
            ModelUnavailable: the engine failed.
        """
        turn = _Turn(on_piece, stop)
        streaming = {"stream": True, "return_progress": True, "stream_options": {"include_usage": True}}
        if not stop.is_set():
            try:
                self._server.handle_chat_completions({**request, **streaming}, turn.take)
            except (RuntimeError, ValueError) as error:
                raise ModelUnavailable(f"{self._name} cannot follow this request.") from error
        if turn.error is not None:
            raise self._translate(turn.error)
        return Usage(turn.finish_reason, turn.prompt_tokens, turn.completion_tokens)

    @property
    def tokens_made(self) -> int:
        """Tokens that the engine itself has counted since it was loaded, stopped replies included."""
        return self._counter("tokens_predicted_total")

    @property
    def steps_made(self) -> int:
        """Steps since it was loaded, counted as they happen: a token of a reply, or a batch of a prompt."""
        return self._counter("n_decode_total")

    def close(self) -> None:
        """Free the memory. Stop every call first: this waits for them."""
        self._server = None

    def _counter(self, name: str) -> int:
        found = re.search(rf"^llamacpp:{name} (\d+)", self._server.handle_metrics(), re.MULTILINE)
        return int(found[1]) if found else 0

    def _translate(self, error: dict[str, Any]) -> DeepTrustError:
        if error.get("type") == "exceed_context_size_error":
            return prompt_too_long(self._name, error["n_prompt_tokens"], self._context_tokens)
        return ModelUnavailable(f"{self._name} failed while writing. Ask again; if it stays, restart DeepTrust.")


def _engine_parameters(xllamacpp: Any, path: Path, socket: Path, context_tokens: int, parallel: int) -> Any:
    """Everything that is set, by its reason."""
    params: Any = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_parallel = parallel
    params.n_ctx = context_tokens * parallel  # llama.cpp divides it among the parallel calls
    params.fit_params = False  # sizes are fixed above; measuring first doubles the load time
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    # One core stays free: with all of them, one busy neighbour costs two thirds of the speed.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) - 1)
    params.cache_ram_mib = 0  # keeps no past prompts in memory; the default is up to 8 GiB
    params.verbosity = _SILENT
    params.offline = True
    params.hostnames = [str(socket)]
    params.api_keys = [secrets.token_urlsafe(32)]
    params.ui = False
    params.endpoint_slots = False
    params.endpoint_metrics = True  # in-process only; gives the counters
    return params
