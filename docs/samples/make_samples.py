"""Sets the sample PDFs from their sources beside this script: `python docs/samples/make_samples.py`.

The sources use a small part of Markdown: `#` title (the next line is the subtitle), `##` heading, `-` list,
`|` table with its first row as head, `>` notice, and paragraphs of one line.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, TableBordersLayout, XPos, YPos
from fpdf.fonts import FontFace

SOURCES = Path(__file__).parent
TARGET = SOURCES.parents[1] / "deeptrust" / "samples"
EDITION = datetime(2026, 11, 30, tzinfo=UTC)
"""Printed nowhere, but fixed, so that the same sources give the same bytes."""

INK, QUIET, LINE, TINT = (28, 32, 40), (104, 112, 124), (208, 213, 220), (243, 245, 248)
MARGIN = 24.0
"""Millimetres on all sides of an A4 page."""

Colour = tuple[int, int, int]


class SamplePdf(FPDF):
    """An A4 document with one accent colour and its title in the foot of each page."""

    def __init__(self, title: str, accent: Colour) -> None:
        super().__init__(format="A4")
        self.heading, self.accent = title, accent
        self.set_margins(MARGIN, MARGIN, MARGIN)
        self.set_auto_page_break(True, MARGIN + 4)
        self.set_title(title)
        self.set_lang("en")
        self.set_creation_date(EDITION)
        self.add_page()

    def footer(self) -> None:
        """The document's title and the page number; fpdf2 calls this at the end of each page."""
        self.set_y(-MARGIN + 6)
        self.set_draw_color(*LINE)
        self.line(MARGIN, self.get_y(), self.w - MARGIN, self.get_y())
        self.set_y(self.get_y() + 2)
        self.set_font("helvetica", size=8)
        self.set_text_color(*QUIET)
        self.cell(self.epw / 2, 5, self.heading)
        self.cell(self.epw / 2, 5, str(self.page_no()), align="R")

    def write_title(self, title: str, subtitle: str) -> None:
        """The title block under a band of the accent colour."""
        self.set_fill_color(*self.accent)
        self.rect(0, 0, self.w, 7, style="F")
        self.set_y(MARGIN + 4)
        self._text(title, size=27, style="B", leading=11)
        self.ln(2)
        self._text(subtitle, size=11.5, colour=QUIET, leading=6)
        self.ln(5)

    def write_heading(self, heading: str) -> None:
        """A section heading, never alone at the foot of a page."""
        if self.will_page_break(30):
            self.add_page()
        self.ln(3.5)
        self._text(heading, size=14.5, style="B", colour=self.accent, leading=7)
        self.ln(1.5)

    def write_paragraph(self, paragraph: str) -> None:
        """A paragraph, whole on one page, for a sentence is quoted with one page number."""
        if self.will_page_break(self._height(paragraph, 0, 10.5, 5.6)):
            self.add_page()
        self._text(paragraph)
        self.ln(2.4)

    def write_items(self, items: list[str]) -> None:
        """A list with bullets."""
        for item in items:
            if self.will_page_break(12):
                self.add_page()
            self.set_fill_color(*self.accent)
            self.circle(self.l_margin + 1.2, self.get_y() + 2.8, 0.8, style="F")
            self.set_x(self.l_margin + 5.5)
            self._text(item, width=self.epw - 5.5)
            self.ln(1.2)
        self.ln(1.4)

    def write_notice(self, notice: str) -> None:
        """A tinted box with a bar of the accent colour."""
        top, height = self.get_y(), self._height(notice, self.epw - 12, 9.5, 5) + 7
        self.set_fill_color(*TINT)
        self.rect(self.l_margin, top, self.epw, height, style="F")
        self.set_fill_color(*self.accent)
        self.rect(self.l_margin, top, 1.2, height, style="F")
        self.set_xy(self.l_margin + 6, top + 3.5)
        self._text(notice, width=self.epw - 12, size=9.5, leading=5)
        self.set_y(top + height + 3)

    def write_table(self, rows: list[list[str]]) -> None:
        """A table with horizontal rules, whole on one page; the first row is its head."""
        if self.will_page_break(8.0 * len(rows) + 4):
            self.add_page()
        self.set_font("helvetica", size=9.5)
        self.set_text_color(*INK)
        self.set_draw_color(*LINE)
        self.set_fill_color(255, 255, 255)
        head = FontFace(emphasis="BOLD", color=INK, fill_color=TINT)
        with self.table(
            rows,
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            headings_style=head,
            line_height=5,
            padding=(1.6, 2, 1.6, 2),
            text_align="LEFT",
            width=self.epw,
            col_widths=self._column_widths(rows),
        ):
            pass
        self.ln(4)

    def _column_widths(self, rows: list[list[str]]) -> list[float]:
        longest = [max(self.get_string_width(row[at]) for row in rows) + 6 for at in range(len(rows[0]))]
        return [self.epw * width / sum(longest) for width in longest]

    def _height(self, text: str, width: float, size: float, leading: float) -> float:
        self.set_font("helvetica", size=size)
        return cast("float", self.multi_cell(width, leading, text, dry_run=True, output=MethodReturnValue.HEIGHT))

    def _text(
        self,
        text: str,
        *,
        width: float = 0,
        size: float = 10.5,
        style: str = "",
        colour: Colour = INK,
        leading: float = 5.6,
    ) -> None:
        self.set_font("helvetica", style=style, size=size)  # type: ignore[arg-type]
        self.set_text_color(*colour)
        self.multi_cell(width, leading, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def set_document(source: Path, accent: Colour) -> bytes:
    """The PDF of one source."""
    blocks = [block.splitlines() for block in source.read_text("utf-8").strip().split("\n\n")]
    title, subtitle = blocks[0]
    pdf = SamplePdf(title.removeprefix("# "), accent)
    pdf.write_title(pdf.heading, subtitle)
    for block in blocks[1:]:
        write_block(pdf, block)
    return bytes(pdf.output())


def write_block(pdf: SamplePdf, lines: list[str]) -> None:
    """One block of the source; a heading may be followed at once by its first paragraph."""
    first = lines[0]
    if first.startswith("## "):
        pdf.write_heading(first.removeprefix("## "))
        if lines[1:]:
            write_block(pdf, lines[1:])
    elif first.startswith("| "):
        pdf.write_table([[cell.strip() for cell in line.strip("| ").split("|")] for line in lines])
    elif first.startswith("- "):
        pdf.write_items([line.removeprefix("- ") for line in lines])
    elif first.startswith("> "):
        pdf.write_notice(first.removeprefix("> "))
    else:
        pdf.write_paragraph(" ".join(lines))


if __name__ == "__main__":
    for name, accent in {"renting-in-larkfield": (24, 92, 108), "home-battery-guide": (146, 74, 22)}.items():
        (TARGET / f"{name}.pdf").write_bytes(set_document(SOURCES / f"{name}.md", accent))
