"""Documents of our own writing, with which a newcomer can ask at once. `docs/samples` makes the PDFs."""

from pathlib import Path

_FOLDER = Path(__file__).parent
_SUFFIXES = frozenset({".pdf", ".md"})

SAMPLE_QUESTIONS: tuple[str, ...] = (
    "How long does a landlord have to return the deposit in Larkfield?",
    "How many days a week may employees of Meridian & Vale work from home?",
    "Does a home battery work in a power cut?",
)
"""Starter questions; one sentence on one page of a sample answers each."""


def sample_files() -> list[Path]:
    """The sample documents, PDF and Markdown, in the order of their names."""
    return sorted(path for path in _FOLDER.iterdir() if path.suffix in _SUFFIXES)
