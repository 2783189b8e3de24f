"""The Claude command line program, if it is installed."""

from deeptrust.domain.model import Backend, ModelOffer
from deeptrust.errors import DeepTrustError
from deeptrust.llm.base import ChatModel
from deeptrust.llm.claude_cli import ClaudeCli
from deeptrust.llm.downloads import Work
from deeptrust.llm.sources.base import forbid_offline
from deeptrust.settings import Settings

CLAUDE = "claude"


class ClaudeSource:
    """One model, signed in by the person. Looking for it runs nothing."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._problem = "Not looked for yet."

    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`."""
        return [
            ModelOffer(
                id=CLAUDE,
                name="Claude CLI",
                backend=Backend.CLAUDE,
                reaches_network=True,
                is_ready=not self._problem,
                writes=True,
                description="Anthropic's model, through the program and the account on this machine.",
                message=self._problem,
            )
        ]

    async def refresh(self) -> None:
        """See `ModelSource`."""
        self._problem = forbid_offline(self._settings, reaches_network=True)
        if self._problem:
            return
        try:
            await self._make().load()
            self._problem = ""
        except DeepTrustError as error:
            self._problem = str(error)

    def build(self, model_id: str) -> ChatModel | None:
        """See `ModelSource`."""
        return self._make() if self.knows(model_id) else None

    def knows(self, model_id: str) -> bool:
        """See `ModelSource`."""
        return model_id == CLAUDE

    def download(self, model_id: str) -> Work | None:
        """There is nothing to download."""
        return None

    def _make(self) -> ClaudeCli:
        return ClaudeCli(self._settings.claude_command, seconds=self._settings.claude_seconds)
