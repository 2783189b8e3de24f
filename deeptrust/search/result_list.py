"""Results of an HTML page, found by structure alone: a link outwards, a title, a text beside it.

No class name, tag order or attribute order is relied on, so that a redesign of the page rarely matters
(WEB-03). A result is the smallest part of the page that holds one outside link with its title and its text.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from deeptrust.language.clean import fold_space
from deeptrust.search.base import SearchHit
from deeptrust.search.hit import make_hit

LinkReader = Callable[[str], str | None]
"""From a link's `href` to where it leads: an outside address, "" for an advertisement, None for navigation."""

MOST_LINKS = 400
DEEPEST = 12
"""Bounds for hostile pages: links looked at, and levels climbed above each. A page of 30 results has 120 links."""

_FURNITURE = ["script", "style", "noscript", "template", "nav", "footer", "aside"]
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5"})
_TOP = frozenset({"html", "body", "main", "form", "ul", "ol", "dl", "table", "tbody"})
_ADDRESS = re.compile(r"(https?://)?[\w.-]+\.[a-z]{2,}(\s*[/›»>].*)?", re.IGNORECASE | re.DOTALL)
_AD_WORD = re.compile(r"(?!(?:no|has|with|without)[-_])(.*[-_])?(ads?|advert\w*|sponsored)", re.IGNORECASE)
_AD_BADGES = frozenset({"ad", "ads", "sponsored", "advertisement"})
_TEXT_WORDS = 5
"""Fewest words of a text that may stand for a snippet only because it is near a title."""
_BLOCK_LEVELS = 4
"""Elements round a link that may be its own; more, and the only result of a page would take in the page."""

_BARE = _HEADINGS | {"a", "dt", "tr"}
_SIBLINGS = 3


class ResultList:
    """The results of one page. Reading removes scripts, navigation and footers from `document`."""

    def __init__(self, document: LexborHTMLParser, read_link: LinkReader) -> None:
        document.strip_tags(_FURNITURE)
        self._links: dict[str, list[LexborNode]] = defaultdict(list)
        self._targets: dict[int, set[str]] = defaultdict(set)
        self._walls = {above.mem_id for form in document.css("form") for above in _ancestors(form)}
        for anchor in islice(document.css("a[href]"), MOST_LINKS):
            target = read_link(anchor.attributes.get("href") or "")
            if target is not None:
                self._links[target].append(anchor)
                for above in (anchor, *_ancestors(anchor)):
                    self._targets[above.mem_id].add(target)

    def hits(self) -> list[SearchHit]:
        """Results in the order of the page, without advertisements."""
        found = (self._hit(target, anchors) for target, anchors in self._links.items() if target)
        return [hit for hit in found if hit is not None]

    def _hit(self, target: str, anchors: list[LexborNode]) -> SearchHit | None:
        anchor = _title_anchor(anchors)
        if anchor is None:
            return None
        title_node = _inner_heading(anchor) or anchor
        block = self._block(anchor, target)
        if any(map(_is_ad, _ancestors(anchor))) or _has_badge(block[-1]):
            return None
        snippet = self._snippet(block, title_node, target)
        if not snippet and not _is_heading(title_node):
            return None
        return make_hit(fold_space(title_node.text()), target, snippet)

    def _block(self, anchor: LexborNode, target: str) -> list[LexborNode]:
        """The link and what encloses it and no other result, from inside out."""
        nodes = [anchor]
        for above in islice(_ancestors(anchor), _BLOCK_LEVELS):
            if above.tag in _TOP or above.mem_id in self._walls or self._targets[above.mem_id] != {target}:
                break
            nodes.append(above)
        return nodes

    def _snippet(self, block: list[LexborNode], title: LexborNode, target: str) -> str:
        """The text nearest to the title: within the block, or just behind a bare title (definition lists, tables)."""
        near = (self._best_text(node, title, target) for node in block)
        behind = (self._best_text(node, title, target) for node in self._followers(block[-1], target))
        return next(filter(None, near), "") or next(filter(None, behind), "")

    def _best_text(self, node: LexborNode, title: LexborNode, target: str) -> str:
        """The longest text in `node` that links to the target as well, else the longest one that is prose."""
        texts = list(_texts(node, title))
        linked = {fold_space(anchor.text()) for anchor in self._links[target]}
        twins = [text for text in texts if text in linked and not _ADDRESS.fullmatch(text)]
        return max(twins or filter(_is_prose, texts), key=len, default="")

    def _followers(self, node: LexborNode, target: str) -> Iterator[LexborNode]:
        """What stands behind a title that has no container of its own, up to the next result."""
        if node.tag not in _BARE:
            return
        for after in islice(_elements_behind(node), _SIBLINGS):
            if self._targets.get(after.mem_id, {target}) != {target} or after.mem_id in self._walls:
                return
            yield after


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    above = node.parent
    for _ in range(DEEPEST):
        if above is None or above.tag in ("html", "body"):
            return
        yield above
        above = above.parent


def _elements_behind(node: LexborNode) -> Iterator[LexborNode]:
    after = node.next
    while after is not None:
        if after.is_element_node:
            yield after
        after = after.next


def _is_heading(node: LexborNode) -> bool:
    return any(
        above.tag in _HEADINGS or above.attributes.get("role") == "heading" for above in (node, *_ancestors(node))
    )


def _inner_heading(anchor: LexborNode) -> LexborNode | None:
    return anchor.css_first("h1, h2, h3, h4, h5, [role=heading]")


def _title_anchor(anchors: list[LexborNode]) -> LexborNode | None:
    """The link in or round a heading, else the first one whose text is not an address, else the first."""
    named = [anchor for anchor in anchors if anchor.text().strip()]
    headed = (anchor for anchor in named if _inner_heading(anchor) or _is_heading(anchor))
    plain = (anchor for anchor in named if not _ADDRESS.fullmatch(fold_space(anchor.text())))
    return next(headed, None) or next(plain, None) or next(iter(named), None)


def _own_text(node: LexborNode) -> str:
    return node.text(deep=False).strip()


def _texts(node: LexborNode, title: LexborNode) -> Iterator[str]:
    """Texts within `node` that neither hold the title nor stand in it, each with its inline marks."""
    taken = {title.mem_id}
    around_title = {above.mem_id for above in _ancestors(title)}
    for element in node.traverse():
        parent = element.parent
        if element.mem_id in taken or (parent is not None and parent.mem_id in taken):
            taken.add(element.mem_id)
        elif element.mem_id not in around_title and _own_text(element):
            taken.add(element.mem_id)
            yield fold_space(element.text())


def _is_prose(text: str) -> bool:
    return len(text.split()) >= _TEXT_WORDS and not _ADDRESS.fullmatch(text)


def _is_ad(node: LexborNode) -> bool:
    """Whether a class or id calls this node an advertisement, or a place for them."""
    names = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}".split()
    return any(map(_AD_WORD.fullmatch, names))


def _has_badge(node: LexborNode) -> bool:
    return any(_own_text(element).casefold() in _AD_BADGES for element in node.traverse())
