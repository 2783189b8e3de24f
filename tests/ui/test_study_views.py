"""Jobs as the Study pages show them, and what a person's typing means for a fact."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.domain.study import (
    Gap,
    GapStatus,
    Job,
    JobFacts,
    Moment,
    Pay,
    PayPeriod,
    Requirement,
    RequirementKind,
    Stated,
)
from deeptrust.errors import BadInput
from deeptrust.study.edits import apply_edit
from deeptrust.study.facts import read_facts
from deeptrust.study.pack import build_pack
from deeptrust.ui.views import study as views
from deeptrust.ui.views.study_edit import parse_edit
from deeptrust.ui.views.study_facts import FactLine, fact_lines

NOW = datetime.now(UTC)
EMPTY = JobFacts()
POSTING = """# Data Engineer

Company: Harbour Analytics
Pay: EUR 60,000 to 75,000 per year

## Requirements
- 5+ years of experience with Python
- No degree required

## Nice to have
- Terraform

Apply by 15 January 2027: https://boards.greenhouse.io/harbour/jobs/4411
"""


def job(facts: JobFacts = EMPTY, resume: str | None = None, **more) -> Job:
    return Job(id="a1b2c3d4e5", created_at=NOW, updated_at=NOW, posting="x", resume=resume, facts=facts, **more)


def gap(status: GapStatus, **more) -> Gap:
    given = {"requirement": "Python", "sentence": "Python", "kind": RequirementKind.REQUIRED, "looked_for": ("Python",)}
    return Gap(**{**given, "found": None, "status": status, **more})


def line(facts: JobFacts, name: str) -> FactLine:
    return next(one for one in fact_lines(facts) if one.name == name)


def test_h06_a_job_that_states_nothing_is_shown_whole():
    shown = views.job_line(job(), [])
    assert (shown.title, shown.company, shown.has_resume) == ("Title not stated", "company not stated", False)
    assert [one.stated for one in fact_lines(EMPTY)] == [[]] * len(JobFacts.model_fields)


def test_every_field_of_a_job_has_a_line_and_a_reader():
    assert {one.name for one in fact_lines(EMPTY)} == set(JobFacts.model_fields)
    for name in JobFacts.model_fields:
        assert parse_edit(name, "", EMPTY).model_fields_set == {name}


def test_a_value_shows_its_sentence_unless_it_is_the_sentence():
    facts = read_facts(POSTING)
    [ats] = line(facts, "ats").stated
    assert ats.text == "Greenhouse"
    assert "boards.greenhouse.io" in ats.quote
    [title] = line(facts, "title").stated
    assert (title.text, title.quote, title.is_own) == ("Data Engineer", "", False)


def test_a_value_without_a_sentence_was_entered_by_the_person():
    [own] = line(JobFacts(company=Stated(value="Acme")), "company").stated
    assert (own.text, own.quote, own.is_own) == ("Acme", "", True)


def test_ui_19_direction_controls_in_a_posting_are_shown_as_marks():
    facts = JobFacts(title=Stated(value="Pilot\u202egpj"), company=Stated(value="A\nB"))
    assert views.job_title(job(facts)) == "Pilot⟨U+202E⟩gpj"
    assert views.job_company(job(facts)) == "A B"
    assert views.zip_name(job(facts)).isascii()


def test_ing_13_the_name_of_the_zip_holds_letters_digits_and_hyphens_only():
    assert views.zip_name(job(JobFacts(title=Stated(value="C++ / “lead”\r\n../x")))) == "prep-pack-c-lead-x.zip"
    assert views.zip_name(job(JobFacts(title=Stated(value="報告")))) == "prep-pack-a1b2c3d4.zip"


def test_gaps_are_counted_and_what_is_missing_comes_first():
    gaps = [gap(GapStatus.MET), gap(GapStatus.MISSING, looked_for=("k8s", "Kubernetes")), gap(GapStatus.PARTLY)]
    assert [one.status for one in views.gap_lines(gaps)] == ["Missing", "Partly", "Met"]
    assert views.gap_lines(gaps)[0].looked_for == "k8s, Kubernetes"
    shown = views.job_line(job(resume="x"), gaps)
    assert (shown.missing, shown.partly, shown.met) == (1, 1, 1)


def test_tabs_leave_out_the_title_that_all_documents_share():
    pack = build_pack(job(JobFacts(title=Stated(value="Pilot")), own_documents={"2-study-plan.md": "# Mine"}))
    tabs = views.pack_tabs(pack)
    assert [tab.title for tab in tabs] == [
        "JD & gaps",
        "Study plan",
        "ATS & assessment platform",
        "Behavioural interview",
    ]
    assert [tab.is_own for tab in tabs] == [False, True, False, False]


def test_an_editor_that_is_saved_untouched_changes_nothing():
    facts = read_facts(POSTING)
    assert facts.pay
    assert len(facts.requirements) == 3
    for one in fact_lines(facts):
        edited = apply_edit(facts, parse_edit(one.name, one.draft, facts))
        assert edited == facts, one.name


def test_a_pay_is_read_and_one_that_cannot_be_read_is_told():
    edit = parse_edit("pay", "EUR 55,000 to 60,000 per year", EMPTY)
    assert edit.pay == (Pay(minimum=55_000, maximum=60_000, currency="EUR", period=PayPeriod.YEAR),)
    with pytest.raises(BadInput, match="No pay could be read from “a lot”"):
        parse_edit("pay", "a lot", EMPTY)


def test_a_date_has_a_day_only_where_it_reads_one_way():
    certain = parse_edit("deadline", "15 January 2027", EMPTY).deadline
    assert certain
    assert (certain.text, str(certain.day)) == ("15 January 2027", "2027-01-15")
    assert parse_edit("deadline", "until filled", EMPTY).deadline == Moment(text="until filled")
    assert parse_edit("deadline", "03/04/2027", EMPTY).deadline == Moment(text="03/04/2027")


def test_a_line_says_by_its_beginning_how_much_a_requirement_is_wanted():
    edit = parse_edit("requirements", "Python\n\npreferred: Go \nNot required: a degree", EMPTY)
    assert [(one.text, one.kind.value) for one in edit.requirements] == [
        ("Python", "required"),
        ("Go", "preferred"),
        ("a degree", "waived"),
    ]


@pytest.mark.parametrize(("name", "text"), [("posting", "x"), ("title", "x" * 301), ("requirements", "x\n" * 201)])
def test_what_cannot_be_an_edit_is_refused_with_a_sentence(name: str, text: str):
    with pytest.raises(BadInput):
        parse_edit(name, text, EMPTY)


@given(st.sampled_from(sorted(JobFacts.model_fields)), st.text(max_size=200))
def test_any_text_for_any_field_is_an_edit_or_a_sentence(name: str, text: str):
    facts = JobFacts(requirements=(Requirement(text="Python"),))
    try:
        fact_lines(apply_edit(facts, parse_edit(name, text, facts)))
    except BadInput as error:
        assert str(error)
