from pathlib import Path

import numpy as np
import pytest

from deeptrust.embedding.minilm import MiniLmEmbedder, find_model, find_tokenizer
from deeptrust.errors import ModelUnavailable

pytestmark = pytest.mark.models


async def test_the_pooling_reproduces_the_published_similarity():
    embedder = MiniLmEmbedder()
    eating, bread = await embedder.embed(["A man is eating food.", "A man is eating a piece of bread."])
    assert float(eating @ bread) == pytest.approx(0.753, abs=0.01)
    await embedder.close()


@pytest.mark.parametrize(
    ("filler", "mention"),
    [
        ("The river was calm and the boats lay still in the harbour all day. ", "The zebrafish was found."),
        ("Der Fluss war ruhig und die Boote lagen den ganzen Tag still im Hafen. ", "Der Zebrafisch wurde gefunden."),
    ],
)
async def test_ret_04_the_tail_of_a_passage_is_in_its_vector(filler: str, mention: str):
    embedder = MiniLmEmbedder()
    text = (filler * 20)[: 780 - len(mention)] + " " + mention
    assert 128 < embedder.count_tokens([text])[0] <= embedder.max_tokens
    whole, headless = await embedder.embed([text, text.removesuffix(mention)])
    assert float(whole @ headless) < 0.999
    await embedder.close()


@pytest.mark.parametrize("damage", ["cut", "flip", "gone"])
async def test_llm_16_a_damaged_model_is_refused_with_the_fix(tmp_path: Path, damage: str):
    data = bytearray(find_model().read_bytes())
    path = tmp_path / "model.onnx"
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    if damage == "flip":
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    embedder = MiniLmEmbedder(model=path)
    with pytest.raises(ModelUnavailable, match=r"make setup"):
        await embedder.embed(["text"])
    with pytest.raises(ModelUnavailable, match=r"make setup"):
        await embedder.embed_question("question")
    await embedder.close()


def test_llm_16_a_damaged_tokenizer_is_refused(tmp_path: Path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(find_tokenizer().read_bytes()[:-1])
    with pytest.raises(ModelUnavailable, match=r"tokenizer.json is damaged"):
        MiniLmEmbedder(tokenizer=path).count_tokens(["text"])


async def test_question_and_passage_share_one_space():
    embedder = MiniLmEmbedder()
    passage = (await embedder.embed(["Cats purr."]))[0]
    assert np.allclose(passage, await embedder.embed_question("Cats purr."), atol=1e-6)
    await embedder.close()


@pytest.mark.parametrize("text", ["ﾃｽﾄ", "สัญญาเริ่มต้น", "x" * 120])
async def test_ret_18_a_question_without_a_known_word_is_near_to_nothing(text: str):
    embedder = MiniLmEmbedder()
    other = (await embedder.embed(["កិច្ចសន្យាចាប់ផ្តើម", "y" * 120])) @ await embedder.embed_question(text)
    assert np.abs(other).max() < 0.3
    await embedder.close()
