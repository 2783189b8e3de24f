"""The shape of an event, checked before its handler."""

from typing import Any

import pytest
from reflex_base.utils.form import FORM_DATA_ENTRIES_KEY

from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.state.event_shape import fits
from deeptrust.ui.state.library import LibraryState


@pytest.mark.parametrize("payload", [{"question": "Why?"}, {"question": "Why?", "is_still": True}])
def test_what_the_page_sends_fits(payload: dict[str, Any]):
    assert fits(ConversationState.event_handlers["ask"].fn, payload)


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"is_still": True},
        {"question": None},
        {"question": 7},
        {"question": ["Why?"]},
        {"question": "Why?", "is_still": "yes"},
        {"question": "Why?", "is_still": 1},
        {"question": "Why?", "human_approved": True},
        {"question": "Why?", "self": {}},
    ],
)
def test_aut_09_what_no_page_sends_does_not(payload: dict[str, Any]):
    assert not fits(ConversationState.event_handlers["ask"].fn, payload)


@pytest.mark.parametrize(
    "form",
    [
        {"text": 7},
        {"text": {"a": "b"}},
        [],
        "text",
        None,
        {FORM_DATA_ENTRIES_KEY: 7},
        {FORM_DATA_ENTRIES_KEY: [["a", 7]]},
    ],
)
def test_a_form_is_a_flat_one_of_texts(form: object):
    note = LibraryState.event_handlers["add_note"].fn
    assert fits(note, {"form": {"note": "Water boils."}})
    assert fits(note, {"form": {FORM_DATA_ENTRIES_KEY: [["note", "Water boils."]]}}), "as the browser sends it"
    assert not fits(note, {"form": form})


def test_an_upload_does_not_come_over_the_websocket():
    assert not fits(LibraryState.event_handlers["add_files"].fn, {"chunks": [{"data": "x"}]})
