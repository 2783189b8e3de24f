"""The card of keyboard shortcuts."""

import reflex as rx

from deeptrust.ui.components.dialog import dialog

_KEYS = (
    ("/", "Go to the question"),
    ("Enter", "Ask"),
    ("Shift Enter", "Break the line"),
    ("Esc", "Stop, or close what is open"),
    ("↑ ↓", "Move in a list"),
    ("?", "Show these keys"),
)


def keys() -> rx.Component:
    return dialog(
        "keys",
        "Keys",
        rx.el.dl(
            *[part for key, meaning in _KEYS for part in (rx.el.dt(_caps(key)), rx.el.dd(meaning))], class_name="keys"
        ),
    )


def _caps(key: str) -> rx.Component:
    return rx.fragment(*[rx.el.kbd(cap, class_name="kbd", style={"margin-right": "4px"}) for cap in key.split()])
