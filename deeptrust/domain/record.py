"""The base of every schema: immutable, strict about keys, camelCase on the wire, snake_case in Python."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Record(BaseModel):
    """A value that rooms pass to each other and that can be written as JSON."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True
    )

    def to_wire(self) -> dict[str, object]:
        """JSON-plain dict with camelCase keys: what HTTP, CLI and exports show."""
        return self.model_dump(mode="json", by_alias=True)
