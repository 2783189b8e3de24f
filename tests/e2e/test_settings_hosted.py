"""On a server for many, its operator chooses: the page shows what is in use, and changes nothing."""

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.raw_events import STATES, send
from tests.e2e.servers import hosted
from tests.e2e.settings import offer

SERVER = hosted


def test_a_hosted_page_shows_the_model_and_changes_nothing(page: Page):
    page.goto("/settings")
    expect(page.get_by_text("The operator of this server has chosen the model.")).to_be_visible()
    expect(offer(page, "Scripted")).to_contain_text("in use")
    expect(page.locator(".offer button")).to_have_count(0)
    expect(page.get_by_role("heading", name="Servers")).to_have_count(0)
    expect(page.get_by_role("radio")).to_have_count(0)
    expect(page.get_by_text("The operator of this server has chosen how answers are made.").first).to_be_visible()
    expect_accessible(page)
    model = f"{STATES}model____model_state"
    send(page, "choose", {"answers": "quoted"}, state=model)
    send(page, "use", {"model_id": "none"}, state=f"{STATES}offers____offers_state")
    servers = f"{STATES}servers____servers_state"
    send(page, "keep_key", {"form": {"key": "sk-odd"}}, state=servers)
    for name in ("ollama_url", "endpoint_url", "endpoint_model"):
        send(page, "keep", {"form": {name: "http://127.0.0.1:9"}}, state=servers)
    page.reload()
    expect(offer(page, "Scripted")).to_contain_text("in use")
