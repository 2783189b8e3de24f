"""The front door as a browser meets it."""

from playwright.sync_api import Page, WebSocket, expect

from tests.live import LiveServer


def test_page_speaks_to_the_port_it_came_from_and_to_nobody_else(page: Page, server: LiveServer):
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.on("websocket", lambda websocket: addresses.append(websocket.url))
    with page.expect_websocket() as opening:
        page.goto("/")
    websocket: WebSocket = opening.value
    websocket.wait_for_event("framereceived")
    expect(page).to_have_title("DeepTrust")
    own = f"127.0.0.1:{server.port}/"
    assert [address for address in addresses if own not in address and not address.startswith("data:")] == []


def test_scripts_cannot_read_the_cookie(page: Page, server: LiveServer):
    page.goto("/")
    names = [cookie.get("name") for cookie in page.context.cookies() if cookie.get("httpOnly")]
    assert names == [f"deeptrust-{server.port}"]
    assert page.evaluate("document.cookie") == ""
