"""The cookie is found among whatever else a browser sends along, and at once."""

import pytest

from deeptrust.identity.cookie import read_cookie

MINE = "deeptrust=secret.mark"


@pytest.mark.parametrize(
    "header",
    [
        MINE,
        f"a=1;{MINE} ; b=2",
        f'x[y]={{"a": 1}}; {MINE}',
        f"näme=1; =; ; {MINE}",
        f'a="unclosed; {MINE}',
        f"deeptrust-3000=other; xdeeptrust=other; {MINE}",
        f"deeptrust=older; {MINE}",
    ],
)
def test_the_cookie_of_ours_is_read_whatever_other_programs_of_the_host_have_set(header: str):
    assert read_cookie(header, "deeptrust") == "secret.mark"


@pytest.mark.parametrize(
    "header",
    ["", "deeptrust", "deeptrust=", "other=deeptrust=secret", ";;;", 'deeptrust="\\\\"', "deeptrust=" + "x" * 201],
)
def test_where_there_is_none_nothing_is_read(header: str):
    assert read_cookie(header, "deeptrust") == ""


def test_a_cookie_of_backslashes_is_read_like_any_other():
    assert read_cookie('a="' + "\\" * 1_000_000 + f'"; {MINE}', "deeptrust") == "secret.mark"
