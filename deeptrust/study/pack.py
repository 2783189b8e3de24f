"""The prep pack: four titled Markdown documents from one job and its plan (H05), whatever is missing (H06)."""

from collections.abc import Callable, Mapping, Sequence

from deeptrust.domain.study import Job, PackDocument, PrepPack, StudyPlan
from deeptrust.study.behavioural import write_behavioural
from deeptrust.study.description_and_gaps import write_description_and_gaps
from deeptrust.study.plan import make_plan
from deeptrust.study.plan_document import write_plan
from deeptrust.study.platform_document import write_platform

Writer = Callable[[Job, StudyPlan], Sequence[str]]

_DOCUMENTS: Mapping[str, tuple[str, Writer]] = {
    "1-jd-and-gaps.md": ("JD & gaps", write_description_and_gaps),
    "2-study-plan.md": ("Study plan", write_plan),
    "3-ats-and-assessment.md": ("ATS & assessment platform", write_platform),
    "4-behavioural.md": ("Behavioural interview", write_behavioural),
}

_UNTITLED = "this job"
"""So that four documents of one pack read as such where the posting states no title."""
DOCUMENT_NAMES = tuple(_DOCUMENTS)
"""The file names of a pack, in order."""


def build_pack(job: Job) -> PrepPack:
    """Write the four documents; one that the person wrote anew is taken as it is."""
    plan = make_plan(job)
    return PrepPack(job_id=job.id, documents=tuple(_document(name, job, plan) for name in DOCUMENT_NAMES))


def _document(name: str, job: Job, plan: StudyPlan) -> PackDocument:
    kind, write = _DOCUMENTS[name]
    job_title = " ".join(job.facts.title.value.split()) if job.facts.title else ""
    title = f"{kind}: {job_title or _UNTITLED}"
    own = job.own_documents.get(name)
    markdown = own if own is not None else "\n\n".join([f"# {title}", *filter(None, write(job, plan))]) + "\n"
    return PackDocument(name=name, title=title, markdown=markdown, is_own=own is not None)
