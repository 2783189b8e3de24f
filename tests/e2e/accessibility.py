"""axe-core over a page, with every WCAG rule up to 2.2 AA (UI.md, "Hands and ears")."""

import re
from collections.abc import Mapping
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

_ALL = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
# A colour scheme changes nothing but colours, so the second one need not answer the other rules again.
_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
# Half-faded text has a contrast of its own; the loading shimmer pulses for ever and is no text.
# They are ended, not waited for: what moves out of sight may never come to its end.
_SETTLE = """() => document.getAnimations()
    .filter(one => one.effect.getTiming().iterations !== Infinity)
    .forEach(one => one.finish())"""
_RUN = "options => axe.run(document, { ...options, resultTypes: ['violations'] }).then(found => found.violations)"


def violations(page: Page, rules: Mapping[str, object] = _ALL) -> list[str]:
    """Return one line a violation: its rule and the first elements that break it."""
    page.evaluate(_SETTLE)
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    found = page.evaluate(_RUN, rules)
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes'][:3]]}" for rule in found]


def expect_accessible(page: Page) -> None:
    """Fail on any violation, in the light and in the dark."""
    schemes: dict[Literal["light", "dark"], Mapping[str, object]] = {"light": _ALL, "dark": _COLOURS}
    for scheme, rules in schemes.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_class(re.compile(scheme))
        assert violations(page, rules) == [], scheme
