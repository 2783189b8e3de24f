"""What every test may ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Neither the speed of the machine nor chance decides whether a test passes. New examples: HYPOTHESIS_PROFILE=default.
settings.register_profile(
    "steady", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real corpora beside the project; absent on a newcomer's machine, required in CI."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail("CI needs the shared data folder beside the project.")
        pytest.skip("the shared data folder is not beside this checkout")
    return folder
