"""Forms as they come from a browser, or from a client that sends anything in their place."""


def field_of(form: object, name: str, most: int) -> str:
    """Return the text of one field, cut at `most` characters; empty where there is none."""
    value = form.get(name) if isinstance(form, dict) else None
    return value[:most] if isinstance(value, str) else ""
