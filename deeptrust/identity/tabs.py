"""The page's own name for an open tab stands in the websocket's address; it must be worth nothing to anybody else.

Reflex keeps what a tab shows under a name that the browser chooses and sends in the address of the websocket, where
proxies may log it (AUT-03). Whoever knew it could take the tab over. So a name belongs to the user who used it first;
for anybody else the same name stands for a tab of their own.
"""

from collections import OrderedDict
from uuid import uuid4

_MOST_TABS = 100_000


class Tabs:
    """Under which name each user's tab is kept. In memory: what a tab shows does not outlive the process either."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._taken: set[str] = set()

    def claim(self, name: str, owner: str) -> str:
        """Return the name under which this tab of `owner` is kept: `name` itself, unless it was somebody else's."""
        key = (name, owner)
        if key not in self._kept:
            self._kept[key] = str(uuid4()) if name in self._taken else name
            self._taken.update((name, self._kept[key]))
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST_TABS:
            (oldest, _), kept = self._kept.popitem(last=False)
            self._taken -= {oldest, kept}
        return self._kept[key]

    def close(self, owner: str) -> None:
        """Let the tabs of `owner` begin anew: what they showed was deleted."""
        for key in [key for key in self._kept if key[1] == owner]:
            del self._kept[key]
