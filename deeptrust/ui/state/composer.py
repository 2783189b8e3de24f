"""What the composer is set to: its mode, and what a research run may reach."""

import reflex as rx

from deeptrust.domain.run import RunKind, Sources
from deeptrust.services import current_services


class ComposerState(rx.State):
    """Both choices are remembered by the browser; whatever it sends back is read again here (K28)."""

    mode: str = rx.LocalStorage(RunKind.ASK.value, name="deeptrust-mode")
    reach: str = rx.LocalStorage(Sources.DOCUMENTS.value, name="deeptrust-reach")
    is_offline: bool = False
    engine: str = "DuckDuckGo"

    @rx.event
    def refresh(self):
        settings = current_services().settings
        self.is_offline = settings.offline
        self.engine = "Google" if settings.google_cse_api_key and settings.google_cse_cx else "DuckDuckGo"

    @rx.event
    def choose(self, mode: str):
        if mode in (RunKind.ASK.value, RunKind.RESEARCH.value):
            self.mode = mode

    @rx.event
    def switch_reach(self):
        """Allow web search, or take it back."""
        is_web = self._sources() is Sources.DOCUMENTS_AND_WEB
        self.reach = (Sources.DOCUMENTS if is_web else Sources.DOCUMENTS_AND_WEB).value

    def _kind(self) -> RunKind:
        return RunKind.RESEARCH if self.mode == RunKind.RESEARCH.value else RunKind.ASK

    def _sources(self) -> Sources:
        """The web only in Research, where it was switched on and the server is not offline."""
        is_web = self.reach == Sources.DOCUMENTS_AND_WEB.value and not current_services().settings.offline
        return Sources.DOCUMENTS_AND_WEB if is_web and self._kind() is RunKind.RESEARCH else Sources.DOCUMENTS

    def _allow(self, sources: Sources | None):
        """Set what a chip asks for; None leaves it as it is."""
        self.reach = sources.value if sources else self.reach
