"""The models that can be downloaded: a pinned list, each file at one revision, of one size, with one hash (K19).

Nothing else from a hub is ever opened (LLM-15). Repositories are those of the models' makers.
"""

from dataclasses import dataclass

from deeptrust.llm.hub import HubFile
from deeptrust.llm.weights import Weights
from deeptrust.llm.windows import memory_bytes


@dataclass(frozen=True)
class CataloguedModel:
    """One model of the list. `parameters` counts weights."""

    id: str
    name: str
    file: HubFile
    parameters: float
    window_bytes_per_token: int
    """Keys and values that attention keeps for one token: layers x KV heads x head size x 2 x 2 bytes."""
    description: str
    thinks: bool = False
    """Whether it was trained to think aloud before it answers."""
    context_tokens: int = 8192
    licence: str = "Apache-2.0"

    @property
    def weights(self) -> Weights:
        """The file as the engine takes it."""
        return Weights(
            name=self.name,
            package="",
            file_name=self.file.name,
            sha256=self.file.sha256,
            context_tokens=self.context_tokens,
            window_bytes_per_token=self.window_bytes_per_token,
            thinks=self.thinks,
        )

    @property
    def memory_bytes(self) -> int:
        """What it takes in memory at least, once it is loaded: an estimate."""
        return memory_bytes(self.file.size_bytes, self.weights, windows=1)


def _list(file: HubFile, *, parameters: float, window_bytes_per_token: int, description: str) -> CataloguedModel:
    """A model by the name of its repository, `MAKER/NAME-GGUF`."""
    name = file.repository.rpartition("/")[2].removesuffix("-GGUF")
    return CataloguedModel(
        id=name.lower().removesuffix("-instruct"),
        name=name,
        file=file,
        parameters=parameters,
        window_bytes_per_token=window_bytes_per_token,
        description=description,
        thinks=name.startswith("Qwen3"),
    )


CATALOGUE = (
    _list(
        HubFile(
            "HuggingFaceTB/SmolLM2-360M-Instruct-GGUF",
            "593b5a2e04c8f3e4ee880263f93e0bd2901ad47f",
            "smollm2-360m-instruct-q8_0.gguf",
            386_404_992,
            "48ab3034d0dd401fbc721eb1df3217902fee7dab9078992d66431f09b7750201",
        ),
        parameters=0.36e9,
        window_bytes_per_token=40_960,
        description="Fast, basic.",
    ),
    _list(
        HubFile(
            "HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF",
            "2d4a76a30b4af41ecd395c35725ac11688d4cfe4",
            "smollm2-1.7b-instruct-q4_k_m.gguf",
            1_055_609_536,
            "decd2598bc2c8ed08c19adc3c8fdd461ee19ed5708679d1c54ef54a5a30d4f33",
        ),
        parameters=1.7e9,
        window_bytes_per_token=196_608,
        description="Moderate speed, better English.",
    ),
    _list(
        HubFile(
            "Qwen/Qwen3-0.6B-GGUF",
            "23749fefcc72300e3a2ad315e1317431b06b590a",
            "Qwen3-0.6B-Q8_0.gguf",
            639_446_688,
            "9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031",
        ),
        parameters=0.6e9,
        window_bytes_per_token=114_688,
        description="Fast, basic, many languages.",
    ),
    _list(
        HubFile(
            "Qwen/Qwen3-1.7B-GGUF",
            "90862c4b9d2787eaed51d12237eafdfe7c5f6077",
            "Qwen3-1.7B-Q8_0.gguf",
            1_834_426_016,
            "061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a",
        ),
        parameters=1.7e9,
        window_bytes_per_token=114_688,
        description="Moderate speed, many languages.",
    ),
    _list(
        HubFile(
            "Qwen/Qwen3-4B-GGUF",
            "bc640142c66e1fdd12af0bd68f40445458f3869b",
            "Qwen3-4B-Q4_K_M.gguf",
            2_497_280_256,
            "7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5",
        ),
        parameters=4e9,
        window_bytes_per_token=147_456,
        description="Slow without a graphics card, good, many languages.",
    ),
    _list(
        HubFile(
            "Qwen/Qwen3-8B-GGUF",
            "7c41481f57cb95916b40956ab2f0b139b296d974",
            "Qwen3-8B-Q4_K_M.gguf",
            5_027_783_488,
            "d98cdcbd03e17ce47681435b5150e34c1417f50b5c0019dd560e4882c5745785",
        ),
        parameters=8.2e9,
        window_bytes_per_token=147_456,
        description="Very slow without a graphics card, the best of this list.",
    ),
)
"""Hashes are those that the hub publishes for these files; each was found in two public projects or more that pin
the same file, independently of each other."""
