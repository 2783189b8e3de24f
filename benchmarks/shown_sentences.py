"""Is what is shown also supported? A second opinion, from the shown text and the stored passages alone."""

import re
from collections.abc import Mapping

from deeptrust.domain.answer import GroundedAnswer
from deeptrust.domain.document import Passage
from deeptrust.language.clean import fold_space
from deeptrust.trust.entailment import find_support

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKED = re.compile(r"(.+?)((?:\s*(?<!\\)\[\d+\])+)", re.DOTALL)
_NUMBER = re.compile(r"\[(\d+)\]")


def find_unsupported(answer: GroundedAnswer, passages: Mapping[str, Passage]) -> tuple[int, list[str]]:
    """(number of shown sentences, those that nothing supports).

    A sentence is what stands before a run of marks; text behind the last mark has none and counts against the answer.
    It is supported by a citation whose quote stands in its passage to the letter, if the sentence is in the passage
    itself or the passage passes the support check.
    """
    by_number = {citation.number: citation for citation in answer.citations}
    shown, unsupported, end = 0, list[str](), 0
    for found in _MARKED.finditer(answer.text):
        end = found.end()
        shown += 1
        sentence = fold_space(_ESCAPED.sub(r"\1", found[1])).removeprefix("- ")
        cited = [by_number.get(int(number)) for number in _NUMBER.findall(found[2])]
        if not any(one and _supports(passages[one.passage_id], one.quote, sentence) for one in cited):
            unsupported.append(sentence)
    if rest := answer.text[end:].strip():
        shown += 1
        unsupported.append(rest)
    return shown, unsupported


def _supports(passage: Passage, quote: str, sentence: str) -> bool:
    if quote not in passage.text:
        return False
    context = f"{passage.title}\n{passage.section or ''}"
    return sentence in fold_space(passage.text) or find_support(sentence, passage.text, context).is_supported
