"""Single facts of a manual of 400 pages: python -m benchmarks.manual_facts [--cache FOLDER] [--show]

The manual is `irs-irm-2.3.59-400p.pdf` of the shared data: prose in the first pages, then screens field by field. The
questions were written down before their answers were looked at. Every second one (`held out`) was set aside: what
answers the others was changed by looking at the others alone. A quote is right if it holds one of the wordings on one
of the pages. `UNANSWERED` is what the manual does not say.
"""

import argparse
import asyncio
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from benchmarks.answer_quality import DATA, LONGEST_FILE, ask
from benchmarks.cached_embedder import CachedEmbedder
from deeptrust.documents.reader import FileReader
from deeptrust.domain.answer import Citation
from deeptrust.embedding.base import Embedder
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.language.clean import fold_space

MANUAL = DATA / "pdfs/files/irs-irm-2.3.59-400p.pdf"


@dataclass(frozen=True, slots=True)
class Fact:
    """A question, the pages that answer it, and wordings of which the answering line holds one."""

    question: str
    pages: frozenset[int]
    wordings: tuple[str, ...]


def _fact(question: str, pages: set[int], *wordings: str) -> Fact:
    return Fact(question, frozenset(pages), wordings)


FACTS = (
    _fact("When is the weekly cut-off for BMFOLB requests?", {9}, "5:00 pm Wednesday"),
    _fact("Which definer code restores RRR tax modules to the active Master File?", {9}, "definer code B is used"),
    _fact("Where is the Business Master File?", {7, 8}, "Martinsburg"),
    _fact("Who is the Chief Information Officer?", {1}, "Nancy Sieger"),
    _fact("What does CFOL024 mean?", {12}, "DB2 IS NOT AVAILABLE"),
    _fact("During which cycles is the recovery of retention registers disabled?", {12}, "cycle 52"),
    _fact("Who maintains the command codes?", {7}, "Applications Development"),
    _fact("How many refund checks are shown for a tax period?", {11}, "up to 5"),
    _fact("What does definer D show?", {10, 26, 32}, "Deposit Schedule"),
    _fact("Which definers are valid for BMFOR?", {8, 12}, "A, R, S and T", "‘A’ for", "’A’ for"),
    _fact("What does direct deposit code 50 mean?", {70, 170}, "Rejected by the"),
    _fact("What does CAF indicator 8 mean?", {68}, "blind trust"),
    _fact("Which code stands for a child care center?", {142}, "child care center"),
    _fact("Which code stands for black lung trusts?", {142}, "black lung trusts"),
    _fact("What does FTD penalty waiver code 24 mean?", {156, 224, 230, 240, 259}, "Frequency Waiver"),
    _fact("What does IPD reason code 6 mean?", {88, 92}, "ETA late date"),
    _fact("What does FMS levy indicator 4 mean?", {70}, "Manual block"),
    _fact("At which position is the date of death shown?", {65, 319}, "Date of Death"),
    _fact(
        "Which 527 code says that the EO examination determined that no Form 8871 has to be filed?",
        {141},
        "EO Examination determined",
    ),
    _fact("What does incomplete return indicator code 99 mean on Form 990?", {340}, "Non-IRI Code"),
    _fact("What does reduced withholding indicator 2 mean on Form 8288?", {265}, "Cert Not Attached"),
    _fact("Which PSEL code says that the notice routine was interrupted?", {135}, "notice routine was interrupted"),
    _fact("How is the 25% deferral installment calculated?", {399}, "Tax Liability x .25"),
    _fact("How many digits must the plan number have for MFT 46?", {12}, "three-digit"),
)
UNANSWERED = (
    "What is the postage for a registered letter?",
    "Who was the Commissioner of Internal Revenue in 1990?",
    "How much does a BMFOL terminal cost?",
    "What does message CFOL777 mean?",
    "Which cafeteria serves the Martinsburg centre?",
    "What is the maximum speed of a tax module?",
    "Who invented the retention register?",
    "When was Martinsburg founded?",
)


def is_right(citation: Citation, fact: Fact) -> bool:
    """Whether a quote is the answering line."""
    quote = _fold(citation.quote)
    return citation.page in fact.pages and any(_fold(wording) in quote for wording in fact.wordings)


def _fold(text: str) -> str:
    return fold_space(unicodedata.normalize("NFKC", text)).casefold()


async def measure(library: Library, embedder: Embedder, show: bool) -> None:
    """Print, for the halves of `FACTS`, how many are answered, open with the line, and quote it."""
    counts = [[0, 0, 0], [0, 0, 0]]
    for at, fact in enumerate(FACTS):
        citations = (await ask(library, embedder, fact.question)).answer.citations
        right = [is_right(citation, fact) for citation in citations]
        counts[at % 2] = [
            n + hit for n, hit in zip(counts[at % 2], (bool(right), any(right[:1]), any(right)), strict=True)
        ]
        if show or not any(right[:1]):
            first = f"page {citations[0].page}: {fold_space(citations[0].quote)[:80]}" if citations else "not found"
            print(
                f"  {'opens ' if any(right[:1]) else 'quotes' if any(right) else 'misses'} {fact.question} -> {first}"
            )
    for name, (answered, opens, quotes) in zip(("looked at", "held out"), counts, strict=True):
        print(f"{name}: answered {answered}, opens with the line {opens}, quotes it {quotes} of {len(FACTS) // 2}")
    stated = [one for one in UNANSWERED if (await ask(library, embedder, one)).answer.grounded]
    print(f"refused {len(UNANSWERED) - len(stated)} of {len(UNANSWERED)}; wrongly answered: {stated or 'none'}")


async def main() -> None:
    """Take the manual in, once for each folder of `--cache`, and ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "deeptrust-vectors")
    parser.add_argument("--show", action="store_true", help="print every question, not only those that miss")
    arguments = parser.parse_args()
    embedder = CachedEmbedder(MiniLmEmbedder(), arguments.cache)
    pool = StorePool(arguments.cache / "manual")
    library = Library(pool, str(uuid4()), embedder, FileReader(LONGEST_FILE))
    await library.add_file(MANUAL.read_bytes(), MANUAL.name)
    await measure(library, embedder, arguments.show)
    await pool.close()
    await embedder.close()


if __name__ == "__main__":
    asyncio.run(main())
