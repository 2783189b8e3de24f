"""Small pieces that several pages show."""

from typing import Any

import reflex as rx

from deeptrust.ui.components.icons import icon


def notice(problem: rx.Var, **props) -> rx.Component:
    """A sentence that says what went wrong and how to mend it; nothing while there is none."""
    return rx.cond(problem != "", rx.el.p(icon("triangle-alert"), problem, class_name="notice bad", **props))


def shimmer(word: str) -> rx.Component:
    return rx.el.div(rx.el.p(word, class_name="visually-hidden"), bars())


def bars(**props) -> rx.Component:
    """Three lines that pulse where a text will stand."""
    return rx.el.div(*[rx.el.i() for _ in range(3)], class_name="shimmer", **props)


def address_form(name: str, label: str, button: str, title: str, on_submit: Any, problem: Any = None) -> rx.Component:
    """One line for an address and its button; `name` is unique on the page, and the field's name in the form."""
    return rx.el.form(
        rx.el.label(label, html_for=name),
        rx.el.div(
            rx.el.input(
                id=name,
                name=name,
                class_name="field",
                type="text",
                placeholder="https://",
                custom_attrs={"inputmode": "url", "autocomplete": "off"},
            ),
            rx.el.button(button, type="submit", class_name="button"),
            class_name="inline-form",
        ),
        rx.fragment() if problem is None else notice(problem),
        class_name="address-form",
        on_submit=on_submit,
        custom_attrs={"aria-label": title},
    )


def text_of(box: str, most: int) -> rx.Var:
    """What stands in the text box with the id `box`, read at the moment of a click; one over `most` tells of more."""
    return rx.Var(f"document.getElementById('{box}').value.slice(0, {most + 1})", _var_type=str).guess_type()
