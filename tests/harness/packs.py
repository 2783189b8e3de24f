"""A prep pack as the study room makes them, small."""

from deeptrust.domain.study import PackDocument, PrepPack

JOB = "1f0c6a52-0d7e-4a51-9a3e-5f2d0c1b7a90"
TEXTS = {
    "JD & gaps": "The job is Data Engineer at Larkfield Energy. It asks for five years of SQL. Spark is a gap.",
    "Study plan": "First learn Spark, from its own guide. Then rehearse window functions in SQL.",
    "ATS & assessment platform": "Applications go through Workday, by the address. The test is on HackerRank.",
    "Behavioural": "Tell of a time when a pipeline broke at night. Use situation, task, action, result.",
}


def make_pack(**changes: str) -> PrepPack:
    """The pack; `changes` replace the text of the document whose title starts with the key."""
    documents: list[PackDocument] = []
    for number, (title, text) in enumerate(TEXTS.items(), start=1):
        words = next((new for start, new in changes.items() if title.startswith(start)), text)
        documents.append(PackDocument(name=f"{number}.md", title=title, markdown=f"# {title}\n\n{words}"))
    return PrepPack(job_id=JOB, documents=tuple(documents))
