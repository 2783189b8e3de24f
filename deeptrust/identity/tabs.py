"""The page's own name for an open tab stands in the websocket's address; it must be worth nothing to anybody else.

Reflex keeps what a tab shows under a name that the browser chooses and sends in the address of the websocket, where
proxies may log it (AUT-03). Whoever knew it could take the tab over. So a name belongs to the user who used it first;
for anybody else the same name stands for a tab of their own.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from uuid import UUID, uuid4, uuid5

_MOST_TABS = 100_000


@dataclass(slots=True)
class _First:
    """Who used a name first, and what other names are made from."""

    owner: str
    is_open: bool = True
    seed: UUID = field(default_factory=uuid4)


class Tabs:
    """Under which name each user's tab is kept. In memory: what a tab shows does not outlive the process either."""

    def __init__(self) -> None:
        self._first: OrderedDict[str, _First] = OrderedDict()

    def __len__(self) -> int:
        """How many names are known."""
        return len(self._first)

    def claim(self, name: str, owner: str) -> str:
        """Return the name under which this tab of `owner` is kept: `name` itself, unless it was somebody else's."""
        first = self._note(name, owner)
        if first.is_open and first.owner == owner:
            return name
        own = str(uuid5(first.seed, owner))
        self._note(own, owner)
        return own

    def close(self, owner: str) -> None:
        """Let the tabs of `owner` begin anew: what they showed was deleted."""
        for first in self._first.values():
            if first.owner == owner:
                first.is_open, first.seed = False, uuid4()

    def _note(self, name: str, owner: str) -> _First:
        first = self._first.setdefault(name, _First(owner))
        self._first.move_to_end(name)
        if len(self._first) > _MOST_TABS:
            self._first.popitem(last=False)
        return first
