"""The honest plan: made from the question alone, the same each time, by no model."""

import re

from deeptrust.agent.plan_sanity import is_repeat
from deeptrust.answering.questions import split_parts
from deeptrust.domain.plan import PlanDraft, StepDraft, Tool
from deeptrust.language.clean import fold_space
from deeptrust.language.words import STOP_WORDS, content_terms, fold
from deeptrust.trust.policy import PolicyRules

_WORD = re.compile(r"[\w'’-]+")
_NAME = re.compile(r"(?<!^)(?:[A-Z]\w+|[A-Z]{2,})(?:[ -](?:of |the |and )?[A-Z0-9]\w*)+")
_MOST_PARTS = 3
_LONGEST_OBJECTIVE = 300
_MOST_MARKS_IN_FRONT = 20
_LONGEST_INPUT = 2000
"""Characters that a step can hold; a question may be longer."""


def build_fallback_plan(question: str, feedback: str | None, rules: PolicyRules, *, may_search_web: bool) -> PlanDraft:
    """Plan from the question's parts, its longest name, and the words of a person's `feedback`.

    The documents are asked first. Steps stay within `rules` on number, length and tools; whether a query may go to
    the web is for the audit to say.
    """
    steps = [_look_up(part, "Find what the documents say on this part of the question.") for part in _parts(question)]
    if name := _longest_name(question):
        steps.append(_look_up(name, "Find what else the documents say about what is asked for."))
    if wish := _wish(question, feedback):
        steps.append(_look_up(wish, "Follow the reason that came back with the last plan."))
    if may_search_web:
        query = wish or key_terms(question)
        steps.append(_draft(Tool.WEB_SEARCH, query, "Find what the documents cannot hold."))
    return PlanDraft(objective=_objective(question), steps=tuple(_fit(steps, rules)))


def key_terms(text: str) -> str:
    """The words of `text` that carry meaning, as they are written; the whole text if none does."""
    words = [word for word in _WORD.findall(text) if fold(word) not in STOP_WORDS and content_terms(word)]
    return " ".join(dict.fromkeys(words)) or fold_space(text)


def _parts(question: str) -> list[str]:
    """The parts of the question; one that says too little by itself ("who signed it?") gets the words of the first."""
    first, *others = split_parts(_from_its_first_word(question))
    whole = [part.text if len(part.terms) > 1 else f"{part.text} {key_terms(first.text)}" for part in others]
    return [first.text, *whole][:_MOST_PARTS]


def _look_up(text: str, rationale: str) -> StepDraft:
    return _draft(Tool.KNOWLEDGE_SEARCH, text, rationale)


def _draft(tool: Tool, text: str, rationale: str) -> StepDraft:
    return StepDraft(tool=tool, input=_cut(text, _LONGEST_INPUT), rationale=rationale)


def _longest_name(question: str) -> str:
    return max(_NAME.findall(question), key=len, default="")


def _wish(question: str, feedback: str | None) -> str:
    """The question's name, or its words, with the new words of the feedback; empty if it adds none."""
    known = set(content_terms(question))
    new = [word for word in _WORD.findall(feedback or "") if set(content_terms(word)) - known]
    return " ".join([_longest_name(question) or key_terms(question), *dict.fromkeys(new[:8])]) if new else ""


def _objective(question: str) -> str:
    text = _from_its_first_word(question)
    return text if len(text) <= _LONGEST_OBJECTIVE else text[: _LONGEST_OBJECTIVE - 1].rstrip() + "…"


def _from_its_first_word(question: str) -> str:
    """The question on one line; of more marks in front of its first word than a step holds, none is kept."""
    text = fold_space(question)
    first = next((at for at, character in enumerate(text) if character.isalnum()), 0)
    return text[first:] if first > _MOST_MARKS_IN_FRONT else text


def _fit(steps: list[StepDraft], rules: PolicyRules) -> list[StepDraft]:
    """Steps that the policy's numbers allow, shortened at a word, without repeats; never none."""
    kept: list[StepDraft] = []
    for step in steps:
        short = step.model_copy(update={"input": _cut(step.input, rules.max_query_characters)})
        if step.tool in rules.allowed_tools and not any(is_repeat(short, one) for one in kept):
            kept.append(short)
    return kept[: rules.max_steps] or steps[:1]


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length + 1].rsplit(maxsplit=1)[0][:length]
