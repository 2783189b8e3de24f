"""Who may write and who may object, by the person's choice of answers."""

from deeptrust.llm.scripted import ScriptedModel
from deeptrust.llm.selection import ModelSelection


class Hosted(ScriptedModel):
    @property
    def reaches_network(self) -> bool:
        return True


def test_k26_where_answers_are_quoted_no_hosted_model_is_asked_anything():
    selection = ModelSelection(Hosted(), "quoted")
    assert (selection.writer, selection.reviewer) == (None, None)
    selection.answers = "auto"
    assert selection.writer is selection.reviewer is selection.current


def test_a_capable_model_of_this_machine_may_object_where_answers_are_quoted():
    selection = ModelSelection(ScriptedModel(), "quoted")
    assert (selection.writer, selection.reviewer) == (None, selection.current)


def test_a_small_model_is_asked_for_no_opinion():
    selection = ModelSelection(Hosted(), "written", is_capable=False)
    assert (selection.writer, selection.reviewer) == (selection.current, None)
