"""Servers that models may come from: where they are, and the key that one of them wants."""

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import notice
from deeptrust.ui.state.offers import OffersState
from deeptrust.ui.state.servers import ServersState


def servers() -> rx.Component:
    return rx.cond(
        ServersState.is_hosted,
        rx.fragment(),
        rx.el.section(
            rx.el.div(
                rx.el.h2("Servers"),
                rx.el.button(
                    icon("refresh-cw", 15),
                    rx.cond(OffersState.is_looking, "Looking", "Look again"),
                    type="button",
                    class_name="button",
                    disabled=OffersState.is_looking,
                    on_click=OffersState.look,
                ),
                class_name="section-head",
            ),
            rx.el.div(_ollama(), class_name="card server"),
            rx.el.div(_endpoint(), class_name="card server"),
            class_name="study-section",
        ),
    )


def _ollama() -> rx.Component:
    return rx.fragment(
        rx.el.h3("Ollama"),
        rx.el.p(
            _where(ServersState.is_ollama_away),
            rx.el.span(ServersState.ollama, class_name="address"),
            class_name="server-line",
        ),
        _set_by("DEEPTRUST_OLLAMA_URL"),
    )


def _endpoint() -> rx.Component:
    return rx.fragment(
        rx.el.h3("OpenAI-compatible server"),
        rx.cond(
            ServersState.endpoint != "",
            rx.fragment(
                rx.el.p(
                    _where(ServersState.is_endpoint_away),
                    rx.el.span(ServersState.endpoint, class_name="address"),
                    class_name="server-line",
                ),
                _set_by("DEEPTRUST_ENDPOINT_URL"),
                _key(),
            ),
            rx.el.p(
                "None is set up. Set ",
                rx.el.code("DEEPTRUST_ENDPOINT_URL"),
                " to its base address, which usually ends in /v1, and start DeepTrust again.",
                class_name="small dim",
            ),
        ),
        notice(ServersState.problem),
    )


def _where(is_away: rx.Var[bool]) -> rx.Component:
    return rx.cond(
        is_away,
        rx.el.span(icon("globe", 13), "leaves this machine", class_name="pill warn"),
        rx.el.span(icon("laptop", 13), "on this machine", class_name="pill off"),
    )


def _set_by(name: str) -> rx.Component:
    return rx.el.p("Set by ", rx.el.code(name), "; change it there and start DeepTrust again.", class_name="small dim")


def _key() -> rx.Component:
    from_setting = rx.el.p(
        icon("lock", 14),
        "Its key comes from DEEPTRUST_ENDPOINT_KEY, which wins over one kept here.",
        class_name="working",
    )
    kept = rx.el.div(
        rx.el.p(icon("key-round", 14), "A key is kept.", class_name="working"), _forget(), class_name="section-head"
    )
    return rx.cond(
        ServersState.key_place == "setting",
        from_setting,
        rx.cond(ServersState.key_place == "home", kept, _key_form()),
    )


def _forget() -> rx.Component:
    return rx.el.button("Delete the key", type="button", class_name="button", on_click=ServersState.forget_key)


def _key_form() -> rx.Component:
    """The key goes from the field to its file; no part of the page keeps it."""
    return rx.el.form(
        rx.el.label("Key, if it wants one. It is kept in a file that only you can read.", html_for="endpoint-key"),
        rx.el.div(
            rx.el.input(
                id="endpoint-key",
                name="key",
                type="password",
                class_name="field",
                custom_attrs={"autocomplete": "off", "spellcheck": "false"},
            ),
            rx.el.button("Keep key", type="submit", class_name="button"),
            class_name="inline-form",
        ),
        class_name="stack wide",
        on_submit=ServersState.keep_key,
        custom_attrs={"aria-label": "Key of the server"},
    )
