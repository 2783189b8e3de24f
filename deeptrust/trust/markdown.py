"""Foreign text on a page that renders Markdown: shown as typed, with nothing that acts."""

import re

_INLINE = re.compile(r"([\\`*\[\]<>|~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;))")
_LINE_START = re.compile(r"^(\s*)([+](?=\s|$)|-(?=[\s-]|$)|\#(?=[\s#]|$)|>|=|\d+(?=[.)](?:\s|$)))", re.MULTILINE)

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"<(script|style|iframe|object|svg)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_IMAGE_OR_LINK = re.compile(
    r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"  # the label, which may hold one more pair of brackets
    r"(?:\([^()\s]*(?:\([^()]*\)[^()]*)*[^()]*\)|\[[^\[\]]*[^\[\]\d][^\[\]]*\])"  # (address) or [reference]
)
_REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*\S.*$", re.MULTILINE)
_AUTOLINK = re.compile(r"<(?:[a-z][a-z0-9+.-]*:|[^\s<>]+@)[^\s<>]*>", re.IGNORECASE)


def escape_markdown(text: str) -> str:
    """Return plain `text` as Markdown that shows exactly it: no emphasis, link, citation mark, tag or heading."""
    return _LINE_START.sub(_escape_line_start, _INLINE.sub(r"\\\1", text))


def neutralise_markdown(text: str) -> str:
    """Return a model's Markdown without HTML, images and link definitions; of links the words stay."""
    for pattern in (_COMMENT, _SCRIPT, _AUTOLINK, _TAG, _REFERENCE):
        text = pattern.sub("", text)
    text = _IMAGE_OR_LINK.sub(_keep_label, text)
    return text.replace("<", "\\<")


def _keep_label(link: re.Match[str]) -> str:
    if link[1]:
        return ""
    label = link[2]
    return f"[{label}]" if label.isdigit() else label


def _escape_line_start(match: re.Match[str]) -> str:
    mark = match[2]
    return f"{match[1]}{mark}\\" if mark.isdigit() else f"{match[1]}\\{mark}"
