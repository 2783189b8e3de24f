"""The mode of the composer, and the switch that says what a run may reach (K28)."""

import reflex as rx

from deeptrust.domain.run import RunKind, Sources
from deeptrust.ui.components.icons import icon
from deeptrust.ui.state.composer import ComposerState
from deeptrust.ui.state.model import ModelState

IS_RESEARCH = ComposerState.mode == RunKind.RESEARCH.value
IS_WEB = IS_RESEARCH & (ComposerState.reach == Sources.DOCUMENTS_AND_WEB.value) & ~ComposerState.is_offline
IS_SENT = ModelState.writer_leaves != ""
_READER = rx.cond(IS_SENT, "; " + ModelState.writer_leaves + " reads what is found", "").to(str)
_DOCUMENTS = rx.cond(IS_SENT, "Your documents" + _READER, "Your documents only")


def modes() -> rx.Component:
    return rx.el.div(
        _mode(RunKind.ASK, "Ask", "A grounded answer from your documents, at once"),
        _mode(RunKind.RESEARCH, "Research", "A plan that you approve, then tools, then a report"),
        class_name="seg",
        custom_attrs={"role": "group", "aria-label": "Mode", "data-list": ""},
    )


def _mode(kind: RunKind, word: str, meaning: str) -> rx.Component:
    return rx.el.button(
        word,
        type="button",
        title=meaning,
        on_click=ComposerState.choose(kind.value),
        custom_attrs={"aria-pressed": rx.cond(ComposerState.mode == kind.value, "true", "false")},
    )


def egress() -> rx.Component:
    """What the next run may reach (K28); a switch in Research, unless the whole server is offline."""
    return rx.cond(
        IS_RESEARCH,
        rx.cond(
            ComposerState.is_offline,
            rx.el.span(
                icon("lock", 14), "Your documents only: this server is offline", class_name="egress", id="egress"
            ),
            _reach(),
        ),
        rx.el.span(_lock_or_globe(IS_SENT), _DOCUMENTS, class_name="egress", id="egress"),
    )


def _lock_or_globe(leaves: rx.Var[bool]) -> rx.Component:
    return rx.cond(leaves, icon("globe", 14), icon("lock", 14))


def _reach() -> rx.Component:
    return rx.el.button(
        _lock_or_globe(IS_WEB | IS_SENT),
        rx.cond(IS_WEB, "Documents + web search (" + ComposerState.engine + ")" + _READER, _DOCUMENTS),
        rx.el.span(
            rx.cond(IS_WEB, ". Press to keep to your documents", ". Press to allow web search"),
            class_name="visually-hidden",
        ),
        rx.el.i(class_name="track", custom_attrs={"aria-hidden": "true"}),
        type="button",
        id="egress",
        class_name=rx.cond(IS_WEB, "egress switch on", "egress switch"),
        on_click=ComposerState.switch_reach,
    )
