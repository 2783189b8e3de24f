import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from deeptrust.domain.chat import Message, ModelPhase
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.weights import SMOLLM2_135M, locate_weights
from deeptrust.llm.windows import choose_windows

pytestmark = pytest.mark.models
HELLO = (Message(role="user", content="Hello"),)


@pytest.fixture
def copied_file(tmp_path: Path) -> Path:
    return Path(shutil.copy(locate_weights(SMOLLM2_135M), tmp_path))


async def refusal(model: BundledModel) -> str:
    """What loading and writing both say; the model must not be another one in silence."""
    with pytest.raises(ModelUnavailable) as at_load:
        await model.load()
    assert model.state.phase is ModelPhase.FAILED
    assert model.state.message == str(at_load.value)
    with pytest.raises(ModelUnavailable):
        await model.complete(HELLO)
    await model.close()
    return str(at_load.value)


async def test_llm_16_half_a_file_is_refused(copied_file: Path) -> None:
    with copied_file.open("r+b") as file:
        file.truncate(copied_file.stat().st_size // 2)
    assert "is damaged" in await refusal(BundledModel(file=copied_file))


async def test_llm_16_one_flipped_byte_is_refused(copied_file: Path) -> None:
    with copied_file.open("r+b") as file:
        file.seek(50_000_000)
        byte = file.read(1)[0]
        file.seek(-1, 1)
        file.write(bytes([byte ^ 1]))
    message = await refusal(BundledModel(file=copied_file))
    assert "is damaged" in message
    assert "make setup" in message
    assert str(copied_file.parent) not in message


async def test_missing_package_names_the_fix() -> None:
    absent = replace(SMOLLM2_135M, package="no_such_package_of_models")
    assert "is not installed. Run `make setup`" in await refusal(BundledModel(weights=absent))


async def test_missing_file_names_the_fix(tmp_path: Path) -> None:
    assert "cannot be read. Run `make setup`" in await refusal(BundledModel(file=tmp_path / "none.gguf"))


async def test_a_file_that_was_mended_loads_at_the_next_call(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    model = BundledModel(file=file)
    with pytest.raises(ModelUnavailable):
        await model.load()
    file.symlink_to(locate_weights(SMOLLM2_135M))
    await model.load()
    assert model.state.phase is ModelPhase.READY
    await model.close()


async def test_a_file_that_is_no_model_is_told_as_what_it_is(tmp_path: Path) -> None:
    page = tmp_path / "model.gguf"
    page.write_text("<!doctype html><p>Sign in to download.")
    assert "is no model file (GGUF). Run `make setup`" in await refusal(BundledModel(file=page))
    downloaded = replace(SMOLLM2_135M, package="")
    assert "is no model file (GGUF). Download it again" in await refusal(BundledModel(weights=downloaded, file=page))


async def test_a_model_too_large_for_the_memory_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deeptrust.llm.windows.machine_memory_bytes", lambda: 400_000_000)
    message = await refusal(BundledModel())
    assert message == (
        "SmolLM2-135M-Instruct needs 487 MB of memory, but this machine has 400 MB. Choose a smaller model."
    )


@pytest.mark.parametrize(("machine", "windows"), [(0.6e9, 1), (1.4e9, 2), (16e9, 4)])
def test_replies_at_once_are_as_many_as_half_the_memory_holds(
    machine: float, windows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deeptrust.llm.windows.machine_memory_bytes", lambda: int(machine))
    assert choose_windows(98_000_000, SMOLLM2_135M) == windows


async def test_a_model_that_thinks_aloud_is_told_not_to() -> None:
    loud, plain = BundledModel(weights=replace(SMOLLM2_135M, thinks=True)), BundledModel()
    try:
        marked, bare = await loud.complete(HELLO, max_tokens=2), await plain.complete(HELLO, max_tokens=2)
        assert marked.prompt_tokens - bare.prompt_tokens >= 4
    finally:
        await loud.close()
        await plain.close()
