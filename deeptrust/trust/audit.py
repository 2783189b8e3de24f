"""The audit: machine rules decide; a model may add objections, and can neither remove one nor approve (K09)."""

import re
from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from deeptrust.domain.plan import AuditResult, AuditVerdict, RuleFinding
from deeptrust.domain.record import Record
from deeptrust.language.clean import clean_text, fold_space
from deeptrust.language.words import content_terms, fold

INCONCLUSIVE = "model opinion inconclusive"

_NOISE = frozenset(
    content_terms(
        "none nothing null nil empty string text placeholder example sample violation violations policy policies "
        "rule rules list item items array found detected identified any plan plans step steps complies compliant "
        "comply follows ok okay fine acceptable approved applicable unknown here todo tbd"
    )
)
"""Words that alone object to nothing."""
_DENIAL = re.compile(
    r"^(?:no|not any|without|none of|there (?:are|is) no)\b.*\b(?:violat\w*|issues?|problems?|concerns?)\b"
)
_LONGEST_OBJECTION = 300
_MOST_OBJECTIONS = 10


class ModelOpinion(Record):
    """What a model says of a plan, in exactly this shape; anything else is no opinion."""

    verdict: AuditVerdict
    policy_violations: tuple[str, ...] = Field(max_length=50)
    suggestions: tuple[str, ...] = Field(default=(), max_length=50)


def combine(
    findings: Sequence[RuleFinding],
    opinion: ModelOpinion | None,
    *,
    policy_hash: str,
    audited_at: datetime,
    was_asked: bool,
    is_human_edit: bool = False,
) -> AuditResult:
    """Join the verdicts of the rules with a model's opinion.

    A broken rule decides. Where all rules hold, objections of a model send the plan back, unless a person wrote
    it (K23): then they are shown as suggestions. An opinion that contradicts itself, or none although a model
    `was_asked`, leaves the verdict with the rules and is called inconclusive.
    """
    broken = tuple(f"{finding.line} ({finding.detail})" for finding in findings if not finding.holds)
    objections, suggestions, word = _weigh(opinion, was_asked=was_asked)
    if is_human_edit:
        suggestions, objections = (*objections, *suggestions), ()
    return AuditResult(
        verdict=_decide(broken, objections, opinion),
        policy_violations=(*broken, *objections),
        suggestions=suggestions,
        audited_at=audited_at,
        findings=tuple(findings),
        model_opinion=word,
        policy_hash=policy_hash,
    )


def is_passed(audit: AuditResult) -> bool:
    """The only way to the gate: approved, by name, without a violation and with every rule kept."""
    return (
        audit.verdict is AuditVerdict.APPROVED
        and not audit.policy_violations
        and bool(audit.findings)
        and all(finding.holds for finding in audit.findings)
    )


def drop_noise(objections: Sequence[str]) -> tuple[str, ...]:
    """Objections that object to something, cleaned; "none", "n/a", "string" and the like are no objections (D14)."""
    texts = dict.fromkeys(fold_space(clean_text(text))[:_LONGEST_OBJECTION] for text in objections)
    return tuple(text for text in texts if _says_something(text))[:_MOST_OBJECTIONS]


def _weigh(opinion: ModelOpinion | None, *, was_asked: bool) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """(objections, suggestions, what the opinion was worth)."""
    if opinion is None:
        return (), (), INCONCLUSIVE if was_asked else ""
    objections, suggestions = drop_noise(opinion.policy_violations), drop_noise(opinion.suggestions)
    if bool(objections) == (opinion.verdict is AuditVerdict.APPROVED):
        return (), (*objections, *suggestions), INCONCLUSIVE
    return objections, suggestions, f"the model says {opinion.verdict.value}"


def _decide(broken: Sequence[str], objections: Sequence[str], opinion: ModelOpinion | None) -> AuditVerdict:
    if broken or not objections or opinion is None:
        return AuditVerdict.NEEDS_REVISION if broken else AuditVerdict.APPROVED
    return opinion.verdict


def _says_something(text: str) -> bool:
    terms = set(content_terms(text))
    return len(terms - _NOISE) >= 2 and not _DENIAL.match(fold(text))
