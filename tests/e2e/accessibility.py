"""axe-core over a page, with every WCAG rule up to 2.2 AA (UI.md, "Hands and ears")."""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

_RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
# Half-faded text has a contrast of its own; the loading shimmer pulses for ever and is no text.
_SETTLE = """async () => {
    const finite = document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity);
    await Promise.allSettled(finite.map(one => one.finished));
}"""


def violations(page: Page) -> list[str]:
    """Return one line a violation: its rule and the first elements that break it."""
    page.evaluate(_SETTLE)
    found = Axe().run(page, options=_RULES).response["violations"]
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes'][:3]]}" for rule in found]


def expect_accessible(page: Page) -> None:
    """Fail on any violation, in the light and in the dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_class(re.compile(scheme))
        assert violations(page) == [], scheme
