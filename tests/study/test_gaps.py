import gzip
import json
from pathlib import Path

from deeptrust.domain.study import GapStatus
from deeptrust.study.gaps import find_gaps
from tests.study.conftest import job_from

POSTING = """# Engineer

## Requirements

- 5+ years of experience with Kubernetes
- Python, Go or Rust
- Terraform and Ansible
- Bachelor's degree
- No certificate required
- Calm negotiation with difficult suppliers abroad
"""


def gaps_of(resume: str) -> list[tuple[GapStatus, str | None]]:
    return [(gap.status, gap.found) for gap in find_gaps(job_from(POSTING).facts, resume)]


def test_without_a_resume_nothing_is_claimed():
    facts = job_from(POSTING).facts
    assert list(find_gaps(facts, None)) == []
    assert list(find_gaps(facts, "  \n")) == []


def test_an_alias_meets_a_requirement_and_is_quoted():
    resume = "I ran k8s clusters, with 6 years of experience.\nTools: Go, Terraform.\nMSc in Physics."
    found = gaps_of(resume)
    assert found[0] == (GapStatus.MET, "I ran k8s clusters, with 6 years of experience.")
    assert found[1] == (GapStatus.MET, "Tools: Go, Terraform.")
    assert found[2] == (GapStatus.PARTLY, "Tools: Go, Terraform.")
    assert found[3] == (GapStatus.MET, "MSc in Physics.")
    assert found[4] == (GapStatus.MISSING, None)


def test_fewer_years_and_unstated_years_are_partly():
    assert gaps_of("Two years of experience with Kubernetes.")[0][0] is GapStatus.PARTLY
    gap = find_gaps(job_from(POSTING).facts, "Kubernetes, Docker.")[0]
    assert gap.status is GapStatus.PARTLY
    assert "does not state how many" in gap.note


def test_a_requirement_that_says_more_than_its_skills_is_never_met_by_them_alone():
    posting = "Engineer\n\nRequirements\n\n- Linux, relational databases, web development and calm advice to customers"
    gap = find_gaps(job_from(posting).facts, "Linux since 2009.")[0]
    assert gap.status is GapStatus.PARTLY
    assert "read the rest" in gap.note


def test_a_denied_skill_is_not_shown():
    assert gaps_of("I have no experience with Kubernetes.")[0] == (GapStatus.MISSING, None)


def test_each_gap_says_what_was_looked_for_and_cites_the_posting():
    job = job_from(POSTING)
    for gap in find_gaps(job.facts, "Nothing to see."):
        assert gap.looked_for
        assert gap.sentence is not None
        assert gap.sentence in job.posting


def test_what_is_found_stands_in_the_resume(shared_data: Path):
    with gzip.open(shared_data / "jobs" / "resumes_text.jsonl.gz", "rt", encoding="utf-8") as lines:
        resumes = [json.loads(line)["text"] for line in lines]
    facts = job_from(POSTING).facts
    for resume in resumes:
        for gap in find_gaps(facts, resume):
            assert gap.found is None or " ".join(gap.found.split()) in " ".join(resume.split())
            assert (gap.found is None) == (gap.status is GapStatus.MISSING)
