"""Is a plan that fits the schema also a plan for this question? (GRA-03)"""

import re
from collections.abc import Iterator

from deeptrust.domain.plan import PlanDraft, StepDraft
from deeptrust.language.words import content_terms, fold

EXAMPLE_QUESTION = "How do lighthouse lamps reach ships in fog?"
EXAMPLE_INPUTS = ("lighthouse lamp range in fog", "lighthouse fog signals and ships")
"""The example in the planner's prompt; a step made of its words was copied."""

_EXAMPLE_TERMS = frozenset(content_terms(" ".join((EXAMPLE_QUESTION, *EXAMPLE_INPUTS))))
_FILLER = frozenset(
    content_terms(
        "find search look research gather collect get information info data detail details fact facts knowledge "
        "relevant related topic subject question answer query step plan report result results summary summarize "
        "analyze analysis review understand learn explore investigate identify study source sources document documents "
        "web internet online article articles important key main general overview background example string input text "
        "use using provide give make need want user users"
    )
)
"""Words that say that something is sought, and nothing about what."""
_PLACEHOLDER = re.compile(r"\.{3}|…|<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|\b(?:todo|tbd|lorem ipsum|xxx+)\b")
_LONGEST_INPUT_WORDS = 40
_SHORTEST_NUMBER = 3
"""Digits; a shorter number counts steps more often than it names a thing."""
_LOOP = re.compile(r"\b(\w+)(?:\W+\1\b){3,}")
_CAPITALISED = re.compile(r"(?:\b[A-Z]\w*(?:\s+(?:of|the|and|for|on|in)\s+|\s+|-)){1,6}[A-Z]\w*")
_SAME_SHARE = 0.85


def find_faults(draft: PlanDraft, question: str, max_steps: int) -> list[str]:
    """What is wrong with a plan, in sentences that a model can act on; empty for a sane plan."""
    wanted = question_terms(question)
    faults = [f"The plan has {len(draft.steps)} steps; at most {max_steps} are allowed."] * (
        len(draft.steps) > max_steps
    )
    if wanted and not wanted & set(content_terms(draft.objective)):
        faults.append("The objective shares no word with the question.")
    for number, step in enumerate(draft.steps, start=1):
        faults += [f"Step {number} {fault}." for fault in _step_faults(step, wanted)]
    return faults + [f"Steps {first} and {second} search for the same thing." for first, second in _repeats(draft)]


def question_terms(question: str) -> frozenset[str]:
    """What the question is about: its content words and the acronyms of its names, filler left out."""
    terms = set(content_terms(question))
    for name in _CAPITALISED.findall(question):
        initials = "".join(word[0] for word in re.split(r"[\s-]+", name) if word[0].isupper())
        terms |= set(content_terms(initials)) if len(initials) > 1 else set()
    return frozenset((terms - _FILLER) or terms)


def is_repeat(one: StepDraft, other: StepDraft) -> bool:
    """Whether two steps ask the same tool for the same thing."""
    a, b = _terms(one), _terms(other)
    return one.tool is other.tool and (a == b or len(a & b) > _SAME_SHARE * len(a | b))


def _step_faults(step: StepDraft, wanted: frozenset[str]) -> Iterator[str]:
    terms = {term for term in content_terms(step.input) if not (term.isdigit() and len(term) < _SHORTEST_NUMBER)}
    if _PLACEHOLDER.search(fold(step.input)):
        yield "holds a placeholder; write the words to search for"
    elif wanted and not terms - _FILLER:
        yield "says nothing about what to search for"
    elif terms <= _EXAMPLE_TERMS and not terms <= wanted:
        yield "is copied from the example"
    elif len(wanted & terms) < _least_shared(wanted):
        yield "has too little to do with the question; use the question's own words"
    if len(step.input.split()) > _LONGEST_INPUT_WORDS or _LOOP.search(fold(step.input)):
        yield "is too long or repeats itself; a search needs a few words"


def _least_shared(wanted: frozenset[str]) -> int:
    """One common word may be chance ("act", "state") where the question has several."""
    return min(len(wanted), 2) if len(wanted) > 2 else min(len(wanted), 1)


def _repeats(draft: PlanDraft) -> Iterator[tuple[int, int]]:
    steps = list(enumerate(draft.steps, start=1))
    for at, (first, one) in enumerate(steps):
        yield from ((first, second) for second, other in steps[at + 1 :] if is_repeat(one, other))


def _terms(step: StepDraft) -> set[str]:
    terms = set(content_terms(step.input))
    return (terms - _FILLER) or terms
