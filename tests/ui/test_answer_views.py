from hypothesis import given
from hypothesis import strategies as st

from deeptrust.domain.answer import Citation, Claim, Verdict
from deeptrust.ui.views.answer import (
    MAX_REVEAL_SECONDS,
    TICK_SECONDS,
    cite_target,
    growing,
    parse_cite_target,
    to_markdown,
)

RUN = "7f6d2c1e-0000-4000-8000-000000000001"


def citation(number: int = 1, title: str = "Handbook", quote: str = "Leave is 27 days.") -> Citation:
    return Citation(
        number=number,
        passage_id=f"p{number}",
        title=title,
        page=2,
        section=None,
        url=None,
        quote=quote,
        snippet=quote,
        score=0.8,
    )


def test_marks_become_links_to_their_evidence():
    assert to_markdown(RUN, "Leave is 27 days. [1]", [citation()]) == (
        f'Leave is 27 days. [1](#c-{RUN}-1 "“Leave is 27 days.” — Handbook, page 2")'
    )


def test_a_number_without_citation_stays_text():
    assert to_markdown(RUN, "See [2] and [x].", [citation()]) == "See [2] and [x]."


def test_ui_01_links_and_images_of_a_quoted_page_lose_their_target():
    text = (
        "![logo](https://evil.test/a.png) [pay](https://evil.test/b 'x') [go](javascript:alert(1)) ![x][ref]\n\n"
        "[ref]: https://evil.test/c.png"
    )
    assert to_markdown(RUN, text, []) == (
        "(image: logo) pay (evil.test) go) (image: x)\n\n\\[ref]: https://evil.test/c.png"
    )


def test_a_quoted_page_cannot_pose_as_a_citation():
    shown = to_markdown(RUN, f"[1](#c-{RUN}-1) and [2](#c-other-2)", [citation()])
    assert shown == "1 and 2"


def test_a_title_cannot_leave_its_tip():
    shown = to_markdown(RUN, "Yes. [1]", [citation(title='a") <img src=x onerror=alert(1)> [9](http://evil.test "b')])
    assert shown.count('"') == 2
    assert shown.endswith('")')


def test_a_partly_supported_sentence_is_marked_with_its_reason():
    claim = Claim(text="It was renewed once.", verdict=Verdict.PARTIAL, reason="The date is missing")
    assert to_markdown(RUN, "It was renewed once. [1]", [citation()], [claim]).startswith(
        '[It was renewed once.](#partial "The date is missing") [1](#c-'
    )


@given(st.text(max_size=80), st.integers(0, 999))
def test_targets_are_read_back_or_refused(junk: str, number: int):
    assert parse_cite_target(cite_target(RUN, number)) == (RUN, number)
    parsed = parse_cite_target(junk)
    assert parsed is None or junk.startswith("#c-")


@given(st.lists(st.sampled_from(["word", "longer,", "[1]", "\n\n", "**bold**", "é"]), max_size=60))
def test_a_growing_answer_only_grows_and_ends_whole(words: list[str]):
    markdown = to_markdown(RUN, " ".join(words), [citation()])
    parts = list(growing(markdown, 40))
    assert parts[-1] == markdown
    assert all(markdown.startswith(part) for part in parts)
    assert all(part.count("](#c-") == part.count('")') for part in parts), "a link was shown half"


def test_k18_a_long_answer_never_takes_more_than_fifteen_seconds():
    assert len(list(growing("word " * 5_000, 40))) * TICK_SECONDS <= MAX_REVEAL_SECONDS


def test_k18_forty_milliseconds_a_word():
    assert len(list(growing("word " * 100, 40))) * TICK_SECONDS == 4.0


def test_without_a_pace_the_answer_is_there_at_once():
    assert list(growing("a b c", 0)) == ["a b c"]
