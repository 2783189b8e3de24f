import socket
from pathlib import Path

import numpy as np
import pytest

from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.embedding.ollama import OllamaEmbedder
from tests.cli.conftest import Command


def test_a_sound_machine_is_all_well(command: Command):
    ended = command("doctor", "--json")
    parts = {finding["part"]: finding["works"] for finding in ended.json["findings"]}
    assert set(parts) == {"home and documents", "embedder", "chat model", "model servers", "port"}
    assert parts["home and documents"] and parts["embedder"] and parts["chat model"]


def test_a_taken_port_and_a_damaged_store_are_named_with_their_fix(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    command("documents")
    store = next((tmp_path / "home").rglob("deeptrust.sqlite"))
    store.write_bytes(b"no database at all, just words" * 400)
    for suffix in ("-wal", "-shm"):
        store.with_name(store.name + suffix).unlink(missing_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("DEEPTRUST_PORT", str(port))
        ended = command("doctor")
    assert ended.code == 1
    assert "BROKEN home and documents" in ended.stdout
    assert "damaged" in ended.stdout
    assert f"Port {port} is taken" in ended.stdout


def test_an_embedder_elsewhere_is_not_called_on_this_machine(command: Command, monkeypatch: pytest.MonkeyPatch):
    async def embed_question(_: OllamaEmbedder, text: str) -> Vectors:
        return np.ones(DIMENSIONS, np.float32)

    monkeypatch.setattr(OllamaEmbedder, "embed_question", embed_question)
    monkeypatch.setenv("DEEPTRUST_EMBEDDER", "ollama")
    monkeypatch.setenv("DEEPTRUST_OLLAMA_URL", "http://192.0.2.1:11434")  # reserved for examples
    monkeypatch.setenv("DEEPTRUST_CONNECT_SECONDS", "0.1")
    details = {finding["part"]: finding["detail"] for finding in command("doctor", "--json").json["findings"]}
    assert details["embedder"] == "ollama:all-minilm:l6-v2, texts leave this machine to be embedded"
    assert details["home and documents"].endswith("holds 0 documents")
