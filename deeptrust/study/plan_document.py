"""The second document of a pack: the study plan."""

from collections.abc import Sequence

from deeptrust.domain.study import Job, StudyPlan, StudyTopic
from deeptrust.study.phrases import flat, say_dates

_RESOURCES = "The resources are kinds of sources; the posting names none."


def write_plan(job: Job, plan: StudyPlan) -> Sequence[str]:
    """Return the paragraphs of the document, without its title."""
    dates = "\n".join(say_dates(job.facts))
    if not plan.topics:
        return ["The posting states nothing that a plan could be made from: add requirements to the job.", dates]
    topics = [part for topic in plan.topics for part in _say_topic(topic)]
    return [plan.note, dates, "## Topics", *topics, "## About the resources", _RESOURCES]


def _say_topic(topic: StudyTopic) -> Sequence[str]:
    lines = [f"- Why: {topic.reason}"]
    if topic.sentence:
        lines.append(f"- The posting says: “{flat(topic.sentence)}”")
    lines += [f"- Resource: {resource}" for resource in topic.resources]
    return [f"### {topic.when}: {flat(topic.name)}", "\n".join(lines)]
