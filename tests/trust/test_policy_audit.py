from datetime import UTC, datetime

import pytest

from deeptrust.agent.json_reply import UnusableReply, parse_reply
from deeptrust.domain.plan import AuditResult, AuditVerdict, RuleFinding
from deeptrust.trust.audit import INCONCLUSIVE, ModelOpinion, combine, drop_noise, is_passed

HOLDS = (RuleFinding(rule="max_steps", line="line 12: max_steps: 6", holds=True),)
BROKEN = (RuleFinding(rule="max_steps", line="line 12: max_steps: 6", holds=False, detail="the plan has 7 steps"),)


def audit(
    findings: tuple[RuleFinding, ...] = HOLDS, reply: str | None = None, *, is_human_edit: bool = False
) -> AuditResult:
    try:
        opinion = parse_reply(reply, ModelOpinion) if reply is not None else None
    except UnusableReply:
        opinion = None
    return combine(
        findings,
        opinion,
        policy_hash="x",
        audited_at=datetime.now(UTC),
        was_asked=reply is not None,
        is_human_edit=is_human_edit,
    )


APPROVED = '{"verdict": "approved", "policyViolations": []}'


@pytest.mark.parametrize(
    "reply",
    [
        "This plan is not acceptable.",
        '{"verdict":"APPROVED!!"}',
        '{"violations":["x"]}',
        '{"verdict":"approved","policyViolations":["sends data out"]}',
        '{"verdict":"rejected","policyViolations":[]}',
        '{"verdict":"approved"}',
        '"verdict": "approved", "policyViolations": []',
        f'{APPROVED} {{"verdict": "rejected", "policyViolations": ["step 1 sends names out"]}}',
        '{"verdict":"rejected","verdict":"approved","policyViolations":[]}',
        "[]",
        "7",
        "null",
        "",
        "approved",
    ],
)
@pytest.mark.parametrize("findings", [HOLDS, BROKEN])
def test_gra_20_an_unusable_opinion_approves_nothing(reply: str, findings: tuple[RuleFinding, ...]):
    result = audit(findings, reply)
    assert result.model_opinion == INCONCLUSIVE
    assert is_passed(result) is findings[0].holds  # the rules alone decide, and the person is told


def test_a_broken_rule_cannot_be_overruled():
    result = audit(BROKEN, APPROVED)
    assert result.verdict is AuditVerdict.NEEDS_REVISION
    assert "the plan has 7 steps" in result.policy_violations[0]
    assert not is_passed(result)


def test_a_model_may_add_objections():
    result = audit(HOLDS, '{"verdict":"rejected","policyViolations":["Step 1 sends a private name to the web."]}')
    assert result.verdict is AuditVerdict.REJECTED
    assert not is_passed(result)


def test_a_model_cannot_undo_a_human_edit():
    reply = '{"verdict":"rejected","policyViolations":["Step 1 sends a private name to the web."]}'
    result = audit(HOLDS, reply, is_human_edit=True)
    assert is_passed(result)
    assert "private name" in result.suggestions[0]
    assert not is_passed(audit(BROKEN, reply, is_human_edit=True))


def test_no_rules_checked_is_no_pass():
    assert not is_passed(audit(()))


@pytest.mark.parametrize(
    "noise",
    ["", " ", "none", "N/A", "No violations found.", "There are no policy violations", "string", "...", "rule 1", "ok",
     "The plan complies with the policy.", "<violation>", "placeholder text"],
)  # fmt: skip
def test_noise_is_no_objection(noise: str):
    assert drop_noise([noise]) == ()
    assert audit(HOLDS, f'{{"verdict":"approved","policyViolations":["{noise}"]}}').verdict is AuditVerdict.APPROVED


def test_objections_are_cleaned_and_kept_once():
    assert drop_noise(["sends  data\x00 out", "sends data out"]) == ("sends data out",)
