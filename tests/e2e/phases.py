"""Through which phases an answer went, written down by the page itself: a test that looks now and then may miss one."""

from playwright.sync_api import Page

_WATCH = """() => {
    window.__phases = [];
    const note = () => {
        const turns = document.querySelectorAll(".turn");
        const turn = turns[turns.length - 1];
        if (!turn) return;
        const words = (turn.querySelector(".prose")?.innerText ?? "").split(/\\s+/).filter(Boolean).length;
        const now = [turn.dataset.phase, words];
        const last = window.__phases[window.__phases.length - 1] ?? [];
        if (now[0] !== last[0] || now[1] !== last[1]) window.__phases.push(now);
    };
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(note).observe(document.body, all);
}"""


def watch_phases(page: Page) -> None:
    """From now on, until the page is loaded anew, write down the phase of the last turn and the words of its answer."""
    page.evaluate(_WATCH)


def seen_phases(page: Page) -> list[tuple[str, int]]:
    """Each change so far: the phase, and how many words of the answer were shown in it."""
    return [(phase, words) for phase, words in page.evaluate("window.__phases")]
