"""The side panel: one tab at a time; a sheet on small screens."""

import reflex as rx

from deeptrust.ui.components.evidence import evidence
from deeptrust.ui.components.icons import icon_button
from deeptrust.ui.components.plan_tab import plan_tab
from deeptrust.ui.components.sources import sources
from deeptrust.ui.components.trace import trace
from deeptrust.ui.state.library import LibraryState
from deeptrust.ui.state.panel import EVIDENCE, PLAN, SOURCES, TRACE, PanelState


def panel() -> rx.Component:
    return rx.el.aside(
        rx.el.div(
            rx.el.div(
                _tab(
                    SOURCES,
                    "Sources ",
                    rx.cond(LibraryState.total > 0, rx.el.span(LibraryState.total, class_name="count")),
                ),
                _tab(PLAN, "Plan"),
                _tab(TRACE, "Trace"),
                _tab(EVIDENCE, "Evidence"),
                style={"display": "flex", "gap": "2px"},
                custom_attrs={"role": "tablist", "aria-label": "Side panel", "data-list": "tabs"},
            ),
            icon_button("x", "Close the panel", class_name="panel-close", attributes={"data-closes-panel": ""}),
            class_name="tabs",
        ),
        _pane(SOURCES, sources()),
        _pane(PLAN, plan_tab()),
        _pane(TRACE, trace()),
        _pane(EVIDENCE, evidence()),
        id="panel",
        class_name="panel",
        custom_attrs={"aria-label": "Sources and evidence"},
    )


def _tab(name: str, *label) -> rx.Component:
    return rx.el.button(
        *label,
        type="button",
        id=f"tab-{name}",
        class_name="tab",
        on_click=PanelState.show(name),
        custom_attrs={
            "role": "tab",
            "aria-selected": rx.cond(PanelState.tab == name, "true", "false"),
            "aria-controls": f"pane-{name}",
            "tabindex": rx.cond(PanelState.tab == name, "0", "-1"),
        },
    )


def _pane(name: str, *children: rx.Component) -> rx.Component:
    return rx.el.div(
        *children,
        id=f"pane-{name}",
        class_name="pane",
        hidden=PanelState.tab != name,
        custom_attrs={"role": "tabpanel", "aria-labelledby": f"tab-{name}", "tabindex": "0"},
    )
