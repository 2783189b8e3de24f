"""Several calls may be refused at the same time; each kind of request is given up once."""

import httpx2
from openai import BadRequestError

from deeptrust.llm.dialect import Dialect
from deeptrust.llm.reply import ChatRequest

ASK = ChatRequest((), schema={"type": "object"})


def refusal() -> BadRequestError:
    response = httpx2.Response(400, request=httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions"))
    return BadRequestError("response_format is not supported", response=response, body=None)


def phrase(dialect: Dialect) -> dict[str, object]:
    return dialect.phrase(ASK, "model", 10, 0.7)


def test_four_refusals_at_once_take_one_format_away():
    dialect = Dialect()
    bodies = [phrase(dialect) for _ in range(4)]
    assert all(dialect.learn(refusal(), body) for body in bodies)
    assert phrase(dialect)["response_format"] == {"type": "json_object"}


def test_the_last_way_to_ask_is_without_a_format():
    dialect = Dialect()
    for kind in ("json_schema", "json_object"):
        body = phrase(dialect)
        assert body["response_format"]["type"] == kind  # pyright: ignore[reportIndexIssue]
        assert dialect.learn(refusal(), body)
    body = phrase(dialect)
    assert "response_format" not in body
    assert not dialect.learn(refusal(), body)
