from datetime import UTC, datetime

from deeptrust.domain.document import (
    Document,
    DocumentKind,
    IngestOutcome,
    IngestProgress,
    IngestStage,
    IngestStatus,
)
from deeptrust.ui.views import document as views
from deeptrust.ui.views.document import IntakeLine

LINE = IntakeLine(key="k", name="a.pdf")


def document(kind: DocumentKind = DocumentKind.PDF, label: str = "a.pdf", url: str | None = None) -> Document:
    return Document(
        id="d",
        collection="workspace",
        kind=kind,
        label=label,
        url=url,
        sha256="0" * 64,
        page_count=400,
        character_count=9,
        passage_count=1,
        created_at=datetime.now(UTC),
    )


def test_progress_is_told_with_numbers():
    reading = views.progressed(
        LINE, IngestProgress(document_id="d", name="a.pdf", stage=IngestStage.READING, done=120, total=400)
    )
    assert (reading.stage, reading.percent, reading.document_id) == ("Reading page 120 of 400", 30, "d")
    embedding = views.progressed(
        LINE, IngestProgress(document_id="d", name="a.pdf", stage=IngestStage.EMBEDDING, done=5, total=1200)
    )
    assert embedding.stage == "Indexing passage 5 of 1,200"


def test_an_added_file_leaves_no_line():
    outcome = IngestOutcome(name="a.pdf", status=IngestStatus.ADDED, document=document())
    assert views.concluded(LINE, outcome) is None


def test_an_added_file_that_lost_something_says_so():
    outcome = IngestOutcome(name="a.pdf", status=IngestStatus.ADDED, document=document(), reason="Left out: page 3.")
    line = views.concluded(LINE, outcome)
    assert line
    assert (line.stage, line.tone) == ("Left out: page 3.", "off")


def test_a_duplicate_names_the_document_that_is_there():
    outcome = IngestOutcome(name="b.pdf", status=IngestStatus.DUPLICATE, document=document(label="first.pdf"))
    line = views.concluded(LINE, outcome)
    assert line
    assert (line.stage, line.tone) == ("Already in your documents as “first.pdf”. Nothing was added.", "off")


def test_a_refused_file_keeps_its_reason():
    outcome = IngestOutcome(name="c.pdf", status=IngestStatus.NO_TEXT, reason="It is a scan.")
    line = views.concluded(LINE, outcome)
    assert line
    assert (line.stage, line.tone) == ("It is a scan.", "bad")


def test_counts_and_kind_are_shown():
    assert views.document_line(document()).detail == "400 pages, 1 passage, added today"
    address = views.document_line(document(DocumentKind.URL, "https://example.org/a", "https://example.org/a"))
    assert address.detail == "example.org, address only: the page itself is not read"
    assert views.library_summary([document(), document()]) == "2 documents, 2 passages"


def test_ui_02_a_name_is_data():
    name = "<img src=x onerror=window.__x=1>\u202e.pdf"
    assert views.document_line(document(label=name)).title == "<img src=x onerror=window.__x=1>⟨U+202E⟩.pdf"


LOCKED = IngestOutcome(name="c.pdf", status=IngestStatus.NEEDS_PASSWORD, reason="That password does not open it.")


def test_a_locked_pdf_asks_for_its_password():
    line = views.concluded(LINE, LOCKED)
    assert line
    assert (line.tone, line.is_locked, line.is_retry) == ("bad", True, False)
    assert line.stage.startswith("This PDF needs its password.")


def test_a_wrong_password_is_told_and_asked_for_again():
    first = views.concluded(LINE, LOCKED)
    assert first
    trying = views.reopened(first)
    assert (trying.tone, trying.is_locked) == ("busy", False)
    again = views.concluded(trying, LOCKED)
    assert again
    assert (again.stage, again.is_locked, again.is_retry) == ("That password does not open it.", True, True)
