"""A person's edits to the facts of a job."""

from typing import Any

from deeptrust.domain.study import JobEdit, JobFacts, Requirement
from deeptrust.study.requirements import describe_requirement


def apply_edit(facts: JobFacts, edit: JobEdit) -> JobFacts:
    """The facts with the named fields replaced; a value that stays as it was keeps its quote."""
    old, new = facts.model_dump(), edit.model_dump()
    named = edit.model_fields_set - {"requirements"}
    update = {name: _merge(old[name], new[name]) for name in named}
    if "requirements" in edit.model_fields_set:
        update["requirements"] = _merge_requirements(facts, edit)
    return JobFacts.model_validate(old | update)


def _merge(old: Any, new: Any) -> Any:
    """`old` is a stated value, None, or a tuple of stated values, as dicts; `new` is the bare value or values."""
    if isinstance(new, tuple):
        return tuple(_restate(old, value) for value in new if value != "")  # pyright: ignore[reportUnknownVariableType]
    return None if new is None or new == "" else _restate((old,) if old else (), new)


def _restate(old: tuple[dict[str, Any], ...], value: Any) -> dict[str, Any]:
    return next((stated for stated in old if stated["value"] == value), {"value": value})


def _merge_requirements(facts: JobFacts, edit: JobEdit) -> tuple[Requirement, ...]:
    known = {(one.text, one.kind): one for one in facts.requirements}
    return tuple(
        known.get((one.text, one.kind)) or describe_requirement(one.text, one.kind) for one in edit.requirements
    )
