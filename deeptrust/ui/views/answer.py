"""An answer as Markdown that is safe to render: its marks become links to evidence, all other links become text."""

import re
from collections.abc import Iterator, Sequence

from deeptrust.domain.answer import Citation, Claim, Verdict
from deeptrust.ui.views.text import safe_host, safe_name, shorten

MAX_REVEAL_SECONDS = 15.0
"""A long answer speeds up so that its reveal never takes longer (K18)."""
TICK_SECONDS = 0.1
"""Pause between two pushes of a growing answer: ten a second are smooth and cost little."""

CITE_PREFIX = "#c-"
SOURCE_PREFIX = "#s-"
"""Marks with this prefix point to a source that stands on the same page, not to the log of a run."""
PARTIAL_PREFIX = "#partial"

_IMAGE = re.compile(r"!\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])?")
_LINK = re.compile(r"\[([^\]\n]+)\]\(\s*<?([^)\s>]*)[^)\n]*\)")
_DEFINITION = re.compile(r"^ {0,3}(\[[^\]\n]+\]):", re.MULTILINE)
_BREAKS_LINK = re.compile(r"[\[\]\n]")
_MARK = re.compile(r"\[(\d{1,3})\]")
_WORD = re.compile(r'\s*(?:\[[^\]\n]*\]\(#[^\s)]+ "[^"]*"\)|\S)+')


def to_markdown(
    run_id: str,
    text: str,
    citations: Sequence[Citation],
    claims: Sequence[Claim] = (),
    prefix: str = CITE_PREFIX,
) -> str:
    """Return `text` with `[n]` linked to the evidence of citation n and partly supported sentences marked.

    Links and images that stand in the text itself lose their target: a quoted page must not be able to
    send the reader anywhere, load anything, or pose as a citation of ours.
    """
    text = _disarm(text)
    for claim in claims:
        if claim.verdict is Verdict.PARTIAL and not _BREAKS_LINK.search(claim.text) and claim.text in text:
            marked = f'[{claim.text}]({PARTIAL_PREFIX} "{_as_tip(claim.reason or "Partly supported")}")'
            text = text.replace(claim.text, marked, 1)
    known = {citation.number: citation for citation in citations}
    return _MARK.sub(lambda mark: _link(f"{prefix}{run_id}-", known.get(int(mark[1])), mark[0]), text)


def cite_target(run_id: str, number: int) -> str:
    """Return the fragment that names citation `number` of a run."""
    return f"{CITE_PREFIX}{run_id}-{number}"


def source_anchor(key: str, number: int) -> str:
    """Return the id of the element that source `number` of an answer stands in."""
    return f"{SOURCE_PREFIX[1:]}{key}-{number}"


def parse_cite_target(target: str) -> tuple[str, int] | None:
    """Return (run id, number) of a citation's fragment, or None if `target` is none."""
    run_id, _, number = target.removeprefix(CITE_PREFIX).rpartition("-")
    if not target.startswith(CITE_PREFIX) or not run_id or not number.isdecimal() or len(number) > 3:
        return None
    return run_id, int(number)


def web_place(citation: Citation) -> str:
    """Return "example.org, search result, page not opened": the site, and what was read of the page (K22)."""
    return ", ".join(filter(None, (safe_host(citation.url or ""), safe_name(citation.section or ""))))


def place(citation: Citation) -> str:
    """Return "Title, page 3", the title alone where there are no pages, or the site of a web page."""
    title = safe_name(citation.title)
    if citation.url:
        return f"{title}, {web_place(citation)}"
    return title if citation.page is None else f"{title}, page {citation.page}"


def tip(citation: Citation) -> str:
    """Return what hovering over a citation says: the quote, then where it stands."""
    return f"“{shorten(citation.quote, 220)}” — {shorten(place(citation), 90)}"


def without_sources(report: str) -> str:
    """Return a report without its list of sources, which the page shows beneath it in its own way."""
    before, heading, after = report.rpartition("\n\n## Sources\n\n")
    if not heading:
        return report
    _, _, rest = after.partition("\n\n")
    return f"{before}\n\n{rest}".strip()


def growing(markdown: str, word_milliseconds: int) -> Iterator[str]:
    """Yield the answer as it grows, one text a tick; a citation link is never shown half.

    The pace is `word_milliseconds` a word, faster for an answer that would take over 15 seconds (K18).
    """
    ends = [word.end() for word in _WORD.finditer(markdown)]
    seconds = min(len(ends) * word_milliseconds / 1000, MAX_REVEAL_SECONDS)
    ticks = int(seconds / TICK_SECONDS)
    for tick in range(1, ticks):
        yield markdown[: ends[max(0, len(ends) * tick // ticks - 1)]]
    yield markdown


def _disarm(text: str) -> str:
    text = _IMAGE.sub(lambda image: f"(image: {image[1]})" if image[1] else "(image)", text)
    text = _LINK.sub(lambda link: f"{link[1]} ({safe_host(link[2])})" if safe_host(link[2]) else link[1], text)
    return _DEFINITION.sub(r"\\\1:", text)


def _link(stem: str, citation: Citation | None, mark: str) -> str:
    if citation is None:
        return mark
    return f'[{citation.number}]({stem}{citation.number} "{_as_tip(tip(citation))}")'


def _as_tip(text: str) -> str:
    """Make `text` fit for a Markdown link title in double quotes."""
    return text.replace("\\", "/").replace('"', "”").replace("&", "＆").replace("`", "ʼ")
