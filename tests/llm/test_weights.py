import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from deeptrust.domain.chat import Message, ModelPhase
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.weights import SMOLLM2_135M, locate_weights

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
