"""How answers are made: quoted, or written by the model and checked."""

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.state.model import AUTO, QUOTED, WRITTEN, ModelState


def answers_choice(label: str) -> rx.Component:
    """Three choices, one of which holds; `label` is the id of the heading that names them."""
    return rx.cond(
        ModelState.is_hosted,
        rx.el.p(icon("lock"), "The operator of this server has chosen how answers are made.", class_name="notice off"),
        _choices(label),
    )


def _choices(label: str) -> rx.Component:
    return rx.el.div(
        _option(AUTO, "Automatic", "Written where the model is good enough for it, else quoted."),
        _option(QUOTED, "Quoted sentences", "Every sentence stands in your documents, word for word."),
        _option(
            WRITTEN, "Written by the model, then checked", "A sentence stays only if the passage it cites bears it out."
        ),
        class_name="choice",
        custom_attrs={"role": "radiogroup", "aria-labelledby": label, "data-list": ""},
    )


def _option(value: str, title: str, meaning: str) -> rx.Component:
    return rx.el.button(
        rx.el.span(class_name="ring"),
        rx.el.span(rx.el.b(title), rx.el.span(meaning, class_name="small dim")),
        type="button",
        class_name="option",
        on_click=ModelState.choose(value),
        custom_attrs={"role": "radio", "aria-checked": rx.cond(ModelState.answers == value, "true", "false")},
    )
