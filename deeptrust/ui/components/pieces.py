"""Small pieces that several pages show."""

import reflex as rx

from deeptrust.ui.components.icons import icon


def notice(problem: rx.Var, **props) -> rx.Component:
    """A sentence that says what went wrong and how to mend it; nothing while there is none."""
    return rx.cond(problem != "", rx.el.p(icon("triangle-alert"), problem, class_name="notice bad", **props))


def shimmer(word: str) -> rx.Component:
    return rx.el.div(
        rx.el.p(word, class_name="visually-hidden"),
        rx.el.div(*[rx.el.i() for _ in range(3)], class_name="shimmer"),
    )


def text_of(box: str, most: int) -> rx.Var:
    """What stands in the text box with the id `box`, read at the moment of a click; one over `most` tells of more."""
    return rx.Var(f"document.getElementById('{box}').value.slice(0, {most + 1})", _var_type=str).guess_type()
