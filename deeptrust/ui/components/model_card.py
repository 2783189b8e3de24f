"""The model pill, always in sight, and the card that it opens."""

import reflex as rx
from reflex_components_core.react_router.dom import ReactRouterLink

from deeptrust.domain.chat import ModelPhase
from deeptrust.ui.addresses import SETTINGS
from deeptrust.ui.components.answers_choice import answers_choice
from deeptrust.ui.components.dialog import dialog
from deeptrust.ui.components.icons import icon
from deeptrust.ui.components.place import SEARCH_PLACE
from deeptrust.ui.state.model import ModelState

_PERCENT = ModelState.progress.to_string() + " %"
_PHASE_WORDS = (
    (ModelPhase.READY.value, "ready"),
    (ModelPhase.LOADING.value, rx.cond(ModelState.progress < 100, "loading " + _PERCENT, "at work")),
    (ModelPhase.DOWNLOADING.value, "downloading " + _PERCENT),
    (ModelPhase.FAILED.value, "failed"),
    "not loaded",
)


def model_pill() -> rx.Component:
    """Says which model, whether it runs here or leaves the machine, and its state."""
    return rx.el.button(
        rx.el.b(rx.cond(ModelState.is_present, ModelState.name, "Quotes only")),
        rx.el.span(
            _where_icon(),
            rx.cond(
                ModelState.is_present,
                rx.fragment(_where(), ", ", _phase()),
                "on this machine",
            ),
            class_name=rx.cond(ModelState.reaches_network, "where away", "where"),
        ),
        rx.cond(ModelState.download != "", rx.el.span(icon("download", 14), ModelState.download)),
        type="button",
        class_name="model",
        title="Model and answers",
        custom_attrs={"data-opens": "model-card", "aria-haspopup": "dialog"},
    )


def model_card() -> rx.Component:
    return dialog(
        "model-card",
        "Model and answers",
        rx.cond(
            ModelState.is_present,
            _model(),
            rx.el.p("No chat model is in use. Answers quote your documents, word for word.", class_name="quiet-note"),
        ),
        rx.cond(
            ModelState.is_present,
            rx.el.div(rx.el.h3("Answers", id="answers-label"), answers_choice("answers-label"), class_name="choice"),
        ),
        rx.el.dl(
            rx.el.dt("Search model"),
            rx.el.dd(ModelState.embedder, SEARCH_PLACE),
            class_name="facts",
        ),
        ReactRouterLink.create(
            icon("settings-2"),
            "Choose another model",
            to=SETTINGS,
            class_name="button",
            style={"justify-self": "start"},
            custom_attrs={"data-closes-dialog": "", "data-closes-drawer": ""},
        ),
    )


def _where() -> rx.Var:
    return rx.cond(ModelState.reaches_network, "leaves this machine", "on this machine")


def _where_icon() -> rx.Component:
    return rx.cond(ModelState.reaches_network, icon("globe", 14), icon("laptop", 14))


def _phase() -> rx.Var | rx.Component:
    return rx.match(ModelState.phase, *_PHASE_WORDS)


def _model() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.h3(ModelState.name),
            rx.el.p(_where_icon(), _where(), class_name="meta", style={"align-items": "center", "gap": "6px"}),
        ),
        rx.match(
            ModelState.phase,
            (
                ModelPhase.READY.value,
                rx.el.span(icon("check", 14), "Ready", class_name="pill ok", style={"justify-self": "start"}),
            ),
            (ModelPhase.LOADING.value, _loading()),
            (ModelPhase.FAILED.value, _failed()),
            _load_button("Load model"),
        ),
        style={"display": "grid", "gap": "12px"},
    )


def _loading() -> rx.Component:
    """A server's model loads unseen, or reads a long prompt: then a sentence says so, and no bar."""
    return rx.cond(
        ModelState.message != "",
        rx.el.p(ModelState.message, class_name="small dim"),
        rx.el.div(
            rx.el.p("Loading, " + _PERCENT, class_name="small dim"),
            progress_bar(ModelState.progress, "Loading the model"),
            style={"display": "grid", "gap": "6px"},
        ),
    )


def _failed() -> rx.Component:
    return rx.el.div(
        rx.el.p(icon("triangle-alert"), ModelState.message, class_name="notice bad"),
        _load_button("Try again"),
        style={"display": "grid", "gap": "10px", "justify-items": "start"},
    )


def _load_button(label: str) -> rx.Component:
    return rx.el.button(
        icon("download"),
        label,
        type="button",
        class_name="button go",
        style={"justify-self": "start"},
        on_click=ModelState.load,
    )


def progress_bar(percent: rx.Var, label: str | rx.Var) -> rx.Component:
    return rx.el.div(
        rx.el.div(class_name="bar-fill", style={"width": percent.to_string() + "%"}),
        class_name="bar-track",
        custom_attrs={
            "role": "progressbar",
            "aria-label": label,
            "aria-valuemin": "0",
            "aria-valuemax": "100",
            "aria-valuenow": percent.to_string(),
        },
    )
