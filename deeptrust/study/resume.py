"""A resume as evidence: which sentence shows a skill, and how many years it claims."""

import re
from collections.abc import Sequence

from deeptrust.language.words import content_terms
from deeptrust.study.markup import to_text
from deeptrust.study.posting import Posting
from deeptrust.study.skills import DEGREES, skills_in
from deeptrust.study.years import most_years

_NEGATED = re.compile(r"\b(?:no|not|never|without|lack(?:ing)?|kein\w*|nicht|ohne)\b(?:\W+\w+){0,4}\W*$", re.I)
_LONGEST_QUOTE = 300


class Resume:
    """The sentences of a resume, and what each shows."""

    def __init__(self, text: str) -> None:
        """`text` is the resume as it was read from its file."""
        self._sentences = [span.text for _, span in Posting(to_text(text)).sentences]
        self._shown: dict[str, str] = {}
        for sentence in self._sentences:
            for name, start, end in skills_in(sentence):
                if not _NEGATED.search(sentence[:start]):
                    self._shown.setdefault(name, _around(sentence, start, end))
        self._terms = [set(content_terms(sentence)) for sentence in self._sentences]

    def evidence(self, skill: str) -> str | None:
        """The first sentence that shows the skill; a higher degree shows a lower one."""
        names = DEGREES[DEGREES.index(skill) :] if skill in DEGREES else (skill,)
        return next((self._shown[name] for name in names if name in self._shown), None)

    def claimed_years(self, skills: Sequence[str]) -> tuple[int, str] | None:
        """The most years that a sentence claims, with it: one that names one of the skills, or names none at all."""
        claims = [
            (years, sentence)
            for sentence in self._sentences
            if (years := most_years(sentence)) is not None and _speaks_of(sentence, skills)
        ]
        return max(claims, default=None)

    def closest(self, words: set[str]) -> tuple[float, str | None]:
        """The largest share of `words` (stems) in one sentence, and that sentence."""
        shares = [len(words & terms) / len(words) for terms in self._terms] if words else []
        best = max(shares, default=0.0)
        if not best:
            return 0.0, None
        sentence = self._sentences[shares.index(best)]
        return best, _around(sentence, 0, min(len(sentence), _LONGEST_QUOTE))


def _speaks_of(sentence: str, skills: Sequence[str]) -> bool:
    named = {name for name, _, _ in skills_in(sentence)}
    return not named or not skills or bool(named & set(skills))


def _around(sentence: str, start: int, end: int) -> str:
    """The sentence, or of a long one a stretch round [start, end) that ends between words."""
    if len(sentence) <= _LONGEST_QUOTE:
        return sentence
    room = max(0, _LONGEST_QUOTE - (end - start)) // 2
    first, last = max(0, start - room), min(len(sentence), end + room)
    first = sentence.find(" ", first, start) + 1 if first else 0
    cut = sentence.rfind(" ", end, last) if last < len(sentence) else last
    return sentence[first : cut if cut > 0 else last]
