"""The machine rules of the policy, one function a rule: each returns what breaks it, or an empty text."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from deeptrust.domain.plan import ResearchPlan, ResearchStep, RuleFinding, Tool
from deeptrust.domain.run import Sources
from deeptrust.language.words import fold
from deeptrust.trust.policy import Policy, PolicyRules

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_LONG_NUMBER = re.compile(r"(?<![\w.])\+?\d(?:[ ()/.-]{0,2}\d){8,}")
"""Nine digits or more: telephone, account, card and insurance numbers; years and amounts are shorter."""
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_PART = re.compile(r"[^\W_]+")
_LOOK_ALIKES = str.maketrans("авекмнорстухіјѕԁԛԝһӏαεικνορτυχ\u0131", "abekmhopctyxijsdqwhlaeiknoptuxi")
"""Cyrillic and Greek small letters that look like Latin ones."""


@dataclass(frozen=True, slots=True)
class PlanContext:
    """What the run would do with a plan.

    Args:
        sources: what the person allowed this run to reach (K28).
        engines: names of the search engines at hand, in order of preference.
        requests_per_search: most requests of one web step, fallbacks included.
        seconds_per_search: longest time of one web step.
        seconds_per_lookup: longest time of one step in the documents.
    """

    sources: Sources = Sources.DOCUMENTS
    engines: tuple[str, ...] = ()
    requests_per_search: int = 4
    seconds_per_search: int = 60
    seconds_per_lookup: int = 15


def check_plan(plan: ResearchPlan, policy: Policy, context: PlanContext) -> tuple[RuleFinding, ...]:
    """Check every machine rule and the person's own choice of sources; the order is that of the policy."""
    findings = [
        _finding(name, policy.lines[name], rule(plan, policy.rules, context)) for name, rule in PLAN_RULES.items()
    ]
    chosen = f"this run, sources: {context.sources.value}"
    return (*findings, _finding("sources", chosen, _break_sources(plan, context)))


def _finding(rule: str, line: str, detail: str) -> RuleFinding:
    return RuleFinding(rule=rule, line=line, holds=not detail, detail=detail)


def web_steps(plan: ResearchPlan) -> list[tuple[int, ResearchStep]]:
    """The steps that leave the machine, numbered from 1."""
    return [(number, step) for number, step in enumerate(plan.steps, start=1) if step.tool is Tool.WEB_SEARCH]


def _break_allowed_tools(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    bad = [
        (number, step.tool) for number, step in enumerate(plan.steps, start=1) if step.tool not in rules.allowed_tools
    ]
    return "; ".join(f"step {number} uses {tool.value}" for number, tool in bad)


def _break_allowed_engines(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    if not web_steps(plan) or allowed_engines(context.engines, rules):
        return ""
    return f"of the search engines at hand ({', '.join(context.engines) or 'none'}) none is allowed"


def _break_max_steps(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    return f"the plan has {len(plan.steps)} steps" if len(plan.steps) > rules.max_steps else ""


def _break_max_requests(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    requests = len(web_steps(plan)) * context.requests_per_search
    return f"the plan may need {requests} requests" if requests > rules.max_requests else ""


def _break_max_seconds(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    searches = len(web_steps(plan))
    lookups = len(plan.steps) - searches
    seconds = searches * context.seconds_per_search + lookups * context.seconds_per_lookup
    return f"the plan may take {seconds} seconds" if seconds > rules.max_seconds else ""


def _break_max_tokens(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    tokens = plan.estimated_token_budget
    return f"the plan may use {tokens:,} tokens" if tokens > rules.max_tokens else ""


def _break_max_query_characters(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    lengths = [(number, len(step.input)) for number, step in enumerate(plan.steps, start=1)]
    bad = [(number, length) for number, length in lengths if length > rules.max_query_characters]
    return "; ".join(f"step {number} has {length} characters" for number, length in bad)


def _break_min_rationale_words(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    counts = [(number, len(_WORD.findall(step.rationale))) for number, step in enumerate(plan.steps, start=1)]
    bad = [(number, count) for number, count in counts if count < rules.min_rationale_words]
    return "; ".join(f"the reason of step {number} has {count} words" for number, count in bad)


def _break_personal_data_on_web(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    if rules.personal_data_on_web:
        return ""
    texts = [(number, fold(step.input)) for number, step in web_steps(plan)]
    bad = [number for number, text in texts if _EMAIL.search(text) or _LONG_NUMBER.search(text)]
    return "; ".join(f"step {number} would send an e-mail address or a long number to the web" for number in bad)


def _break_private_terms(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    bad = [(number, term) for number, step in web_steps(plan) for term in find_terms(step.input, rules.private_terms)]
    return "; ".join(f"step {number} would send “{term}” to the web" for number, term in bad)


def _break_blocked_domains(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    bad = [
        (number, domain)
        for number, step in enumerate(plan.steps, start=1)
        for domain in rules.blocked_domains
        if domain_pattern(domain).search(fold(step.input))
    ]
    return "; ".join(f"step {number} names {domain}" for number, domain in bad)


def _break_forbidden_terms(plan: ResearchPlan, rules: PolicyRules, context: PlanContext) -> str:
    texts = {"the objective": plan.objective}
    texts |= {f"step {number}": f"{step.input}\n{step.rationale}" for number, step in enumerate(plan.steps, start=1)}
    bad = [(place, term) for place, text in texts.items() for term in find_terms(text, rules.forbidden_terms)]
    return "; ".join(f"{place} is about “{term}”" for place, term in bad)


def _break_sources(plan: ResearchPlan, context: PlanContext) -> str:
    if context.sources is Sources.DOCUMENTS_AND_WEB:
        return ""
    return "; ".join(f"step {number} would search the web" for number, _ in web_steps(plan))


def allowed_engines(names: Sequence[str], rules: PolicyRules) -> tuple[str, ...]:
    """Those of the engines `names` that the policy allows, in their order."""
    allowed = {name.casefold() for name in rules.allowed_engines}
    return tuple(name for name in names if name.casefold() in allowed)


def find_terms(text: str, terms: tuple[str, ...]) -> list[str]:
    """The `terms` that stand in `text` as whole words, however they are spelled: in any case, spacing and hyphenation,
    with letters of full width, or with those of another alphabet that look the same."""
    words = _spell(text)
    return [term for term in terms if _spell(term) in words]


def _spell(text: str) -> str:
    """The words between single blanks, one at each end."""
    return f" {' '.join(_PART.findall(fold(text).translate(_LOOK_ALIKES)))} "


def domain_pattern(domain: str) -> re.Pattern[str]:
    """Matches `domain` and its subdomains in folded text, and nothing that merely ends like it."""
    return re.compile(rf"(?<![\w-]){re.escape(domain.casefold())}(?![\w-]|\.\w)")


PlanRule = Callable[[ResearchPlan, PolicyRules, PlanContext], str]

PLAN_RULES: Mapping[str, PlanRule] = {
    "allowed_tools": _break_allowed_tools,
    "allowed_engines": _break_allowed_engines,
    "max_steps": _break_max_steps,
    "max_requests": _break_max_requests,
    "max_seconds": _break_max_seconds,
    "max_tokens": _break_max_tokens,
    "max_query_characters": _break_max_query_characters,
    "min_rationale_words": _break_min_rationale_words,
    "personal_data_on_web": _break_personal_data_on_web,
    "private_terms": _break_private_terms,
    "blocked_domains": _break_blocked_domains,
    "forbidden_terms": _break_forbidden_terms,
}
"""By key of the front matter."""
