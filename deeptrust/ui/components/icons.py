"""Icons of one set (lucide), sized to the text; they never speak, the word beside them does."""

import reflex as rx


def icon(name: str, size: int = 16) -> rx.Component:
    return rx.icon(name, size=size, stroke_width=1.75, custom_attrs={"aria-hidden": "true"})


def icon_button(name: str, label: str, class_name: str = "", attributes: dict | None = None, **props) -> rx.Component:
    """A button that shows an icon only, and says what it does."""
    return rx.el.button(
        icon(name),
        type="button",
        class_name=f"icon-button {class_name}".strip(),
        title=label,
        custom_attrs={"aria-label": label, **(attributes or {})},
        **props,
    )
