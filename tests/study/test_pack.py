import io
import zipfile
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from deeptrust.domain.study import Job, JobFacts, Moment, Pay, Requirement, RequirementKind, Stated, missing_facts
from deeptrust.study.export import zip_pack
from deeptrust.study.pack import DOCUMENT_NAMES, build_pack
from deeptrust.study.plan import make_plan
from tests.study.conftest import NOW, job_from
from tests.study.right_fields import posting_files

FULL = job_from((posting_files()[0]).read_text(encoding="utf-8"), "Python and k8s, 6 years of experience.")

_names = st.sampled_from(sorted(JobFacts.model_fields))
_pays = st.builds(
    Pay, minimum=st.none() | st.just(1.5), maximum=st.none() | st.just(9e5), currency=st.none() | st.just("$")
)
_moments = st.builds(Moment, text=st.text(max_size=8), day=st.none() | st.dates(date(2020, 1, 1), date(2100, 1, 1)))
_texts = st.text(max_size=30)
_by_hand = st.fixed_dictionaries(
    {},
    optional={
        "title": st.builds(Stated[str], value=_texts),
        "pay": st.lists(st.builds(Stated[Pay], value=_pays), max_size=2).map(tuple),
        "deadline": st.builds(Stated[Moment], value=_moments),
        "requirements": st.lists(
            st.builds(Requirement, text=_texts, kind=st.sampled_from(RequirementKind), years=st.none() | st.just(0)),
            max_size=3,
        ).map(tuple),
        "interview_stages": st.lists(st.builds(Stated[str], value=_texts), max_size=2).map(tuple),
    },
)


def without(job: Job, names: set[str]) -> Job:
    empty = JobFacts()
    return job.model_copy(update={"facts": job.facts.model_copy(update={name: getattr(empty, name) for name in names})})


@settings(max_examples=150)
@given(missing=st.sets(_names), has_resume=st.booleans())
def test_any_subset_of_fields_may_be_missing(missing: set[str], has_resume: bool):
    job = without(FULL, missing).model_copy(update={} if has_resume else {"resume": None})
    pack = build_pack(job)
    assert [document.name for document in pack.documents] == list(DOCUMENT_NAMES)
    for document in pack.documents:
        assert document.markdown.startswith(f"# {document.title}\n")
        assert "None" not in document.markdown
    for name in missing_facts(job.facts):
        assert name in pack.documents[0].markdown


@settings(max_examples=150)
@given(fields=_by_hand, resume=st.none() | _texts)
def test_odd_values_of_a_person_do_not_stop_the_pack(fields: dict[str, object], resume: str | None):
    job = Job(id="1", created_at=NOW, updated_at=NOW, posting="x", resume=resume, facts=JobFacts.model_validate(fields))
    assert len(build_pack(job).documents) == 4


def test_nothing_at_all_still_gives_four_documents():
    empty = Job(id="1", created_at=NOW, updated_at=NOW, posting="")
    assert all(document.markdown.startswith("# ") for document in build_pack(empty).documents)


def test_each_fact_comes_with_its_sentence():
    documents = {document.name: document.markdown for document in build_pack(FULL).documents}
    first, _, platform, behavioural = (documents[name] for name in DOCUMENT_NAMES)
    assert "This job pays USD 145,000 to 175,000 per year (salary). The posting says: “The base salary" in first
    assert "This job uses the Workday applicant tracking system (ATS) platform. The posting says: “Apply by" in platform
    assert "Interview stage 2 is: Technical interview on data modelling." in behavioural
    assert "Looked for in the resume: Kubernetes" in first


def test_what_is_missing_is_said_in_the_words_in_which_it_is_asked_for():
    documents = build_pack(without(FULL, {"title", "pay", "requirements"})).documents
    first = documents[0].markdown
    assert "- The posting does not state what this job pays (pay, salary)." in first
    assert "## What the job requires\n\n- The posting does not state anything that the job requires." in first
    assert [document.title.endswith(": this job") for document in documents] == [True] * 4


def test_a_stated_date_gives_dates_and_none_gives_sessions():
    dated = make_plan(FULL)
    assert dated.aim is not None
    days = [topic.day for topic in dated.topics]
    assert days == sorted(day for day in days if day)
    assert all(NOW.date() <= day < date(2027, 1, 15) for day in days if day)
    plain = make_plan(without(FULL, {"deadline", "interview"}))
    assert [topic.day for topic in plain.topics] == [None] * len(plain.topics)
    assert plain.topics[0].when == "Session 1"


def test_a_past_date_gives_sessions():
    late = FULL.model_copy(update={"updated_at": NOW.replace(year=2028)})
    assert all(topic.day is None for topic in make_plan(late).topics)


def test_own_text_takes_the_place_of_a_document():
    name = DOCUMENT_NAMES[1]
    pack = build_pack(FULL.model_copy(update={"own_documents": {name: "# Mine\n"}}))
    assert [(one.is_own, one.markdown) for one in pack.documents if one.name == name] == [(True, "# Mine\n")]


def test_the_zip_holds_the_documents_and_is_the_same_each_time():
    pack = build_pack(FULL)
    archive = zipfile.ZipFile(io.BytesIO(zip_pack(pack)))
    assert archive.namelist() == list(DOCUMENT_NAMES)
    assert archive.read(DOCUMENT_NAMES[0]).decode() == pack.documents[0].markdown
    assert zip_pack(pack) == zip_pack(pack)


def test_ui_05_an_export_is_text_that_renders_and_fetches_nothing():
    own = '<iframe src="file:///etc/hostname"></iframe><img src="http://127.0.0.1:1/x">'
    job = FULL.model_copy(update={"own_documents": {DOCUMENT_NAMES[0]: own}})
    archive = zipfile.ZipFile(io.BytesIO(zip_pack(build_pack(job))))
    assert own in archive.read(DOCUMENT_NAMES[0]).decode()
    assert all(name.endswith(".md") for name in archive.namelist())
