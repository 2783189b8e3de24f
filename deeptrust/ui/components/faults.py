"""What no handler foresaw: the server does not answer, or failed at something. Said in our words, not in Reflex's."""

import logging

import reflex as rx
from reflex.event import EventSpec

from deeptrust.ui.components.icons import icon

logger = logging.getLogger(__name__)


def tell_fault(exception: Exception) -> EventSpec:
    """Log what a handler failed at, and say so on the page."""
    logger.error("an event of the page failed", exc_info=exception)
    return rx.toast.error(
        "Something went wrong inside DeepTrust. The log says what; reload the page to see how things stand.",
        id="fault",
        position="top-center",
        close_button=True,
        duration=20_000,
    )


@rx.memo
def lost_connection() -> rx.Component:
    """A component of its own, so that a lost connection draws nothing else anew; it goes once there is one again."""
    return rx.connection_banner(
        rx.el.p(
            icon("unplug"),
            "DeepTrust does not answer. Check that it is running; this page goes on by itself once it is.",
            class_name="notice bad lost",
            role="alert",
        )
    )
