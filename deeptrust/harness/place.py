"""An outside tool that answers by itself: DeepTrust hands over files and opens the door, and never speaks for it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from deeptrust.database import notebook_links
from deeptrust.database.engine import Database
from deeptrust.domain.answer import AnswerDetail, GroundedAnswer
from deeptrust.domain.question import check_question
from deeptrust.errors import BadInput
from deeptrust.harness.base import Trace
from deeptrust.harness.ingest import job_collection

_LONGEST_LINK = 500


@dataclass(frozen=True, slots=True)
class Place:
    """A tool: its name, where it starts, and which addresses are notebooks or projects of it."""

    name: str
    home: str
    hosts: frozenset[str]
    example: str


NOTEBOOKLM = Place(
    name="NotebookLM",
    home="https://notebooklm.google.com/",
    # The first is the old name of the second; the rest serve companies.
    hosts=frozenset(
        {
            "notebooklm.google.com",
            "notebook.google.com",
            "notebooklm.cloud.google.com",
            "notebook.cloud.google.com",
            "vertexaisearch.cloud.google.com",
        }
    ),
    example="https://notebooklm.google.com/notebook/…",
)
CLAUDE = Place("Claude", "https://claude.ai/projects", frozenset({"claude.ai"}), "https://claude.ai/project/…")


def check_link(place: Place, text: str) -> str:
    """Return `text` as an address within `place`, without its fragment.

    Raises:
        BadInput: it is not an https address of the place, or names no notebook or project.
    """
    refusal = BadInput(f"This is not an address of {place.name}. It starts like {place.example}")
    address = text.strip()
    if len(address) > _LONGEST_LINK or not address.isprintable() or " " in address:
        raise refusal
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise refusal from error
    if parts.scheme != "https" or parts.netloc not in place.hosts or len(parts.path) < 2:
        raise refusal
    return parts._replace(fragment="").geturl()


class OutsideHarness:
    """The part that every outside harness shares: it remembers a link for each job, and points to it when asked."""

    id: str
    answers_here = False
    place: Place
    how_to_begin: str

    def __init__(self, database: Database, max_question_characters: int = 8000) -> None:
        self._database = database
        self._max_question_characters = max_question_characters

    async def remember(self, owner: str, job_id: str, link: str) -> str:
        """Keep the address of the notebook or project that holds this job's pack, and return it.

        Raises:
            BadInput: it is not an address of the place.
            StoreUnavailable: it could not be kept.
        """
        url = check_link(self.place, link)
        await self._database.run(
            lambda session: notebook_links.keep_link(session, owner, job_collection(job_id), self.id, url)
        )
        return url

    async def link(self, owner: str, collection: str) -> str | None:
        """Return the address kept for a job, if there is one."""
        return await self._database.run(lambda session: notebook_links.find_link(session, owner, collection, self.id))

    async def forget(self, owner: str, collection: str) -> None:
        """Drop the address; what lies in the other tool is the person's to delete there."""
        await self._database.run(lambda session: notebook_links.drop_link(session, owner, collection, self.id))

    async def ask(self, owner: str, collection: str, question: str, trace: Trace | None = None) -> AnswerDetail:
        """Return a pointer: never an answer, and nothing of the question leaves this machine.

        Raises:
            BadQuestion: the question is empty or too long.
            StoreUnavailable: the database failed.
        """
        check_question(question, self._max_question_characters)
        link = await self.link(owner, collection)
        return AnswerDetail(
            answer=GroundedAnswer(
                text=f"{self.place.name} answers this, not DeepTrust.",
                grounded=False,
                guidance=f"Open {link} and ask there." if link else self.how_to_begin,
            ),
            link=link or self.place.home,
        )
