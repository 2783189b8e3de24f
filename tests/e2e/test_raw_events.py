"""What a client can do that does not use the page: events sent by hand over the websocket."""

from playwright.sync_api import Page

from tests.e2e.raw_events import send
from tests.e2e.workspace import open_workspace


def test_the_road_is_right(page: Page):
    """Without this, silence would prove nothing: an honest event is answered on the same road."""
    open_workspace(page)
    heard = send(page, "ask", {"question": " ", "is_still": True})
    assert "The question is empty" in heard


def test_aut_09_no_variable_is_set_by_a_raw_event(page: Page):
    open_workspace(page)
    for name, payload in (
        ("set_is_busy", {"value": True}),
        ("setvar", {"var_name": "is_busy", "value": True}),
        ("setvar", {"var_name": "_opened", "value": "x"}),
    ):
        assert '"is_busy":true' not in send(page, name, payload).replace(" ", ""), name


def test_aut_10_no_underscore_method_runs_by_a_raw_event(page: Page):
    open_workspace(page)
    payload = {"question": "hello?", "is_still": True, "with_samples": False, "problem": "x", "thread_id": ""}
    for name in ("_clear", "_begin", "_open", "_give_up", "_apply"):
        assert "conversation_state" not in send(page, name, payload), name
