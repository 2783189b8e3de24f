"""The fourth document of a pack: interview stages, and stories to prepare for what the posting asks."""

from collections.abc import Sequence

from deeptrust.domain.study import Gap, Job, Stated, StudyPlan
from deeptrust.study.gaps import asked_for, find_gaps
from deeptrust.study.phrases import flat, with_quote

_MOST_STORIES = 8
_NO_STAGES = "The posting does not state the interview stages."
_NO_STORIES = "The posting states no requirements, so no story can be tied to one."
_STAR = "Tell each story in four parts: the situation, your task, what you did, and the result in numbers."


def write_behavioural(job: Job, _plan: StudyPlan) -> Sequence[str]:
    """Return the paragraphs of the document, without its title."""
    stages = "\n".join(_say_stage(number, stage) for number, stage in enumerate(job.facts.interview_stages, 1))
    return ["## Interview stages", stages or _NO_STAGES, "## Stories to prepare", *_stories(job)]


def _say_stage(number: int, stage: Stated[str]) -> str:
    return with_quote(f"Interview stage {number} is: {flat(stage.value).rstrip('.')}.", stage.quote)


def _stories(job: Job) -> Sequence[str]:
    asked = asked_for(job.facts)
    if not asked:
        return [_NO_STORIES]
    gaps = find_gaps(job.facts, job.resume) or [None] * len(asked)
    pairs = list(zip(asked, gaps, strict=True))
    untold = [pair for pair in pairs if not pair[0].terms] + [pair for pair in pairs if pair[0].terms]
    stories = [_say_story(requirement.quote or requirement.text, gap) for requirement, gap in untold[:_MOST_STORIES]]
    return [_STAR, "\n".join(stories)]


def _say_story(sentence: str, gap: Gap | None) -> str:
    material = f" Your resume has: “{flat(gap.found)}”" if gap and gap.found else " Which work of yours shows this?"
    return f"- The posting asks: “{flat(sentence)}”{material}"
