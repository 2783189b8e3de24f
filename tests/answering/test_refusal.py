"""What is said when nothing is answered."""

from deeptrust.answering.refusal import refuse_unfound, tell_search
from tests.answering.builders import make_retrieval, make_scored


def test_passages_of_another_model_are_told_with_the_fix():
    retrieval = make_retrieval(make_scored("Water boils."), make_scored("Ice melts.", 2))
    assert tell_search(retrieval) is None
    stale = retrieval.model_copy(update={"stale_count": 1})
    assert tell_search(stale) == refuse_unfound(stale, ()).answer.guidance
    assert (tell_search(stale) or "").startswith("1 of 2 passages were read by another embedding model")
    assert "add them again" in (tell_search(stale) or "")


def test_a_judge_that_was_not_measured_is_told():
    found = make_retrieval(make_scored("Water boils.")).model_copy(update={"embedder": "ollama:other"})
    assert "ollama:other" in (tell_search(found) or "")
    assert tell_search(found.model_copy(update={"embedder": "ollama:all-minilm"})) is None
