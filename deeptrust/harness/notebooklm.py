"""NotebookLM by hand: the pack as files that it takes, and a link to the notebook made of them (H08)."""

from deeptrust.domain.study import PrepPack
from deeptrust.harness.base import Availability
from deeptrust.harness.ingest import IngestReport, PackFile, PackStatus, job_collection
from deeptrust.harness.pack_files import source_files
from deeptrust.harness.place import NOTEBOOKLM, OutsideHarness

_INSTRUCTIONS = """\
How to use these files in NotebookLM (now called Gemini Notebook)

1. Open {home} and sign in with your own account. DeepTrust has no account there and makes none.
2. Make a new notebook and add these {count} files as sources:
{names}
3. Copy the notebook's address into DeepTrust (Study page, NotebookLM), so that it can open it for you next time.
4. Ask there. NotebookLM answers from these files and shows where each answer stands.

Adding the files sends them to Google. Nothing was sent by making them.
"""


class NotebookLm(OutsideHarness):
    """Makes files; sends nothing."""

    id = "notebooklm"
    display_name = "NotebookLM (files)"
    place = NOTEBOOKLM
    how_to_begin = (
        f"Take the files of this pack, make a notebook of them at {NOTEBOOKLM.home} and paste its address here; "
        "then ask there."
    )

    async def availability(self) -> Availability:
        """Always: files need nothing."""
        return Availability(is_available=True)

    async def ingest(self, owner: str, pack: PrepPack, confirmation: str | None = None) -> IngestReport:
        """Return one Markdown file a source, and instructions."""
        sources = source_files(pack)
        names = "\n".join(f"   - {file.name}" for file in sources)
        instructions = _INSTRUCTIONS.format(home=NOTEBOOKLM.home, count=len(sources), names=names)
        link = await self.link(owner, job_collection(pack.job_id))
        return IngestReport(
            harness_id=self.id,
            status=PackStatus.READY,
            message=f"{len(sources)} files are ready to be added to a notebook. Nothing has left this machine.",
            document_count=len(sources),
            link=link or NOTEBOOKLM.home,
            files=(*sources, PackFile(name="instructions.txt", text=instructions)),
        )
