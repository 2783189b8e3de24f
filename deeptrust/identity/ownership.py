"""The one place that decides whether a thing belongs to a person."""

from deeptrust.errors import NotFound


def require_owner(owner: str | None, user: str, what: str) -> None:
    """Let pass only the owner; `what` names the thing for the message ("run", "document").

    A stranger's thing and a missing one (`owner` is None) get the same answer, so ids cannot be probed.

    Raises:
        NotFound: `user` is not the owner, or nothing is there.
    """
    if owner is None or owner != user:
        raise NotFound(f"There is no such {what}. It may have been deleted.")
