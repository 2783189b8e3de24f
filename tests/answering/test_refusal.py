"""What is said when nothing is answered."""

from deeptrust.answering.refusal import refuse_unfound, tell_stale
from tests.answering.builders import make_retrieval, make_scored


def test_passages_of_another_model_are_told_with_the_fix():
    retrieval = make_retrieval(make_scored("Water boils."), make_scored("Ice melts.", 2))
    assert tell_stale(retrieval) is None
    stale = retrieval.model_copy(update={"stale_count": 1})
    assert tell_stale(stale) == refuse_unfound(stale, ()).answer.guidance
    assert (tell_stale(stale) or "").startswith("1 of 2 passages were read by another embedding model")
    assert "add them again" in (tell_stale(stale) or "")
