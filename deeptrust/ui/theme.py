"""The look: one theme file, one typeface from npm, one script. Nothing comes from another host."""

import reflex as rx
from reflex.utils.imports import ImportVar

STYLESHEETS = ["/theme.css", "/workspace.css", "/study.css", "/settings.css"]

# Not deferred: it sets the colours of the person's choice before the first paint.
HEAD = [
    rx.el.script(src="/workspace.js"),
    rx.el.link(rel="icon", href="/icon.svg", type="image/svg+xml"),
]

_INTER = "@fontsource-variable/inter"
_INTER_VERSION = "5.2.8"


class Font(rx.Fragment):
    """Bundles Inter (SIL Open Font License), so that no font host is ever asked."""

    def add_imports(self) -> dict:
        return {f"{_INTER}@{_INTER_VERSION}": ImportVar(tag=None, render=False), "": f"{_INTER}/index.css"}


def font() -> rx.Component:
    return Font.create()
