"""Choosing, testing and downloading models; what leaves the machine is asked about first (K07, K19)."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.raw_events import STATES, send
from tests.e2e.servers import ENDPOINT, many_models
from tests.e2e.settings import offer, open_settings, pill, place
from tests.e2e.slow_hub import MODEL as DOWNLOADED
from tests.live import LiveServer
from tests.llm.model_server import MODEL, Refuse, Say

SERVER = many_models
_KEY = "sk-not-a-real-key-8f2a"


@pytest.fixture
def settings(page: Page) -> Page:
    """The page; the choice is left to the program, as at the first start."""
    ENDPOINT.will(Say("Hello there."))
    open_settings(page)
    automatic = page.get_by_role("button", name="Let DeepTrust choose")
    if automatic.is_visible():
        automatic.click()
        expect(page.get_by_text("Chosen by DeepTrust")).to_be_visible()
    return page


def test_what_stays_and_what_leaves_stand_apart_and_each_says_what_is_missing(settings: Page):
    here, away = place(settings, "On this machine"), place(settings, "Leaves this machine")
    expect(here.get_by_role("heading", name="No model")).to_be_visible()
    expect(here.get_by_role("heading", name=MODEL)).to_be_visible()
    expect(away.get_by_role("heading", name="Claude CLI")).to_be_visible()
    expect(offer(settings, "qwen3:8b")).to_contain_text("not available")
    expect(offer(settings, DOWNLOADED.name)).to_contain_text("not downloaded")
    expect(offer(settings, DOWNLOADED.name).get_by_role("button")).to_have_text([re.compile("Download 386 MB")])
    expect_accessible(settings)
    settings.set_viewport_size({"width": 390, "height": 844})
    assert settings.evaluate("document.documentElement.scrollWidth") <= 390
    expect_accessible(settings)


def test_k07_a_model_is_chosen_tested_and_kept_by_keyboard(settings: Page):
    line = offer(settings, MODEL)
    line.get_by_role("button", name="Use").focus()
    settings.keyboard.press("Enter")
    expect(line).to_contain_text("in use")
    expect(pill(settings)).to_contain_text(MODEL)
    expect(pill(settings)).to_contain_text("on this machine")
    expect(settings.locator("[role=status]")).to_contain_text("from the next question on")
    line.get_by_role("button", name="Say hello").focus()
    settings.keyboard.press("Enter")
    expect(line.locator("[data-tested]")).to_contain_text("Hello there.")
    expect(line.locator("[data-tested]")).to_contain_text(re.compile(r"[\d.]+ tokens/s, first token after [\d.]+ s"))
    expect_accessible(settings)
    settings.reload()
    expect(offer(settings, MODEL)).to_contain_text("in use")


def test_a_model_that_prompts_leave_for_is_asked_about_first(settings: Page):
    line = offer(settings, "Claude CLI")
    use = line.get_by_role("button", name="Use")
    use.click()
    dialog = settings.get_by_role("dialog", name="does not run on this machine")
    expect(dialog).to_contain_text("Your questions")
    expect(dialog.get_by_role("button", name="Stay on this machine")).to_be_focused()
    expect_accessible(settings)
    settings.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(use).to_be_focused()
    expect(pill(settings)).not_to_contain_text("Claude")
    use.click()
    dialog.get_by_role("button", name="Use it").click()
    expect(line).to_contain_text("in use")
    expect(pill(settings)).to_contain_text("Claude CLI")
    expect(pill(settings)).to_contain_text("leaves this machine")


def test_a_model_that_fails_its_test_says_why_beside_it(settings: Page):
    ENDPOINT.will(Refuse(500, {"error": {"message": "out of memory"}}))
    offer(settings, MODEL).get_by_role("button", name="Say hello").click()
    expect(offer(settings, MODEL).locator(".notice.bad")).to_be_visible()
    expect(offer(settings, MODEL).get_by_role("button", name="Say hello")).to_be_visible()


def test_a_test_that_takes_long_can_be_stopped(settings: Page):
    ENDPOINT.will(Say("Hello.", prompt_seconds=600))
    offer(settings, MODEL).get_by_role("button", name="Say hello").click()
    offer(settings, MODEL).get_by_role("button", name="Stop the test").click()
    expect(offer(settings, MODEL).get_by_role("button", name="Say hello")).to_be_visible()
    expect(settings.locator("[data-tested]")).to_have_count(0)


def test_k19_a_download_shows_bytes_and_time_outlives_a_reload_and_goes_on_where_it_was_cancelled(settings: Page):
    line = offer(settings, DOWNLOADED.name)
    line.get_by_role("button", name="Download").click()
    expect(line.locator(".progress-line")).to_contain_text(re.compile(r"\d+ MB of 386 MB, .+ left"))
    expect(line.get_by_role("progressbar")).to_have_attribute("aria-valuenow", re.compile(r"[1-9]"))
    expect_accessible(settings)
    settings.reload()
    expect(line.locator(".progress-line")).to_contain_text(re.compile(r"\d+ MB of 386 MB"))
    line.get_by_role("button", name="Cancel").click()
    resume = line.get_by_role("button", name="Resume at")
    expect(resume).to_be_visible()
    received = int(re.findall(r"Resume at (\d+)", resume.inner_text())[0])
    resume.click()
    expect(line.locator(".progress-line")).to_contain_text(re.compile(r"\d+ MB of 386 MB"))
    assert int(re.findall(r"(\d+) MB of", line.locator(".progress-line").inner_text())[0]) >= received
    line.get_by_role("button", name="Cancel").click()
    expect(resume).to_be_visible()


def test_a_key_goes_to_its_file_and_is_never_sent_back(settings: Page, server: LiveServer):
    heard: list[str | bytes] = []
    settings.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    settings.reload()
    field = settings.get_by_label("Key, if it wants one")
    field.fill(_KEY)
    settings.get_by_role("button", name="Keep key").click()
    expect(settings.get_by_text("A key is kept.")).to_be_visible()
    kept = server.home / "keys.json"
    assert _KEY in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert heard
    assert all(_KEY not in (frame if isinstance(frame, str) else frame.decode(errors="replace")) for frame in heard)
    assert _KEY not in settings.content()
    settings.get_by_role("button", name="Delete the key").click()
    expect(settings.get_by_text("A key is kept.")).to_have_count(0)
    assert _KEY not in kept.read_text()


def test_odd_arguments_of_raw_events_change_nothing(settings: Page, server: LiveServer):
    """Of the right type, so that they reach the handlers; tests/matrix sends the others."""
    odd = "endpoint:"
    offers, servers = f"{STATES}offers____offers_state", f"{STATES}servers____servers_state"
    deletion, retry = f"{STATES}deletion____deletion_state", f"{STATES}retry____retry_state"
    library = f"{STATES}library____library_state"
    for state, name, argument in (
        (offers, "use", "model_id"),
        (offers, "test", "model_id"),
        (offers, "download", "model_id"),
        (offers, "cancel", "model_id"),
        (servers, "keep_key", "form"),
        (servers, "keep", "form"),
        (deletion, "ask", "thread_id"),
        (retry, "retry", "run_id"),
        (library, "unlock", "form"),
    ):
        send(settings, name, {argument: odd}, state=state)
    for state, name in ((offers, "confirm"), (deletion, "delete"), (deletion, "carry_out"), (retry, "agree")):
        send(settings, name, {}, state=state)
    settings.reload()
    expect(settings.get_by_text("Chosen by DeepTrust")).to_be_visible()
    expect(settings.locator(".offer .progress-line")).to_have_count(0)
    assert not (Path(server.home) / "keys.json").exists() or _KEY not in (server.home / "keys.json").read_text()
