"""Nothing leaves without a yes to exactly that (H11)."""

from datetime import UTC, datetime, timedelta

import pytest

from deeptrust.errors import Conflict
from deeptrust.harness.confirmation import LIFETIME, Confirmations, Shipment
from tests.harness.packs import TEXTS, make_pack


def ship(owner: str = "ann", destination: str = "NotebookLM", notebook: str = "Pack", **changes: str) -> Shipment:
    return Shipment(owner, destination, notebook, make_pack(**changes))


def test_the_question_names_exactly_what_leaves():
    asked = Confirmations().ask(ship())
    assert (asked.destination, asked.notebook) == ("NotebookLM", "Pack")
    assert [leaving.title for leaving in asked.leaving] == list(TEXTS)
    sizes = [len(document.markdown) for document in make_pack().documents]
    assert [leaving.characters for leaving in asked.leaving] == sizes


def test_a_yes_is_good_once():
    confirmations = Confirmations()
    token = confirmations.ask(ship()).token
    confirmations.claim(token, ship())
    with pytest.raises(Conflict, match="used before"):
        confirmations.claim(token, ship())


@pytest.mark.parametrize("token", ["", "yes", "true", "None", "0" * 43])
def test_a_made_up_token_is_no_yes(token: str):
    confirmations = Confirmations()
    confirmations.ask(ship())
    with pytest.raises(Conflict, match="not known"):
        confirmations.claim(token, ship())


@pytest.mark.parametrize(
    "other",
    [
        ship(owner="bob"),
        ship(destination="NotebookLM by another server"),
        ship(notebook="Another"),
        ship(Study="First learn Scala."),
        ship(Behavioural=TEXTS["Behavioural"] + " "),
    ],
)
def test_a_yes_to_something_else_is_no_yes_and_is_gone(other: Shipment):
    confirmations = Confirmations()
    token = confirmations.ask(ship()).token
    with pytest.raises(Conflict, match="something else"):
        confirmations.claim(token, other)
    with pytest.raises(Conflict, match="not known"):
        confirmations.claim(token, ship())


def test_a_yes_expires():
    now = datetime(2026, 11, 30, tzinfo=UTC)
    confirmations = Confirmations(lambda: now)
    asked = confirmations.ask(ship())
    assert asked.expires_at == now + LIFETIME
    now += LIFETIME - timedelta(seconds=1)
    confirmations.claim(asked.token, ship())
    asked = confirmations.ask(ship())
    now += LIFETIME
    with pytest.raises(Conflict, match="expired"):
        confirmations.claim(asked.token, ship())


def test_questions_without_an_answer_do_not_pile_up():
    confirmations = Confirmations()
    first = confirmations.ask(ship()).token
    last = [confirmations.ask(ship()).token for _ in range(100)][-1]
    with pytest.raises(Conflict):
        confirmations.claim(first, ship())
    confirmations.claim(last, ship())


def test_tokens_are_long_and_differ():
    confirmations = Confirmations()
    tokens = {confirmations.ask(ship()).token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 43 for token in tokens)  # 256 random bits
