"""Settings: read once, from the environment or `.env`, and passed down from `services`.

Every key is `DEEPTRUST_` + the field's name in capitals, but for those of Google (D18), the model hub (D22) and
hosting platforms, which have names of their own. `.env.example` lists them all; `python -m scripts.env_example`
writes it.
"""

import difflib
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from deeptrust.errors import BadSetting

PREFIX = "DEEPTRUST_"

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

Answers = Literal["auto", "quoted", "written"]
"""Quote sentences, or let the model write and check each sentence; `auto` trusts only capable models to write."""


class Settings(BaseSettings):
    """All that can be set. Sizes are bytes, times seconds unless the name says otherwise."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_file=".env", extra="ignore", frozen=True)

    home: Path = Field(default=Path("~/.deeptrust"), description="Folder that holds everything of yours.")
    mode: Literal["local", "hosted"] = Field(
        default="local", description="One user on this machine, or (hosted) one user for each browser."
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on; beyond loopback a password is needed.")
    port: int = Field(default=3000, ge=1, le=65535, description="Port to listen on.")
    allowed_hosts: str = Field(
        default="",
        description="More names, with a port that is not the usual one, by which browsers reach it; comma separated.",
    )
    render_host: str = Field(
        default="", validation_alias="RENDER_EXTERNAL_HOSTNAME", description="Set by Render: its name for this server."
    )
    space_host: str = Field(
        default="", validation_alias="SPACE_HOST", description="Set by Hugging Face Spaces: its name for this server."
    )
    offline: bool = Field(default=False, description="Forbid every connection that leaves this machine.")

    password: SecretStr | None = Field(default=None, description="What a browser must give before it sees anything.")
    open_to_everyone_without_password: bool = Field(
        default=False, description="Serve beyond this machine with no password at all; think twice."
    )
    behind_proxy: bool = Field(
        default=False, description="Believe X-Forwarded-For and -Proto; set it only behind a proxy of yours."
    )
    inside_iframe: bool = Field(
        default=False, description="The page is shown inside a page of another site, as in a Hugging Face Space."
    )
    max_documents_per_user: int = Field(default=500, ge=1, description="Documents of one user in hosted mode.")
    max_bytes_per_user: int = Field(
        default=500 * 1024 * 1024, ge=1, description="Bytes on the disk for one user's documents in hosted mode."
    )
    max_runs_per_user: int = Field(default=3, ge=1, description="Runs of one user at once in hosted mode.")

    embedder: Literal["minilm", "hashing", "ollama"] = Field(default="minilm", description="Model behind retrieval.")
    ollama_embedding_model: str = Field(default="all-minilm:l6-v2", description="Used where the embedder is `ollama`.")
    chat_model: str = Field(
        default="auto",
        description="auto, none (quotes only), bundled, scripted, a catalogued id, ollama:NAME, endpoint:NAME, claude.",
    )
    ollama_url: str = Field(default="http://127.0.0.1:11434", description="Where Ollama listens.")
    endpoint_url: str = Field(default="", description="Base address of an OpenAI-compatible server, ending in /v1.")
    endpoint_key: SecretStr | None = Field(default=None, description="Its key, if it wants one.")
    endpoint_model: str = Field(default="", description="A model of that server, if it keeps no list or omits it.")
    claude_command: str = Field(default="claude", description="The Claude command line program.")
    claude_seconds: float = Field(default=120, gt=0, description="Longest time that one reply of it may take.")
    context_tokens: int = Field(
        default=8192, ge=512, description="Window to ask of a model whose own is not known here, in tokens."
    )
    models: Path | None = Field(
        default=None, validation_alias="HF_CACHE_DIR", description="Folder of downloaded models; empty: in the home."
    )
    hub_url: str = Field(
        default="https://huggingface.co", validation_alias="HF_ENDPOINT", description="Hub to download models from."
    )
    hub_token: SecretStr | None = Field(default=None, validation_alias="HF_TOKEN", description="Token for that hub.")
    answers: Answers = Field(default="auto", description="Quote sentences, or let the model write, checked.")
    max_new_tokens: int = Field(default=4096, ge=1, description="Longest reply of a chat model, in tokens.")
    connect_seconds: float = Field(default=5, gt=0, description="Longest time to reach a model's server.")
    first_token_seconds: float = Field(default=300, gt=0, description="Longest wait for a reply to begin.")
    idle_seconds: float = Field(default=60, gt=0, description="Longest silence inside a reply.")
    max_reply_seconds: float = Field(default=600, gt=0, description="Longest time that a reply may take.")
    temperature: float = Field(default=0.7, ge=0, le=2, description="Sampling temperature of a chat model.")

    passages_per_question: int = Field(default=4, ge=1, le=50, description="Passages behind an Ask answer.")
    passages_per_run: int = Field(default=8, ge=1, le=50, description="Passages behind a research run.")
    word_milliseconds: int = Field(default=40, ge=0, le=1000, description="Pace of a streamed answer.")

    duckduckgo_url: str = Field(default="https://html.duckduckgo.com/html/", description="Result pages of DuckDuckGo.")
    wikipedia_url: str = Field(default="https://en.wikipedia.org/w/api.php", description="The API of Wikipedia.")
    google_cse_url: str = Field(
        default="https://www.googleapis.com/customsearch/v1", description="The API of Google's Custom Search."
    )
    google_cse_api_key: SecretStr | None = Field(
        default=None, validation_alias="GOOGLE_CSE_API_KEY", description="With the next one: search by Google as well."
    )
    google_cse_cx: str | None = Field(default=None, validation_alias="GOOGLE_CSE_CX", description="Search engine id.")
    search_seconds: float = Field(default=15, gt=0, description="Longest time that one web search may take.")

    notebooklm_mcp_command: str = Field(default="", description="Command of your MCP server for NotebookLM; none: off.")
    notebooklm_mcp_url: str = Field(default="", description="Or the address where it listens (streamable HTTP).")
    notebooklm_mcp_tools: str = Field(
        default="", description="Its tools, where they are not found by themselves: create=TOOL,add=TOOL,read=TOOL."
    )

    max_question_characters: int = Field(default=8000, ge=1, description="Longest question.")
    max_document_bytes: int = Field(default=50 * 1024 * 1024, ge=1, description="Largest document.")
    max_files_per_upload: int = Field(default=200, ge=1, description="Files that a page may send at once.")
    max_bytes_per_upload: int = Field(
        default=1000 * 1024 * 1024, ge=1, description="Bytes of the files that a page may send at once."
    )
    pdf_password: SecretStr | None = Field(default=None, description="Password for encrypted PDFs (CLI).")

    @property
    def home_folder(self) -> Path:
        """The home as an absolute path, `~` expanded."""
        return self.home.expanduser().absolute()

    @property
    def hosts(self) -> list[str]:
        """Values of the Host header that belong to this server: loopback with its port, then the public names."""
        port = "" if self.port == 80 else f":{self.port}"  # browsers leave the scheme's own port out
        return [name + port for name in _LOOPBACK] + self._public_hosts

    @property
    def origins(self) -> list[str]:
        """Origins of pages that this server sends; a public name may stand behind a proxy that adds TLS."""
        local = [f"http://{host}" for host in self.hosts[: len(_LOOPBACK)]]
        return local + [f"{scheme}://{host}" for host in self._public_hosts for scheme in ("http", "https")]

    @property
    def upload_limit(self) -> str:
        """What is said of an upload that is longer than the two settings allow."""
        return (
            f"At once {self.max_files_per_upload:,} files and {_megabytes(self.max_bytes_per_upload)} can be added. "
            "What came before was read; add the rest in another go."
        )

    @property
    def _public_hosts(self) -> list[str]:
        named = [*self.allowed_hosts.split(","), self.render_host, self.space_host]
        return [name for name in dict.fromkeys(map(_as_host, named)) if name]


def load_settings(**overrides: object) -> Settings:
    """Read the settings; `overrides` (from command line flags) win over environment and `.env`.

    Raises:
        BadSetting: a `DEEPTRUST_*` key is unknown (the nearest known one is named) or a value does not parse.
    """
    _refuse_unknown(os.environ)
    _refuse_unknown({key: value or "" for key, value in dotenv_values(".env").items()})
    try:
        return Settings(**{key: value for key, value in overrides.items() if value is not None})  # pyright: ignore[reportArgumentType]
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        key = name if name.isupper() else PREFIX + name.upper()
        raise BadSetting(f"{key} is not usable: {first['msg']}. See .env.example.") from error


def setting_names() -> dict[str, str]:
    """Return the variable of each setting, and the setting's field."""
    return {str(field.validation_alias or PREFIX + name.upper()): name for name, field in Settings.model_fields.items()}


def _as_host(named: str) -> str:
    """What a browser sends as Host for a name, be it given as an address, with the usual port or in another script."""
    name = named.strip().lower().removeprefix("https://").removeprefix("http://").partition("/")[0]
    name = name.removesuffix(":443").removesuffix(":80") if name.count(":") == 1 else name
    with suppress(UnicodeError):
        return name if name.isascii() else name.encode("idna").decode()
    return name


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.0f} MB" if size >= 2**20 else f"{size:,} bytes"


def _refuse_unknown(values: Mapping[str, str]) -> None:
    known = [name for name in setting_names() if name.startswith(PREFIX)]
    for key in values:
        if key.startswith(PREFIX) and key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0)
            raise BadSetting(f"{key} is not a setting. The nearest known one is {near[0]}.")
