"""What the settings choose: which embedder, chat models, search engines and limits a process works with."""

from deeptrust.embedding.base import Embedder
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.embedding.ollama import OllamaEmbedder
from deeptrust.errors import BadSetting
from deeptrust.home import HomeFolder
from deeptrust.knowledge.allowance import Allowance
from deeptrust.llm.base import ChatModel
from deeptrust.llm.choice import ChoiceFile
from deeptrust.llm.hub import Hub
from deeptrust.llm.keys import KeyFile
from deeptrust.llm.limits import LimitedModel, ReplyLimits
from deeptrust.llm.selection import ModelSelection
from deeptrust.llm.selector import ModelSelector
from deeptrust.llm.server_settings import ServerSettings
from deeptrust.llm.sources.base import ModelSource
from deeptrust.llm.sources.built_in import BuiltInSource
from deeptrust.llm.sources.claude import ClaudeSource
from deeptrust.llm.sources.downloaded import DownloadedSource
from deeptrust.llm.sources.endpoint import EndpointSource
from deeptrust.llm.sources.ollama import OllamaSource
from deeptrust.network.address import check_address, is_loopback
from deeptrust.search.base import SearchEngine
from deeptrust.search.cooldown import CoolingEngine
from deeptrust.search.duckduckgo import DuckDuckGo
from deeptrust.search.google_cse import GoogleCse
from deeptrust.search.transport import SearchTransport
from deeptrust.search.wikipedia import Wikipedia
from deeptrust.settings import Settings


def choose_allowance(settings: Settings) -> Allowance | None:
    """Return how much each person may keep; on one's own machine the disk is the limit."""
    if settings.mode == "local":
        return None
    return Allowance(settings.max_documents_per_user, settings.max_bytes_per_user)


def choose_embedder(settings: Settings) -> Embedder:
    """Return the embedder that the settings name, not loaded yet.

    Raises:
        BadSetting: the address of Ollama is none, or is beyond this machine while nothing may leave it.
    """
    match settings.embedder:
        case "hashing":
            return HashingEmbedder()
        case "ollama":
            url = check_address(settings.ollama_url, "DEEPTRUST_OLLAMA_URL")
            if settings.offline and not is_loopback(url):
                raise BadSetting("DEEPTRUST_EMBEDDER=ollama sends texts to another machine, which --offline forbids.")
            return OllamaEmbedder(settings.ollama_embedding_model, url=url, connect_seconds=settings.connect_seconds)
        case "minilm":
            return MiniLmEmbedder()


def open_models(settings: Settings, home: HomeFolder, models: ModelSelection) -> ModelSelector:
    """Return the selector of chat models; it has put the one that is chosen into `models`, not loaded yet.

    Raises:
        BadSetting: a setting names no model, or no address.
    """
    choice = ChoiceFile(home.path)
    servers = ServerSettings(settings, choice, KeyFile(home.path))
    hub = Hub(settings.hub_url, settings.hub_token, connect_seconds=settings.connect_seconds)
    sources: list[ModelSource] = [
        BuiltInSource(settings),
        DownloadedSource(settings, home.path, hub),
        OllamaSource(settings, servers),
        EndpointSource(settings, servers),
        ClaudeSource(settings),
    ]

    limits = ReplyLimits(
        first_token_seconds=settings.first_token_seconds,
        idle_seconds=settings.idle_seconds,
        total_seconds=settings.max_reply_seconds,
        max_tokens=settings.max_new_tokens,
    )

    def limit(model: ChatModel) -> ChatModel:
        return LimitedModel(model, limits)

    return ModelSelector(settings, models, sources, choice, servers, limit)


def choose_engines(settings: Settings, transport: SearchTransport) -> list[SearchEngine]:
    """Return the search engines in order of preference; none when nothing may leave the machine.

    Google stands first where both of its variables are set (D18); a key alone is no choice.
    """
    if settings.offline:
        return []
    engines: list[SearchEngine] = [
        DuckDuckGo(transport, settings.duckduckgo_url),
        Wikipedia(transport, settings.wikipedia_url),
    ]
    if settings.google_cse_api_key and settings.google_cse_cx:
        google = GoogleCse(transport, settings.google_cse_api_key, settings.google_cse_cx, settings.google_cse_url)
        engines.insert(0, google)
    return [CoolingEngine(engine) for engine in engines]
