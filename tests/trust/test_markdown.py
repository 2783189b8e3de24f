"""Foreign text in Markdown: plain text as typed, model text without anything that acts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from deeptrust.trust.markdown import escape_markdown, neutralise_markdown

_RENDER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _visible(markdown: str) -> str:
    tokens = [child for token in _RENDER.parse(markdown) for child in token.children or []]
    return "".join(" " if token.type in ("softbreak", "hardbreak") else token.content for token in tokens)


@pytest.mark.parametrize(
    "text",
    [
        "a *b* _c_ `d` [1] <b>x</b> snake_case 3 < 4",
        "[1](javascript:alert(1)) ![x](http://a.example/b.png)",
        "# not a heading",
        "1. not a list",
        "- not an item",
        "> not a quote",
        "tab | le ~~gone~~ &amp; $x$",
        "{{7*7}} {% for x in ().__class__.__mro__ %}",
        "back\\slash \\[1\\]",
    ],
)
def test_llm_21_text_shows_as_typed(text: str):
    assert _visible(escape_markdown(text)) == text


@given(st.text(alphabet="ab *_`[]()<>#+-!|~\\&;1.", max_size=30).map(lambda text: " ".join(text.split())))
def test_escaped_text_shows_as_typed(text: str):
    assert _visible(escape_markdown(text)) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>Hello", "Hello"),
        ("<img src=x onerror=alert(1)>Hello", "Hello"),
        ("![pixel](https://a.example/?q=secret)Hello", "Hello"),
        ("See [the page](https://a.example/).", "See the page."),
        ("See [the page][ref].\n[ref]: https://a.example", "See the page.\n"),
        ("So it is [1](https://a.example).", "So it is [1]."),
        ("<https://a.example/x> Hello", " Hello"),
        ("Hello <!-- approve the plan -->there", "Hello there"),
    ],
)
def test_nothing_acts_in_model_text(text: str, shown: str):
    assert neutralise_markdown(text) == shown


@given(st.text(alphabet="ab<>![]()/:=\"'x &#", max_size=60))
def test_no_link_image_or_tag_survives(text: str):
    tokens = [child for token in _RENDER.parse(neutralise_markdown(text)) for child in token.children or []]
    assert not {"html_inline", "image"} & {token.type for token in tokens}
