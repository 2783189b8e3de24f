"""Questions about a job and their grounded answers, each with its sources, scores and snippets."""

import reflex as rx

from deeptrust.ui.components.browser import BOX_TEXT
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.markdown import markdown
from deeptrust.ui.components.pieces import bars, notice
from deeptrust.ui.state.grounded import GroundedState
from deeptrust.ui.views import grounded as views
from deeptrust.ui.views.grounded import Reply, SourceCard

_EXAMPLE = "What ATS or assessment platform does this job use?"


def replies() -> rx.Component:
    return rx.cond(
        GroundedState.replies,
        rx.el.div(rx.foreach(GroundedState.replies, _reply), class_name="replies"),
        rx.el.p(
            "Ask about this job. Every sentence of an answer stands in the pack, or you are told that it does not.",
            class_name="quiet-note",
        ),
    )


def question_form() -> rx.Component:
    return rx.el.form(
        notice(GroundedState.question_problem, id="question-problem"),
        rx.el.label("Your question about this job", html_for="question", class_name="visually-hidden"),
        rx.el.textarea(
            id="question",
            class_name="question",
            rows="2",
            on_change=rx.cond(GroundedState.question_problem != "", GroundedState.forget_problem, rx.noop()),
            placeholder=_EXAMPLE,
            custom_attrs={"autocomplete": "off"},
        ),
        rx.el.div(
            rx.el.span(icon("lock", 14), "This job's pack only", class_name="egress"),
            rx.cond(
                GroundedState.is_busy,
                rx.el.button(
                    icon("square", 13),
                    "Stop",
                    type="button",
                    id="stop",
                    class_name="send stop",
                    on_click=GroundedState.stop,
                ),
                rx.el.button(
                    icon("arrow-up"),
                    type="submit",
                    class_name="send",
                    title="Ask",
                    disabled=GroundedState.is_ingesting,
                    custom_attrs={"aria-label": "Ask"},
                ),
            ),
            class_name="tools",
        ),
        class_name="card box ask-job",
        on_submit=GroundedState.ask(BOX_TEXT),
        custom_attrs={"aria-label": "Ask about this job"},
    )


def _reply(reply: Reply) -> rx.Component:
    return rx.el.section(
        rx.el.h3(reply.question, class_name="asked"),
        rx.el.article(
            rx.match(
                reply.phase,
                (views.THINKING, _thinking(reply)),
                (views.GROUNDED, _grounded(reply)),
                (views.NOT_FOUND, _ended(reply, "search-x", "off", "Not grounded")),
                (views.STOPPED, _ended(reply, "circle-stop", "off", "Stopped")),
                _ended(reply, "triangle-alert", "bad", "Failed"),
            ),
            class_name="card",
            custom_attrs={"aria-label": "Answer"},
        ),
        class_name="reply",
        custom_attrs={"data-phase": reply.phase},
    )


def _thinking(reply: Reply) -> rx.Component:
    return rx.el.div(
        rx.el.p(reply.stage, class_name="small dim"),
        bars(),
        class_name="reply-body",
    )


def _grounded(reply: Reply) -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.el.div(
                rx.el.span(icon("check", 14), "Grounded", class_name="pill ok"),
                rx.cond(
                    reply.partial > 0,
                    rx.el.span(
                        icon("triangle-alert", 14), reply.partial.to_string() + " partial", class_name="pill warn"
                    ),
                ),
                rx.el.span(reply.by, class_name="dim small"),
                class_name="reply-head",
            ),
            markdown(text=reply.text),
            rx.foreach(reply.missing, lambda topic: rx.el.p("Not found in the pack: ", topic, class_name="dim")),
            rx.cond(reply.message != "", rx.el.p(reply.message, class_name="dim small")),
            class_name="reply-body",
        ),
        rx.el.ol(
            rx.foreach(reply.sources, _source),
            class_name="source-cards",
            custom_attrs={"aria-label": "Sources of this answer"},
        ),
        rx.el.p(reply.scope, class_name="reply-foot"),
    )


def _source(source: SourceCard) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(source.number.to_string(), class_name="number"),
            rx.el.b(source.title),
            rx.el.span("match ", source.score, class_name="score"),
            class_name="source-head",
        ),
        rx.cond(source.where != "", rx.el.p(source.where, class_name="dim small")),
        rx.el.blockquote(source.before, rx.el.mark(source.quote), source.after),
        class_name="source-card",
        tab_index=-1,
        custom_attrs={"id": source.anchor},
    )


def _ended(reply: Reply, icon_name: str, tone: str, word: str) -> rx.Component:
    return rx.el.div(
        rx.el.div(rx.el.span(icon(icon_name, 14), word, class_name=f"pill {tone}"), class_name="reply-head"),
        rx.cond(reply.text != "", markdown(text=reply.text)),
        rx.cond(reply.message != "", rx.el.p(reply.message)),
        rx.el.div(
            rx.el.button(
                icon("rotate-ccw", 15),
                "Ask again",
                type="button",
                class_name="button",
                on_click=GroundedState.ask(reply.question),
            ),
        ),
        class_name="reply-body",
    )
