"""Chat models as the selector shows them: what each is, where it runs, and what can be done with it now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from deeptrust.domain.model import Backend, DownloadPhase, DownloadProgress, ModelOffer, ModelTest
from deeptrust.language.counting import count
from deeptrust.ui.views.text import duration, size

READY = "ready"
ABSENT = "absent"
DOWNLOADING = "downloading"
UNREACHABLE = "unreachable"

NO_ENDPOINT = "endpoint:"
"""Id of the line that stands for an endpoint while no model of it is known."""

_UNDER_WAY = frozenset({DownloadPhase.WAITING, DownloadPhase.DOWNLOADING, DownloadPhase.CHECKING})
_KEPT_FOR_RESUMING = frozenset({DownloadPhase.CANCELLED, DownloadPhase.FAILED})


@dataclass(frozen=True)
class OfferLine:
    """One model of the selector, in one of the four phases above."""

    id: str
    name: str
    description: str
    facts: str
    leaves: bool
    phase: str
    is_chosen: bool
    can_test: bool
    message: str = ""
    action: str = ""
    percent: int = 0
    progress: str = ""
    is_broken: bool = False


@dataclass(frozen=True)
class TrialLine:
    """What a model said to "Say hello", and how fast; without an id there was no test."""

    id: str = ""
    text: str = ""
    speed: str = ""


def offer_lines(
    offers: Iterable[ModelOffer], progress: Mapping[str, DownloadProgress], *, leaves: bool
) -> list[OfferLine]:
    """Return the models that run here, or those that prompts leave this machine for."""
    return [offer_line(offer, progress.get(offer.id)) for offer in offers if offer.reaches_network == leaves]


def offer_line(offer: ModelOffer, progress: DownloadProgress | None = None) -> OfferLine:
    """Return the line of one model, with the news of its download if there are any."""
    is_running = progress is not None and is_under_way(progress)
    has_failed = progress is not None and progress.phase is DownloadPhase.FAILED and not offer.is_ready
    return OfferLine(
        id=offer.id,
        name=offer.name,
        description=offer.description,
        facts=_facts(offer),
        leaves=offer.reaches_network,
        phase=_phase(offer, is_running),
        is_chosen=offer.is_chosen,
        can_test=offer.is_ready and offer.backend is not Backend.EXTRACTIVE,
        message="" if is_running else progress.message if has_failed and progress else _message(offer),
        action=_word(offer, progress) if offer.can_download and not is_running else "",
        percent=_percent(progress),
        progress=progress_text(progress) if progress and is_running else "",
        is_broken=has_failed,
    )


def is_under_way(progress: DownloadProgress) -> bool:
    """Whether a download goes on."""
    return progress.phase in _UNDER_WAY


def progress_text(progress: DownloadProgress) -> str:
    """Return "12 MB of 98 MB, 14 s left", or what is done instead of receiving."""
    if progress.phase is DownloadPhase.WAITING:
        return progress.message or "Waiting for the first bytes"
    if progress.phase is DownloadPhase.CHECKING:
        return "Checking what was received"
    received = size(progress.received_bytes)
    whole = f"{received} of {size(progress.total_bytes)}" if progress.total_bytes else f"{received} so far"
    return whole if progress.seconds_left is None else f"{whole}, {duration(progress.seconds_left)} left"


def downloading_text(downloads: Iterable[DownloadProgress]) -> str:
    """Return "downloading 34 %" for the first download that goes on, or nothing where none does."""
    running = next((one for one in downloads if is_under_way(one)), None)
    return f"downloading {_percent(running)} %" if running else ""


def trial_line(offer_id: str, test: ModelTest) -> TrialLine:
    """Return what the test of a model brought: "38 tokens/s, first word after 0.4 s, 12 tokens in 0.7 s"."""
    speed = (
        f"{test.tokens_per_second:,.1f} tokens/s, first token after {duration(test.seconds_to_first)}, "
        f"{count(test.completion_tokens, 'token')} in {duration(test.seconds)}"
    )
    return TrialLine(id=offer_id, text=test.text.strip() or "(it said nothing)", speed=speed)


def _phase(offer: ModelOffer, is_running: bool) -> str:
    if is_running:
        return DOWNLOADING
    if offer.is_ready:
        return READY
    return ABSENT if offer.can_download else UNREACHABLE


def _message(offer: ModelOffer) -> str:
    """What is missing and how to mend it; that it is not downloaded yet is said by its button."""
    is_said = offer.can_download and offer.message.startswith("Not downloaded yet")
    return "" if offer.is_ready or is_said else offer.message


def _facts(offer: ModelOffer) -> str:
    parts = [
        size(offer.size_bytes) if offer.size_bytes else "",
        f"{offer.context_tokens:,} tokens of context" if offer.context_tokens else "",
    ]
    return ", ".join(filter(None, parts))


def _word(offer: ModelOffer, progress: DownloadProgress | None) -> str:
    if progress and progress.phase in _KEPT_FOR_RESUMING and progress.received_bytes:
        return f"Resume at {size(progress.received_bytes)}"
    return f"Download {size(offer.size_bytes)}" if offer.size_bytes else "Download"


def _percent(progress: DownloadProgress | None) -> int:
    if progress is None or not progress.total_bytes:
        return 0
    return min(100, int(100 * progress.received_bytes / progress.total_bytes))
