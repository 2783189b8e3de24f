"""Which tab of the side panel is open."""

import reflex as rx

SOURCES = "sources"
PLAN = "plan"
TRACE = "trace"
EVIDENCE = "evidence"
TABS = (SOURCES, PLAN, TRACE, EVIDENCE)


class PanelState(rx.State):
    """The side panel."""

    tab: str = SOURCES

    @rx.event
    def show(self, tab: str):
        if tab in TABS:
            self.tab = tab
