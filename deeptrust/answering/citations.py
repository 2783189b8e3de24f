"""From quoted passages to K27 citations: one numbering, in order of first mention."""

import re
from collections.abc import Iterable, Mapping

from deeptrust.domain.answer import Citation, Claim
from deeptrust.domain.document import ScoredPassage
from deeptrust.language.clean import fold_space
from deeptrust.language.words import content_terms
from deeptrust.trust.entailment import find_best_sentence

SNIPPET_CHARACTERS = 300
_MARK = re.compile(r"(?<!\\)\[\d+\]")


class CitationBook:
    """Gives numbers: the same quote of the same passage keeps its number."""

    def __init__(self) -> None:
        self._citations: dict[tuple[str, str], Citation] = {}

    def cite(self, scored: ScoredPassage, quote: str) -> int:
        """Number of `quote`, a substring of the passage's text."""
        passage = scored.passage
        key = (passage.id, quote)
        if key not in self._citations:
            self._citations[key] = Citation(
                number=len(self._citations) + 1,
                passage_id=passage.id,
                title=passage.title,
                page=passage.page,
                section=passage.section,
                url=passage.url,
                quote=quote,
                snippet=cut_snippet(passage.text, quote),
                score=round(scored.cosine, 4),
            )
        return self._citations[key].number

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All citations by number."""
        return tuple(self._citations.values())


def cut_snippet(text: str, quote: str) -> str:
    """The quote in its surroundings, on one line, about `SNIPPET_CHARACTERS` long, cut at words."""
    at = text.find(quote)
    spare = max(0, SNIPPET_CHARACTERS - len(quote))
    start, end = max(0, at - spare // 2), min(len(text), at + len(quote) + spare // 2)
    while 0 < start < at and not text[start - 1].isspace():
        start += 1
    while at + len(quote) < end < len(text) and not text[end].isspace():
        end -= 1
    return ("… " if start else "") + fold_space(text[start:end]) + (" …" if end < len(text) else "")


def cite_claims(
    text: str, claims: Iterable[Claim], passages: Mapping[str, ScoredPassage]
) -> tuple[str, tuple[Citation, ...]]:
    """Renumber the marks of a text from `keep_supported` and quote the best sentence for each of them."""
    book = CitationBook()
    numbers: list[int] = []
    for claim in claims:
        for passage_id in claim.passage_ids:
            quote = find_best_sentence(content_terms(claim.text), passages[passage_id].passage.text)
            numbers.append(book.cite(passages[passage_id], quote))
    waiting = iter(numbers)
    return _MARK.sub(lambda _: f"[{next(waiting)}]", text), book.citations
