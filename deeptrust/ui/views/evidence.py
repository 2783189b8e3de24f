"""A citation in its place: the page, with the quote cut out so that it can be marked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deeptrust.domain.answer import Citation, Claim, Verdict
from deeptrust.domain.document import Document, Passage
from deeptrust.ui.views.answer import place
from deeptrust.ui.views.text import day, safe_host, safe_name, safe_url

CONTEXT_CHARACTERS = 420
"""Text before and after a quote: enough to judge it, short enough to see it at once."""
WHOLE_PAGE_CHARACTERS = 30_000
"""Text shown on either side when a page is opened whole; a long text file has a single page of megabytes."""

_LINE_INSIDE_PARAGRAPH = re.compile(r"(?m)(^[^\n]{44,}[^\n.!?:;|])\n(?=[^\s\-•*|#\d])")

_WORDS = {
    Verdict.SUPPORTED: ("supported", "ok"),
    Verdict.PARTIAL: ("partly supported", "warn"),
    Verdict.UNSUPPORTED: ("not supported", "bad"),
    Verdict.NOT_FOUND: ("not found", "off"),
}


@dataclass(frozen=True)
class EvidenceView:
    """All that the Evidence tab shows of one citation. `before + quote + after` is the page, its lines reflowed."""

    target: str
    number: int
    title: str
    verdict: str
    tone: str
    page: str
    match: str
    added: str
    before: str
    quote: str
    after: str
    is_whole: bool
    claim: str
    reason: str
    span: str
    reference: str
    url: str = ""
    host: str = ""


def show(
    target: str,
    citation: Citation,
    claims: Sequence[Claim],
    document: Document,
    passage: Passage,
    page_text: str,
    is_whole: bool = False,
) -> EvidenceView:
    """Return the view of `citation` with its surroundings, or with the whole page."""
    claim = next((claim for claim in claims if citation.passage_id in claim.passage_ids), None)
    verdict, tone = _WORDS[claim.verdict if claim else Verdict.SUPPORTED]
    start, end = locate(citation.quote, passage, page_text)
    page_text = reflow(page_text)
    before, after = surroundings(page_text, start, end, WHOLE_PAGE_CHARACTERS if is_whole else CONTEXT_CHARACTERS)
    return EvidenceView(
        target=target,
        number=citation.number,
        title=safe_name(citation.title),
        verdict=verdict,
        tone=tone,
        page=f"page {passage.page} of {document.page_count}",
        match=f"match {citation.score:.2f}",
        added=f"added {day(document.created_at)}",
        before=before,
        quote=page_text[start:end],
        after=after,
        is_whole=is_whole,
        claim=claim.text if claim else "",
        reason=claim.reason if claim else "",
        span=f"characters {start:,} to {end:,} of the page",
        reference=f"“{citation.quote}” ({place(citation)})",
    )


def show_web(target: str, citation: Citation, claims: Sequence[Claim]) -> EvidenceView:
    """Return the view of a search result: all that was read of its page is the citation itself (K22)."""
    claim = next((claim for claim in claims if citation.passage_id in claim.passage_ids), None)
    verdict, tone = _WORDS[claim.verdict if claim else Verdict.SUPPORTED]
    before, _, after = (
        citation.snippet.partition(citation.quote) if citation.quote in citation.snippet else ("", "", "")
    )
    url = safe_url(citation.url or "")
    return EvidenceView(
        target=target,
        number=citation.number,
        title=safe_name(citation.title),
        verdict=verdict,
        tone=tone,
        page=safe_name(citation.section or ""),
        match=f"match {citation.score:.2f}",
        added="",
        before=before,
        quote=citation.quote,
        after=after,
        is_whole=True,
        claim=claim.text if claim else "",
        reason=claim.reason if claim else "",
        span="all that the search result says",
        reference=f"“{citation.quote}” ({place(citation)})",
        url=url,
        host=safe_host(url),
    )


def said(view: EvidenceView) -> str:
    """Return what a screen reader should say of an opened citation."""
    return f"Evidence {view.number}, {view.verdict}: “{view.quote}” {view.title}, {view.page}"


def reflow(text: str) -> str:
    """Return `text` with the line ends inside paragraphs turned into blanks; its length stays, so offsets do too.

    A PDF ends a line where its page did, which is never where ours does. A line of 45 characters or more that
    does not end a sentence goes on; a short one is a heading, a list item or a table row and stays.
    """
    return _LINE_INSIDE_PARAGRAPH.sub(r"\1 ", text)


def locate(quote: str, passage: Passage, page_text: str) -> tuple[int, int]:
    """Return where `quote` stands on the page, as (start, end) in characters.

    The quote is looked for inside its own passage, since the same words may stand on the page twice.
    """
    inside = passage.text.find(quote)
    start = passage.start + inside if inside >= 0 else passage.start
    end = start + len(quote) if inside >= 0 else passage.end
    return start, min(end, len(page_text))


def surroundings(text: str, start: int, end: int, reach: int) -> tuple[str, str]:
    """Return the text before and after `text[start:end]`, each at most `reach` long and cut at a blank."""
    before, after = text[max(0, start - reach) : start], text[end : end + reach]
    if start > reach:
        before = "…" + before[before.find(" ") + 1 :]
    if end + reach < len(text):
        after = after[: after.rfind(" ")] + "…"
    return before, after
