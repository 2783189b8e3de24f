from datetime import UTC, datetime
from uuid import uuid4

import pytest

from deeptrust.domain.plan import ResearchPlan, ResearchStep, Tool
from deeptrust.domain.run import Sources
from deeptrust.trust.plan_rules import PLAN_RULES, PlanContext, check_plan, domain_pattern, find_terms
from deeptrust.trust.policy import Policy, load_policy

WEB = PlanContext(sources=Sources.DOCUMENTS_AND_WEB, engines=("DuckDuckGo", "Wikipedia"))
DOCUMENTS = PlanContext(sources=Sources.DOCUMENTS)


def step(
    text: str = "harbour rules", tool: Tool = Tool.WEB_SEARCH, why: str = "Says what is forbidden."
) -> ResearchStep:
    return ResearchStep(id=str(uuid4()), tool=tool, input=text, rationale=why)


def plan(*steps: ResearchStep, objective: str = "Find the rules", tokens: int = 1000) -> ResearchPlan:
    return ResearchPlan(
        objective=objective,
        steps=steps or (step(),),
        estimated_token_budget=tokens,
        created_at=datetime.now(UTC),
        revision=0,
    )


def policy_with(**changes: object) -> Policy:
    policy = load_policy()
    return Policy(policy.rules.model_copy(update=changes), policy.lines, policy.prose, policy.hash, is_default=False)


POLICY = policy_with()

BREAKS = {
    "allowed_tools": (plan(), policy_with(allowed_tools=(Tool.KNOWLEDGE_SEARCH,)), WEB),
    "allowed_engines": (plan(), POLICY, PlanContext(Sources.DOCUMENTS_AND_WEB, engines=("Bing",))),
    "max_steps": (plan(*(step(f"rule {n}", Tool.KNOWLEDGE_SEARCH) for n in range(7))), POLICY, DOCUMENTS),
    "max_requests": (plan(step("a"), step("b")), policy_with(max_requests=7), WEB),
    "max_seconds": (plan(step("a"), step("b")), policy_with(max_seconds=100), WEB),
    "max_tokens": (plan(tokens=60_001), POLICY, WEB),
    "max_query_characters": (plan(step("harbour " * 51)), POLICY, WEB),
    "min_rationale_words": (plan(step(why="Rules.")), POLICY, WEB),
    "personal_data_on_web": (plan(step("who is ada.l@example.org")), POLICY, WEB),
    "private_terms": (plan(step("Confidential harbour fees")), POLICY, WEB),
    "blocked_domains": (plan(step("site:pastebin.com harbour")), POLICY, WEB),
    "forbidden_terms": (
        plan(step("the Home  Address of the harbour master", Tool.KNOWLEDGE_SEARCH)),
        POLICY,
        DOCUMENTS,
    ),
    "sources": (plan(), POLICY, PlanContext(Sources.DOCUMENTS, engines=("DuckDuckGo",))),
}


def test_a_good_plan_keeps_every_rule():
    findings = check_plan(plan(), POLICY, WEB)
    assert [finding.rule for finding in findings] == [*PLAN_RULES, "sources"]
    assert all(finding.holds for finding in findings)


@pytest.mark.parametrize("rule", [*PLAN_RULES, "sources"])
def test_a_plan_that_breaks_one_rule_breaks_only_that(rule: str):
    broken = [finding for finding in check_plan(*BREAKS[rule]) if not finding.holds]
    assert [finding.rule for finding in broken] == [rule]
    assert broken[0].detail
    assert rule in broken[0].line


@pytest.mark.parametrize("text", ["+46 70 123 45 67", "4111 1111 1111 1111", "call 030/1234567-89"])
def test_long_numbers_stay_off_the_web(text: str):
    rule = next(f for f in check_plan(plan(step(text)), POLICY, WEB) if f.rule == "personal_data_on_web")
    assert not rule.holds


@pytest.mark.parametrize("text", ["DMCA 1998", "1,200,000 crowns in 2014-2015", "RFC 2616"])
def test_years_and_amounts_may_go(text: str):
    assert all(finding.holds for finding in check_plan(plan(step(text)), POLICY, WEB))


def test_terms_are_whole_words_in_any_case_and_width():
    assert find_terms("ＣＯＮＦＩＤＥＮＴＩＡＬ: fees", ("confidential",)) == ["confidential"]
    assert find_terms("confidentiality of juries", ("confidential",)) == []


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("pastebin.com/x", True),
        ("https://a.pastebin.com", True),
        ("notpastebin.com", False),
        ("pastebin.com.evil.org", False),
    ],
)
def test_a_domain_covers_its_subdomains_only(text: str, hits: bool):
    assert bool(domain_pattern("pastebin.com").search(text)) is hits


@pytest.mark.parametrize(
    "text",
    [
        "home address of Ann",
        "home-address of Ann",
        "HOME_ADDRESS OF Ann",
        "h\u043eme \u0430ddress of Ann",
        "ho\u00adme address of",
    ],
    ids=["plain", "hyphen", "underscore", "cyrillic", "soft hyphen"],
)
def test_a_forbidden_term_is_found_however_it_is_spelled(text: str):
    for broken in (
        plan(step(text, Tool.KNOWLEDGE_SEARCH)),
        plan(objective=text),
        plan(step(why=f"To find the {text}")),
    ):
        findings = {finding.rule: finding for finding in check_plan(broken, POLICY, WEB)}
        assert not findings["forbidden_terms"].holds


@pytest.mark.parametrize(
    "text", ["ada.l\uff20example.org", "call \uff10\uff14\uff10 \uff11\uff12\uff13\uff14\uff15\uff16\uff17"]
)
def test_personal_data_in_letters_of_full_width_stays_here(text: str):
    findings = {finding.rule: finding for finding in check_plan(plan(step(text)), POLICY, WEB)}
    assert not findings["personal_data_on_web"].holds
