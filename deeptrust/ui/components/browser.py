"""What only the browser knows, read at the moment of a click.

The rest of the page's own script is `assets/workspace.js`: keys, dialogs, sheet and drawer, tips, scrolling.
"""

import reflex as rx

from deeptrust.ui.state.conversation import ConversationState

MAX_SENT_CHARACTERS = 60_000
"""Longest text that is sent at all: under 256 KB on the wire in any script, far over any question (UI-13)."""

IS_STILL = rx.Var("window.matchMedia('(prefers-reduced-motion: reduce)').matches", _var_type=bool).guess_type()
"""True for a person who asked their system for less motion."""

BOX_TEXT = rx.Var(
    f"document.getElementById('question').value.slice(0, {MAX_SENT_CHARACTERS})", _var_type=str
).guess_type()
"""What stands in the composer."""


def ask():
    """Ask what stands in the composer."""
    return ConversationState.ask(BOX_TEXT, IS_STILL)
