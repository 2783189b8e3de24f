"""Your data: where it is, a token for programs, signing out, deletion. Plain forms: no secret enters a State."""

import reflex as rx
from reflex_components_core.core.banner import has_connection_errors
from reflex_components_core.el.elements.base import BaseHTML

from deeptrust.ui.components.dialog import dialog
from deeptrust.ui.components.icons import icon
from deeptrust.ui.state.admission import AdmissionState


class PlainForm(BaseHTML):
    """A form that the browser sends by itself; Reflex's own keeps the browser from it."""

    tag = "form"


def account() -> rx.Component:
    """The dialogs that `account_button` opens, and the word that stands on a page whose session has ended."""
    return rx.fragment(
        dialog("account", "Your data", _place(), _token(), _sign_out(), _deletion()),
        _confirmation(),
        _ended(),
        _hurried(),
        _cut_off(),
    )


def account_button() -> rx.Component:
    return rx.el.button(
        icon("user-round", 15),
        type="button",
        class_name="icon-button",
        title="Your data",
        custom_attrs={"aria-label": "Your data", "data-opens": "account"},
    )


def _place() -> rx.Component:
    return rx.el.p(
        rx.cond(
            AdmissionState.is_hosted,
            "Your documents and answers are kept on the machine that serves this page, and belong to this browser: "
            "no other browser opens them, and without its cookie you cannot either.",
            "Your documents and answers are kept on the machine that serves this page.",
        )
    )


def _token() -> rx.Component:
    return rx.cond(
        AdmissionState.is_hosted,
        rx.el.div(
            rx.el.p("A program of yours can ask and add documents with a token. A new one replaces the last."),
            rx.el.div(_form("/token", "Make a token"), _form("/token/revoke", "Revoke it"), class_name="actions"),
        ),
    )


def _sign_out() -> rx.Component:
    return rx.cond(
        AdmissionState.has_password,
        rx.el.div(
            _form("/logout", "Sign out"),
            rx.cond(
                AdmissionState.is_hosted,
                rx.fragment(),
                _form(
                    "/logout", "Sign out everywhere", rx.el.input(type="hidden", name="everywhere", default_value="yes")
                ),
            ),
            class_name="actions",
        ),
    )


def _deletion() -> rx.Component:
    return rx.el.div(
        rx.el.button(
            icon("trash-2"),
            "Delete all my data",
            type="button",
            class_name="button danger",
            custom_attrs={"data-opens": "forget"},
        ),
        class_name="actions",
    )


def _confirmation() -> rx.Component:
    return dialog(
        "forget",
        "Delete all your data?",
        rx.el.p("All documents, questions, answers and jobs will be gone for good, and what still runs is stopped."),
        rx.el.div(
            _form("/forget", "Delete everything", class_name="button danger"),
            rx.el.button("Keep it", type="button", class_name="button", custom_attrs={"data-closes-dialog": ""}),
            class_name="actions",
        ),
    )


def _ended() -> rx.Component:
    """The page's script reloads where this stands; the front door then asks for the password, or begins anew."""
    return rx.cond(
        AdmissionState.is_out,
        rx.el.p("This browser was signed out. ", rx.el.a("Reload the page", href="/"), id="signed-out", role="alert"),
    )


def _hurried() -> rx.Component:
    return rx.cond(
        AdmissionState.is_hurried,
        rx.el.p(
            "So much came from this browser at once that it waits its turn. Nothing is lost; give it some seconds.",
            id="hurried",
            role="status",
            class_name="notice warn hurried",
        ),
    )


def _cut_off() -> rx.Component:
    """The page's script looks, where this stands, whether the browser was signed out or the server is away.

    A page that was never let in stays as it is: without cookies it would be loaded again for ever.
    """
    return rx.cond(has_connection_errors & rx.State.is_hydrated, rx.el.span(id="cut-off", hidden=True))


def _form(action: str, word: str, *fields: rx.Component, class_name: str = "button") -> rx.Component:
    return PlainForm.create(
        *fields,
        rx.el.button(word, type="submit", class_name=class_name),
        custom_attrs={"action": action, "method": "post"},
    )
