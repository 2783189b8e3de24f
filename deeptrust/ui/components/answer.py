"""A question and its answer card, in each of its phases."""

import reflex as rx

from deeptrust.domain.run import RunKind
from deeptrust.ui.components.browser import IS_STILL
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.markdown import markdown
from deeptrust.ui.components.pieces import bars
from deeptrust.ui.components.plan import steps
from deeptrust.ui.components.retry import other_model_link, retry_button, rewrite_row
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.state.evidence import EvidenceState
from deeptrust.ui.state.panel import SOURCES, PanelState
from deeptrust.ui.views import run as views
from deeptrust.ui.views.run import SourceLine, Turn


def turn(item: Turn) -> rx.Component:
    return rx.el.section(
        rx.el.h2("Question", class_name="visually-hidden"),
        rx.el.div(item.question, class_name="user"),
        rx.cond(item.phase == views.WAITING, rx.fragment(), _article(item)),
        class_name="turn",
        custom_attrs={"data-phase": item.phase},
    )


def _article(item: Turn) -> rx.Component:
    return rx.el.article(
        rx.match(
            item.phase,
            (views.THINKING, _thinking(item)),
            (views.EXECUTING, _executing(item)),
            (views.REVEALING, rx.el.div(markdown(text=ConversationState.draft), class_name="answer")),
            (views.DONE, _done(item)),
            (views.NOTHING_FOUND, _nothing_found(item)),
            (views.STOPPED, _ended(item, "circle-stop", "off", "Stopped")),
            (views.REJECTED, _ended(item, "ban", "off", "Rejected")),
            (views.EXPIRED, _ended(item, "clock", "off", "Expired")),
            _failed(item),
        ),
        class_name="card",
        tab_index=-1,
        custom_attrs={"aria-label": "Answer"},
    )


def _thinking(item: Turn) -> rx.Component:
    return rx.el.div(
        rx.el.p(item.stage, class_name="answer-head", style={"margin-bottom": "14px"}),
        bars(),
        _quiet(),
        class_name="answer",
    )


def _executing(item: Turn) -> rx.Component:
    return rx.el.div(
        rx.el.p(item.stage, class_name="answer-head", style={"margin-bottom": "10px"}),
        steps(),
        _quiet(),
        class_name="answer",
    )


def _quiet() -> rx.Component:
    """After ten silent seconds: what it waits for, and the way out (HIT-07)."""
    return rx.cond(
        ConversationState.quiet != "",
        rx.el.div(
            icon("hourglass", 14),
            rx.el.span(ConversationState.quiet),
            rx.el.button("Stop", type="button", class_name="button", on_click=ConversationState.stop),
            class_name="still-working",
        ),
    )


def _done(item: Turn) -> rx.Component:
    return rx.fragment(
        rx.el.div(
            markdown(text=item.text),
            rx.cond(
                (item.missing.length() > 0) & (item.kind == RunKind.ASK.value),  # a report tells it in its own text
                rx.el.div(
                    rx.foreach(item.missing, lambda topic: rx.el.p("Not found in your documents: ", topic)),
                    class_name="missing",
                ),
            ),
            class_name="answer",
        ),
        rx.el.div(
            rx.foreach(item.sources, _source),
            class_name="sources-list",
            custom_attrs={"data-list": "", "role": "group", "aria-label": "Sources of this answer"},
        ),
        rewrite_row(item),
        _trust(item),
    )


def _trust(item: Turn) -> rx.Component:
    return rx.el.div(
        _pill(item.supported, "supported", "ok", "check"),
        rx.cond(item.partial > 0, _pill(item.partial, "partial", "warn", "triangle-alert")),
        _pill(item.missing.length(), "not found", "off", "search-x"),
        rx.el.span(item.scope, class_name="scope"),
        _usage(item),
        class_name="trust",
    )


def _usage(item: Turn) -> rx.Component:
    """Which model had a hand in it, and what that cost."""
    return rx.cond(item.usage != "", rx.el.span(icon("cpu", 14), item.usage, class_name="usage"))


def _pill(number: rx.Var, word: str, tone: str, icon_name: str) -> rx.Component:
    return rx.el.span(icon(icon_name, 14), number.to_string() + f" {word}", class_name=f"pill {tone}")


def _source(source: SourceLine) -> rx.Component:
    line = (
        rx.el.span(source.number.to_string(), class_name="number"),
        rx.el.b(source.title),
        rx.el.span(
            source.page, rx.cond(source.url != "", icon("external-link", 13)), class_name="dim small source-place"
        ),
    )
    return rx.cond(
        source.url != "",
        rx.el.a(
            *line,
            rx.el.span("opens in a new tab", class_name="visually-hidden"),
            href=source.url,
            target="_blank",
            rel="noopener noreferrer",
            class_name="source-line",
        ),
        rx.el.button(
            *line,
            type="button",
            class_name="source-line",
            on_click=EvidenceState.cite(source.target),
            custom_attrs={"data-opens-panel": ""},
        ),
    )


def _nothing_found(item: Turn) -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.cond(
                item.kind == RunKind.RESEARCH.value,
                rx.el.div(markdown(text=item.text), style={"margin-bottom": "12px"}),
                rx.el.p(
                    icon("search-x"), "Not in your documents", class_name="answer-head", style={"margin-bottom": "8px"}
                ),
            ),
            rx.el.p(item.message),
            _actions(item, _reword(item), _add_sources()),
            class_name="answer",
        ),
        rx.cond(
            (item.scope != "") | (item.usage != ""),
            rx.el.div(rx.el.span(item.scope, class_name="scope"), _usage(item), class_name="trust"),
        ),
    )


def _ended(item: Turn, icon_name: str, tone: str, word: str) -> rx.Component:
    return rx.el.div(
        rx.el.span(icon(icon_name, 14), word, class_name=f"pill {tone}"),
        rx.el.p(item.message, style={"margin-top": "10px"}),
        _actions(item),
        class_name="answer",
    )


def _failed(item: Turn) -> rx.Component:
    return rx.el.div(
        rx.el.span(icon("triangle-alert", 14), "Failed", class_name="pill bad"),
        rx.el.p(item.message, style={"margin-top": "10px"}),
        rx.el.div(
            rx.cond(item.retry != "", retry_button(item), _ask_again(item)),
            other_model_link(),
            class_name="answer-actions",
        ),
        class_name="answer",
    )


def _actions(item: Turn, *others: rx.Component) -> rx.Component:
    return rx.el.div(_ask_again(item), *others, class_name="answer-actions")


def _reword(item: Turn) -> rx.Component:
    """The same words would find the same nothing."""
    return rx.el.button(
        icon("pencil", 15),
        "Reword",
        type="button",
        class_name="button",
        title="Puts the question back into the box",
        on_click=[rx.set_value("question", item.question), rx.set_focus("question")],
    )


def _ask_again(item: Turn) -> rx.Component:
    return rx.el.button(
        icon("rotate-ccw", 15),
        "Ask again",
        type="button",
        class_name="button",
        on_click=ConversationState.ask_again(item.run_id, IS_STILL),
    )


def _add_sources() -> rx.Component:
    return rx.el.button(
        icon("file-plus", 15),
        "Add sources",
        type="button",
        class_name="button",
        on_click=PanelState.show(SOURCES),
        custom_attrs={"data-opens-panel": ""},
    )
