"""Markdown of answers: raw HTML is shown as text, images are words, and only our own marks are links."""

import reflex as rx

from deeptrust.ui.state.evidence import EvidenceState
from deeptrust.ui.views.answer import CITE_PREFIX, PARTIAL_PREFIX, SOURCE_PREFIX

_HREF = rx.Var("props.href").to(str)
_TITLE = rx.Var("props.title").to(str)


@rx.memo
def markdown(text: rx.Var[str]) -> rx.Component:
    """A component of its own in the browser: its links use hooks, which a loop of answers could not hold."""
    return rx.markdown(
        text,
        use_raw=False,
        use_math=False,
        use_katex=False,
        use_unwrap_images=False,
        component_map=_COMPONENTS,
        class_name="prose",
    )


def _link(children) -> rx.Component:
    return rx.cond(
        _HREF.startswith(CITE_PREFIX),
        _mark(children),
        rx.cond(
            _HREF.startswith(PARTIAL_PREFIX),
            rx.el.span(children, class_name="partial", title=_TITLE),
            rx.cond(_HREF.startswith(SOURCE_PREFIX), _pointer(children), rx.el.span(children)),
        ),
    )


def _pointer(children) -> rx.Component:
    """A mark whose source stands on the page: the page's own script moves the focus there."""
    return rx.el.a(
        rx.el.span(children),
        href=_HREF,
        class_name="cite",
        custom_attrs={
            "data-tip": _TITLE,
            "data-shows": _HREF,
            "aria-label": "Source " + rx.Var("children").to(str) + ", show it",
        },
    )


def _mark(children) -> rx.Component:
    return rx.el.a(
        rx.el.span(children),
        href=_HREF,
        class_name=rx.cond(EvidenceState.target == _HREF, "cite on", "cite"),
        on_click=EvidenceState.cite(_HREF).prevent_default,
        custom_attrs={
            "data-tip": _TITLE,
            "data-opens-panel": "",
            "aria-label": "Source " + rx.Var("children").to(str) + ", show evidence",
        },
    )


_COMPONENTS = {
    # The page has its own h1, and an answer is a section of it: no heading of an answer may stand above h2.
    "h1": rx.el.h2,
    "h2": rx.el.h2,
    "h3": rx.el.h3,
    "h4": rx.el.h3,
    "h5": rx.el.h3,
    "h6": rx.el.h3,
    "p": rx.el.p,
    "ul": rx.el.ul,
    "ol": rx.el.ol,
    "li": rx.el.li,
    "code": rx.el.code,
    "pre": lambda children, **props: rx.el.pre(children),
    "a": lambda children: _link(children),
    "img": lambda children: rx.el.span("(image)", class_name="image-label"),
}
