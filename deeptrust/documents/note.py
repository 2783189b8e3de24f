"""A note that a person typed, as a reading."""

from deeptrust.documents.plain import one_page
from deeptrust.documents.title import heading_title
from deeptrust.domain.document import DocumentKind, Reading


def read_note(text: str) -> Reading:
    """One page of kind `note`; `no_text` if it is blank. The title is the first heading, if it has one."""
    return one_page(text, DocumentKind.NOTE, "note", heading_title(text))
