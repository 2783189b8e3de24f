"""Chat models that could be used, and what is known of each before it is."""

from enum import StrEnum

from deeptrust.domain.record import Record


class Backend(StrEnum):
    """What runs a model."""

    EXTRACTIVE = "extractive"
    BUNDLED = "bundled"
    DOWNLOADED = "downloaded"
    OLLAMA = "ollama"
    ENDPOINT = "endpoint"
    CLAUDE = "claude"
    SCRIPTED = "scripted"


class ModelOffer(Record):
    """One line of the selector."""

    id: str
    """What `DEEPTRUST_CHAT_MODEL` takes, for instance `none`, `bundled`, `ollama:NAME`, `endpoint:NAME`, `claude`."""
    name: str
    backend: Backend
    reaches_network: bool
    """True if prompts leave this machine."""
    is_passed_on: bool = False
    """True if the server that it is asked at only passes prompts on to another one."""
    is_ready: bool
    """False where it must be downloaded, pulled, started or given a key first; `message` says which."""
    is_chosen: bool = False
    writes: bool
    """Whether it writes when answers are on `auto`; docs/models.md has the measurement."""
    description: str
    message: str = ""
    size_bytes: int | None = None
    context_tokens: int | None = None
    can_download: bool = False
    """True where nothing but a download, or a pull, is missing."""


class ModelList(Record):
    """The selector as a whole."""

    models: tuple[ModelOffer, ...]
    choice: str
    """`auto`, or the id that was chosen."""
    fixed_by: str = ""
    """Why the model cannot be chosen here, as a sentence; empty where it can."""


class DownloadPhase(StrEnum):
    """Where a download is."""

    WAITING = "waiting"
    DOWNLOADING = "downloading"
    CHECKING = "checking"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class DownloadProgress(Record):
    """What a progress bar shows. Sizes are bytes; rate and `seconds_left` are None while unknown; `message` says what
    failed."""

    id: str
    phase: DownloadPhase
    received_bytes: int = 0
    total_bytes: int | None = None
    bytes_per_second: float | None = None
    seconds_left: float | None = None
    message: str = ""


class ModelTest(Record):
    """What a model said to "Say hello." and how fast. `seconds_to_first` is the wait for its first token."""

    text: str
    completion_tokens: int
    seconds: float
    seconds_to_first: float
    tokens_per_second: float
