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
    context_tokens: int
    window_bytes_per_token: int
    """Keys and values that attention keeps for one token: layers x KV heads x head size x 2 x 2 bytes."""
    licence: str
    description: str
    thinks: bool = False
    """Whether it was trained to think aloud before it answers."""

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


CATALOGUE = (
    CataloguedModel(
        id="smollm2-360m",
        name="SmolLM2-360M-Instruct",
        file=HubFile(
            repository="HuggingFaceTB/SmolLM2-360M-Instruct-GGUF",
            revision="593b5a2e04c8f3e4ee880263f93e0bd2901ad47f",
            name="smollm2-360m-instruct-q8_0.gguf",
            size_bytes=386_404_992,
            sha256="48ab3034d0dd401fbc721eb1df3217902fee7dab9078992d66431f09b7750201",
        ),
        parameters=0.36e9,
        context_tokens=8192,
        window_bytes_per_token=40_960,
        licence="Apache-2.0",
        description="Fast, basic.",
    ),
    CataloguedModel(
        id="smollm2-1.7b",
        name="SmolLM2-1.7B-Instruct",
        file=HubFile(
            repository="HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF",
            revision="2d4a76a30b4af41ecd395c35725ac11688d4cfe4",
            name="smollm2-1.7b-instruct-q4_k_m.gguf",
            size_bytes=1_055_609_536,
            sha256="decd2598bc2c8ed08c19adc3c8fdd461ee19ed5708679d1c54ef54a5a30d4f33",
        ),
        parameters=1.7e9,
        context_tokens=8192,
        window_bytes_per_token=196_608,
        licence="Apache-2.0",
        description="Moderate speed, better English.",
    ),
    CataloguedModel(
        id="qwen3-0.6b",
        name="Qwen3-0.6B",
        file=HubFile(
            repository="Qwen/Qwen3-0.6B-GGUF",
            revision="23749fefcc72300e3a2ad315e1317431b06b590a",
            name="Qwen3-0.6B-Q8_0.gguf",
            size_bytes=639_446_688,
            sha256="9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031",
        ),
        parameters=0.6e9,
        context_tokens=8192,
        window_bytes_per_token=114_688,
        licence="Apache-2.0",
        description="Fast, basic, many languages.",
        thinks=True,
    ),
    CataloguedModel(
        id="qwen3-1.7b",
        name="Qwen3-1.7B",
        file=HubFile(
            repository="Qwen/Qwen3-1.7B-GGUF",
            revision="90862c4b9d2787eaed51d12237eafdfe7c5f6077",
            name="Qwen3-1.7B-Q8_0.gguf",
            size_bytes=1_834_426_016,
            sha256="061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a",
        ),
        parameters=1.7e9,
        context_tokens=8192,
        window_bytes_per_token=114_688,
        licence="Apache-2.0",
        description="Moderate speed, many languages.",
        thinks=True,
    ),
    CataloguedModel(
        id="qwen3-4b",
        name="Qwen3-4B",
        file=HubFile(
            repository="Qwen/Qwen3-4B-GGUF",
            revision="bc640142c66e1fdd12af0bd68f40445458f3869b",
            name="Qwen3-4B-Q4_K_M.gguf",
            size_bytes=2_497_280_256,
            sha256="7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5",
        ),
        parameters=4e9,
        context_tokens=8192,
        window_bytes_per_token=147_456,
        licence="Apache-2.0",
        description="Slow without a graphics card, good, many languages.",
        thinks=True,
    ),
    CataloguedModel(
        id="qwen3-8b",
        name="Qwen3-8B",
        file=HubFile(
            repository="Qwen/Qwen3-8B-GGUF",
            revision="7c41481f57cb95916b40956ab2f0b139b296d974",
            name="Qwen3-8B-Q4_K_M.gguf",
            size_bytes=5_027_783_488,
            sha256="d98cdcbd03e17ce47681435b5150e34c1417f50b5c0019dd560e4882c5745785",
        ),
        parameters=8.2e9,
        context_tokens=8192,
        window_bytes_per_token=147_456,
        licence="Apache-2.0",
        description="Very slow without a graphics card, the best of this list.",
        thinks=True,
    ),
)
"""Hashes are those that the hub publishes for these files; each was found in two public projects or more that pin
the same file, independently of each other."""
