"""How much one person may keep on a server that others use as well."""

from dataclasses import dataclass

from deeptrust.errors import BadDocument
from deeptrust.language.counting import count


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most that a library may hold. Bytes are those of its files on the disk."""

    max_documents: int
    max_bytes: int

    def check(self, documents: int, size_bytes: int) -> None:
        """Let one more document in, or say what is full.

        Raises:
            BadDocument: the library is full; nothing was taken in.
        """
        if documents >= self.max_documents:
            raise BadDocument(
                f"You have {count(documents, 'document')}, all that this server keeps for you. Remove one first."
            )
        if size_bytes >= self.max_bytes:
            limit = f"{self.max_bytes / 2**20:,.0f} MB"
            raise BadDocument(f"Your documents fill the {limit} that this server keeps for you. Remove some first.")
