"""Servers that models may come from: where they are, and the key that one of them wants."""

import reflex as rx

from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.pieces import notice
from deeptrust.ui.state.offers import OffersState
from deeptrust.ui.state.servers import ServersState

_GOES_THERE = "Questions, and the passages they need, go to this address. Emptied, it is forgotten."


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
    line = _line(ServersState.is_ollama_away, ServersState.ollama)
    return rx.fragment(
        rx.el.h3("Ollama"),
        rx.cond(
            ServersState.is_ollama_fixed,
            rx.fragment(line, _set_by("DEEPTRUST_OLLAMA_URL")),
            rx.fragment(line, _form("ollama_url", "Address of Ollama", ServersState.ollama, _GOES_THERE)),
        ),
        _problem("ollama"),
    )


def _endpoint() -> rx.Component:
    has_address = ServersState.endpoint != ""
    line = rx.cond(has_address, _line(ServersState.is_endpoint_away, ServersState.endpoint))
    return rx.fragment(
        rx.el.h3("OpenAI-compatible server"),
        rx.cond(
            ServersState.is_endpoint_fixed,
            rx.fragment(line, _set_by("DEEPTRUST_ENDPOINT_URL")),
            rx.fragment(
                line,
                _form(
                    "endpoint_url",
                    "Base address, usually ending in /v1",
                    ServersState.endpoint,
                    _GOES_THERE + " A key that is kept belongs to one address: another one deletes it.",
                ),
            ),
        ),
        rx.cond(has_address, rx.fragment(_model(), _key())),
        _problem("endpoint"),
    )


def _model() -> rx.Component:
    return rx.cond(
        ServersState.is_model_fixed,
        rx.fragment(
            rx.el.p("Model: ", ServersState.endpoint_model, class_name="server-line"),
            _set_by("DEEPTRUST_ENDPOINT_MODEL"),
        ),
        _form(
            "endpoint_model",
            "Model, if the server keeps no list or omits it",
            ServersState.endpoint_model,
            "“Say hello” above shows whether the server knows it.",
        ),
    )


def _form(name: str, label: str, value: rx.Var[str], hint: str) -> rx.Component:
    """A text that is kept in the home; emptied, it is forgotten."""
    return rx.el.form(
        rx.el.label(label, html_for=name),
        rx.el.div(
            rx.el.input(
                id=name,
                name=name,
                type="text",
                default_value=value,
                key=value,  # a new one is shown anew
                class_name="field",
                custom_attrs={"autocomplete": "off", "spellcheck": "false", "aria-describedby": f"{name}-hint"},
            ),
            rx.el.button(
                "Keep", rx.el.span(": ", label, class_name="visually-hidden"), type="submit", class_name="button"
            ),
            class_name="inline-form",
        ),
        rx.el.p(hint, id=f"{name}-hint", class_name="small dim"),
        class_name="stack wide",
        on_submit=ServersState.keep,
        custom_attrs={"aria-label": label},
    )


def _problem(server: str) -> rx.Component:
    return rx.cond(ServersState.failed == server, notice(ServersState.problem))


def _line(is_away: rx.Var[bool], address: rx.Var[str]) -> rx.Component:
    return rx.el.p(_where(is_away), rx.el.span(address, class_name="address"), class_name="server-line")


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
