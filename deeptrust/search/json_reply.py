"""Foreign JSON, looked at with care: any shape may come, and none may raise."""

import json
from typing import cast


def read_json(text: str) -> dict[str, object]:
    """The object in `text`; empty if it is no JSON object, nested beyond reason included."""
    try:
        return as_object(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def as_object(value: object) -> dict[str, object]:
    """`value` if it is an object, else an empty one."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def as_objects(value: object) -> list[dict[str, object]]:
    """The objects in `value` if it is a list; what is no object is left out."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, object]", item) for item in items if isinstance(item, dict)]
