"""A pasted posting, HTML or not, to plain text with Markdown headings, bullets and visible link addresses."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from deeptrust.language.clean import clean_text

_TAG = re.compile(
    r"</?(?:html|body|div|p|ul|ol|li|br|h[1-6]|span|strong|b|table|tr|td|section|article|a)\b[^>]*>", re.I
)
_FEWEST_TAGS = 4  # a Markdown posting may carry a stray <br>
_UNREAD = frozenset({"script", "style", "head", "noscript", "template", "svg", "button", "nav", "footer"})
_BLOCKS = frozenset("p div section article header main ul ol table tr dl dt dd blockquote form fieldset".split())


def to_text(posting: str) -> str:
    """Return the posting as clean text; HTML becomes headings (#), bullets (-) and `text (address)` links.

    Every quote is a stretch of what this returns, so it is also what is stored.
    """
    text = clean_text(posting)
    if len(_TAG.findall(text)) >= _FEWEST_TAGS:
        body = LexborHTMLParser(text).body
        text = "".join(_write(body, [])) if body is not None else ""
    text = re.sub(r"[ \t\u00a0\u202f]+", " ", text.replace("\u200b", ""))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()


def _write(node: LexborNode, out: list[str]) -> list[str]:
    """Append the text of `node` to `out`; recursion ends at depth 200, deeper markup is hostile."""
    return _write_children(node, out, 0)


def _write_children(node: LexborNode, out: list[str], depth: int) -> list[str]:
    child = node.child if depth < 200 else None
    while child is not None:
        _write_node(child, out, depth + 1)
        child = child.next
    return out


def _write_node(node: LexborNode, out: list[str], depth: int) -> None:
    tag = node.tag or ""
    if tag == "-text":
        out.append(re.sub(r"\s+", " ", node.text_content or ""))
    elif tag in _UNREAD:
        return
    elif tag == "br":
        out.append("\n")
    elif re.fullmatch(r"h[1-6]", tag):
        _wrap(node, out, depth, "\n\n" + "#" * int(tag[1]) + " ", "\n\n")
    elif tag == "li":
        _wrap(node, out, depth, "\n- ", "\n")
    elif tag in ("td", "th"):
        _wrap(node, out, depth, "", " ")
    elif tag == "a":
        _write_link(node, out, depth)
    elif tag in ("strong", "b"):
        _wrap(node, out, depth, "**", "**")
    elif tag in _BLOCKS:
        _wrap(node, out, depth, "\n" if tag in ("tr", "dt", "dd") else "\n\n", "\n")
    else:
        _write_children(node, out, depth)


def _wrap(node: LexborNode, out: list[str], depth: int, before: str, after: str) -> None:
    inner = "".join(_write_children(node, [], depth)).strip()
    if inner:
        out.append(before + inner + after)


def _write_link(node: LexborNode, out: list[str], depth: int) -> None:
    label = "".join(_write_children(node, [], depth)).strip()
    address = (node.attributes.get("href") or "").strip()
    if re.match(r"https?://", address, re.I):
        is_address = not label or address.rstrip("/").endswith(label.rstrip("/"))
        label = address if is_address else f"{label} ({address})"
    out.append(label)
