"""Twenty people at once on one hosted server, each watching a run of their own: how late does the screen show it?

    python -m benchmarks.browsers --people 20

Each browser is a user with a note of their own; all start a research run at the same time, approve it, and watch the
report being written. Chromium, the server and this script share the machine. Screen time is when the page's own
observer first saw an event's text in the trace; event time is when the server committed it. One clock serves both.
"""

import argparse
import json
import os
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.browser import ARGUMENTS, find_browser
from tests.e2e.workspace import ask, gate, open_workspace
from tests.live import LiveServer, live_server

SETTINGS = {"mode": "hosted", "embedder": "hashing", "chat_model": "scripted", "offline": "true"}
PATIENCE_MILLISECONDS = 240_000
NOTE = "The harbour of person {n} opens at nine in the morning. The deposit of person {n} is {n}00 euros."
_WATCH = """() => {
    window.seen = {};
    const look = () => document.querySelectorAll('.trace li span').forEach(
        (line) => { window.seen[line.textContent] ??= Date.now(); });
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@dataclass
class Person:
    """One browser and the run that it watches."""

    context: BrowserContext
    page: Page


def main(people: int) -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory() as home,
        live_server(Path(home), SETTINGS) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        before = resident_bytes(server)
        crowd = [arrive(browser, server, number) for number in range(1, people + 1)]
        run_together(crowd)
        grown = resident_bytes(server) - before
        late, lost, shown = [], 0, 0
        for person in crowd:
            delays, missing, is_whole = compare(person)
            late += delays
            lost += missing
            shown += is_whole
        browser.close()
    cuts = quantiles(late, n=20)
    print(f"{people} browsers, {len(late)} events shown, {os.cpu_count()} cores")
    print(f"event to screen: p50 {median(late):.0f} ms, p95 {cuts[18]:.0f} ms, max {max(late):.0f} ms")
    print(f"lost events: {lost}; whole reports on screen: {shown} of {people}")
    print(f"memory: {grown / people / 1e6:.1f} MB a session (server grew {grown / 1e6:.0f} MB)")


def arrive(browser: Browser, server: LiveServer, number: int) -> Person:
    """Open the page as a new user, with a note of their own and the Trace tab open."""
    context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    open_workspace(page)
    note = {"name": f"note-{number}.md", "mimeType": "text/markdown", "buffer": NOTE.format(n=number).encode()}
    headers = {"Origin": server.url}
    assert context.request.post("/api/documents", multipart={"file": note}, headers=headers).ok  # pyright: ignore[reportArgumentType]
    page.reload()
    open_workspace(page)
    page.get_by_role("button", name="Research", exact=True).click()
    page.evaluate(_WATCH)
    return Person(context, page)


def run_together(crowd: list[Person]) -> None:
    """Start all runs, then approve all, then wait for the last report."""
    for number, person in enumerate(crowd, start=1):
        ask(person.page, f"How much is the deposit of person {number}?")
        person.page.get_by_role("tab", name="Trace").click()
    for person in crowd:
        gate(person.page, PATIENCE_MILLISECONDS)
    for person in crowd:
        gate(person.page).get_by_role("button", name="Approve plan").click()
        person.page.get_by_role("tab", name="Trace").click()
    for person in crowd:
        turn = person.page.locator(".turn").last
        expect(turn).to_have_attribute("data-phase", "done", timeout=PATIENCE_MILLISECONDS)


def compare(person: Person) -> tuple[list[float], int, bool]:
    """(delay of each event in ms, events that never came, whether the report on the screen is whole)."""
    seen: dict[str, int] = person.page.evaluate("window.seen")
    runs: list[dict[str, Any]] = person.context.request.get("/api/research/runs").json()
    run_id = runs[0]["threadId"]
    view = person.context.request.get(f"/api/research/runs/{run_id}").json()
    stream = person.context.request.get(f"/api/research/runs/{run_id}/events").text()
    delays: list[float] = []
    missing = 0
    for told, at in reasoning(stream):
        if told not in seen:
            missing += 1
        else:
            delays.append(seen[told] - at)
    quote = view["citations"][0]["quote"]
    return delays, missing, quote in person.page.locator(".turn").last.inner_text()


def reasoning(stream: str) -> list[tuple[str, float]]:
    """(text in the trace, committed at in ms since 1970) of each trace event of a run's stream."""
    found: list[tuple[str, float]] = []
    for frame in stream.split("\n\n"):
        line = next((line for line in frame.splitlines() if line.startswith("data: ")), None)
        state = json.loads(line.removeprefix("data: "))["state"] if line else {}
        for entry in state.get("reasoning", ())[-1:]:
            found.append((entry["summary"], datetime.fromisoformat(state["updatedAt"]).timestamp() * 1000))
    return found


def resident_bytes(server: LiveServer) -> int:
    """Memory of the server's process."""
    time.sleep(1)
    pages = int((Path("/proc") / str(server.process.pid) / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    main(parser.parse_args().people)
