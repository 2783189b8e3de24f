"""What every test may ask for."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real corpora beside the project; absent on a newcomer's machine, required in CI."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail("CI needs the shared data folder beside the project.")
        pytest.skip("the shared data folder is not beside this checkout")
    return folder
