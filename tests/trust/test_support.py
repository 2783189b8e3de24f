"""What a model wrote is shown only where its source says so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.domain.answer import Verdict
from deeptrust.domain.document import DocumentKind, Passage
from deeptrust.trust.entailment import find_best_sentence, find_support
from deeptrust.trust.support import keep_supported


def _passage(number: int, text: str) -> Passage:
    return Passage(
        id=f"p{number}",
        document_id="d",
        title="Boiling",
        kind=DocumentKind.TEXT,
        page=1,
        start=0,
        end=len(text),
        text=text,
    )


PASSAGES = [
    _passage(1, "Water boils at 100 degrees Celsius at sea level. Salt raises the point a little."),
    _passage(2, "Ice melts at 0 degrees. Pierre Gassendi did not study ice."),
    _passage(3, "Steam is hot."),
]


def test_a_supported_sentence_stays_with_its_mark():
    text, claims = keep_supported("Water boils at 100 degrees Celsius [1].", PASSAGES)
    assert text == "Water boils at 100 degrees Celsius. [1]"
    assert [(claim.verdict, claim.passage_ids) for claim in claims] == [(Verdict.SUPPORTED, ("p1",))]


def test_a_mark_behind_the_full_stop_belongs_to_the_sentence_before_it():
    text, _ = keep_supported("Steam is hot.[3] Ice melts at 0 degrees. [2]", PASSAGES)
    assert text == "Steam is hot. [3] Ice melts at 0 degrees. [2]"


def test_ret_15_a_source_that_does_not_exist_supports_nothing():
    text, claims = keep_supported("X is true [7]", PASSAGES)
    assert text == ""
    assert [claim.verdict for claim in claims] == [Verdict.UNSUPPORTED]


@pytest.mark.parametrize("mark", ["[999]", "[0]", "[-1]", "[1, 99]", "[1-3]", "【1】"])
def test_ret_16_an_odd_mark_cites_nothing_and_is_counted(mark: str):
    text, claims = keep_supported(f"Steam is hot {mark}.", PASSAGES)
    assert text == ""
    assert "named no source" in claims[0].reason


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Water boils at 90 degrees Celsius [1].", "number 90"),
        ("Water boils at 100 degrees, said Newton [1].", "newton"),
        ("Bread is baked from flour and yeast in ovens [1].", "words"),
        ("Water does not boil at 100 degrees Celsius at sea level [1].", "denies"),
        ("Water boils at 100 degrees Celsius.", "cites no source"),
        ("Ice melts at three degrees [2].", "number 3"),
    ],
)
def test_an_unsupported_sentence_is_not_shown(sentence: str, reason: str):
    text, claims = keep_supported(sentence, PASSAGES)
    assert text == ""
    assert reason in claims[0].reason


def test_a_mark_whose_source_does_not_support_is_taken_off():
    text, claims = keep_supported("Steam is hot [3] [1].", PASSAGES)
    assert text == "Steam is hot. [3]"
    assert claims[0].passage_ids == ("p3",)


def test_an_opposite_is_a_contradiction():
    support = find_support(
        "The rate of growth in cities increased in spring.", "The rate of growth in cities decreased in spring."
    )
    assert not support.is_supported
    assert "decreased" in support.reason


def test_a_heading_that_states_something_is_checked_like_a_sentence():
    text, claims = keep_supported("## Ice cures fever\n\nSteam is hot [3].", PASSAGES)
    assert text == "Steam is hot. [3]"
    assert claims[0].verdict is Verdict.UNSUPPORTED


def test_an_empty_heading_stays_only_above_something():
    draft = "## Summary\n\n- Steam is hot [3]\n\n## Details\n\n- Steam is cold and blue [3]"
    assert keep_supported(draft, PASSAGES)[0] == "## Summary\n\n- Steam is hot [3]"


def test_html_and_links_of_a_model_are_never_shown():
    draft = "<script>alert(1)</script>Steam is [hot](https://a.example) [3]. ![x](https://a.example/p.png)"
    text, _ = keep_supported(draft, PASSAGES)
    assert text == "Steam is hot. [3]"


@given(st.text(alphabet="Steam is hot.[]1230-【】\n#*<>()", max_size=80))
def test_every_mark_shown_belongs_to_a_supported_claim(draft: str):
    text, claims = keep_supported(draft, PASSAGES)
    ids = [passage_id for claim in claims if claim.verdict is Verdict.SUPPORTED for passage_id in claim.passage_ids]
    shown = [text[at + 1] for at in range(len(text) - 2) if text[at] == "[" and text[at + 2] == "]"]
    assert [f"p{number}" for number in shown] == ids


@given(st.text(max_size=80))
def test_text_without_a_mark_is_never_shown(draft: str):
    text, _ = keep_supported(draft.replace("[", "("), PASSAGES)
    assert text == ""


@given(st.text(min_size=1, max_size=120), st.lists(st.text(min_size=1, max_size=6), max_size=4))
def test_the_best_sentence_is_a_substring(source: str, terms: list[str]):
    assert find_best_sentence(terms, source) in source
