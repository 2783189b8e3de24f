"""What models really write, as one table: each odd reply has one outcome, whichever backend brings it (LLM rows)."""

import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from deeptrust.agent.asking import Asked, ask_model
from deeptrust.agent.json_reply import parse_reply
from deeptrust.agent.prompts import FittedPrompt, plan_schema
from deeptrust.domain.chat import FinishReason, Message
from deeptrust.domain.plan import PlanDraft, Tool
from deeptrust.llm.base import ChatModel
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.claude_cli import ClaudeCli
from deeptrust.llm.engine import Engine
from deeptrust.llm.limits import LimitedModel, ReplyLimits
from deeptrust.llm.ollama import OllamaModel
from deeptrust.llm.openai_endpoint import EndpointModel
from deeptrust.llm.reply import Usage
from deeptrust.llm.scripted import ScriptedModel
from deeptrust.llm.weights import SMOLLM2_135M
from tests.llm.fake_claude import FakeClaude, result
from tests.llm.model_server import MODEL, FakeOllama, FakeOpenAi, ModelServer, Say, serving
from tests.waiting import PATIENCE_SECONDS

STEP = {"tool": "knowledge_search", "input": "fines for fires on the quay", "rationale": "What is forbidden there."}
PLAN = json.dumps({"objective": "Rules of the quay", "steps": [STEP]})
OTHER = json.dumps({"objective": "Rules of the harbour", "steps": [STEP]})
GOOD = json.dumps({"objective": "Mended", "steps": [STEP]})
STEPS = json.dumps([STEP])

NOTHING = "The model gave no answer"


@dataclass(frozen=True)
class Odd:
    """An odd reply. Either a plan with this objective is read from it, or this fault is found in it."""

    name: str
    text: str
    objective: str = ""
    fault: str = ""

    @property
    def is_empty(self) -> bool:
        return self.fault == NOTHING


def with_objective(value: str) -> str:
    """A plan whose objective is this piece of JSON."""
    return f'{{"objective": {value}, "steps": {STEPS}}}'


def with_steps(value: str) -> str:
    """A plan whose steps are this piece of JSON."""
    return f'{{"objective": "Rules of the quay", "steps": {value}}}'


QUAY = "Rules of the quay"
READ = [
    Odd("LLM-01 thinking before it", f'<think>maybe {{"a":1}}</think>{PLAN}', QUAY),
    Odd("thinking under another name", f"<REASONING>hm {{}}</REASONING>\n\n{PLAN}", QUAY),
    Odd("thinking in thinking", f"<think>a <think>{OTHER}</think> b</think> {PLAN}", QUAY),
    Odd("thinking that was opened in the prompt", f"I could plan {OTHER} but no.</think>{PLAN}", QUAY),
    Odd("thinking twice", f"<think>a</think> {PLAN} <think>was that all? {OTHER}</think>", QUAY),
    Odd("a plan, then thinking without end", f"{PLAN} <think>but then {OTHER}", QUAY),
    Odd("fenced as JSON", f"```json\n{PLAN}\n```", QUAY),
    Odd("fenced without a name", f"Here it is:\n```\n{PLAN}\n```\nGood luck!", QUAY),
    Odd("fence that is never closed", f"```json\n{PLAN}", QUAY),
    Odd("prose around", f"Sure! Here is the plan: {PLAN} Tell me if you want more.", QUAY),
    Odd("LLM-03 braces in the prose", f"Use {{curly}}. {PLAN} Done {{ok}}", QUAY),
    Odd("braces in a string", with_objective('"a } b { c"'), "a } b { c"),
    Odd("quotes in a string", with_objective(r'"the \"quay\" }"'), 'the "quay" }'),
    Odd("backslash at the end of a string", with_objective(r'"quay \\"'), "quay \\"),
    Odd("comma before a brace", PLAN[:-1] + ",}", QUAY),
    Odd("comma before a bracket", with_steps(STEPS[:-1] + ", \n ]"), QUAY),
    Odd("comma and bracket in a string stay", with_objective('"fires,] fines,}"'), "fires,] fines,}"),
    Odd("byte order mark", "\ufeff" + PLAN, QUAY),
    Odd("zero byte", PLAN.replace("Rules", "Ru\0les"), QUAY),
    Odd("another object first", f'{{"note": "thinking"}} {PLAN}', QUAY),
    Odd("another object last", f'{PLAN}\n{{"confidence": 0.9}}', QUAY),
    Odd("the same plan twice", f"{PLAN}\n\n{PLAN}", QUAY),
    Odd("wrapped in an object", f'{{"plan": {PLAN}}}', QUAY),
    Odd("line break in a string", with_objective('"Rules\nof the quay"'), "Rules\nof the quay"),
    Odd("spread over lines of another system", json.dumps(json.loads(PLAN), indent=2).replace("\n", "\r\n"), QUAY),
    Odd("escapes for letters", with_objective(r'"R\u00e8gles du quai"'), "Règles du quai"),
    Odd("another script", with_objective('"埠頭の規則"'), "埠頭の規則"),
    Odd("inside tags", f"<answer>{PLAN}</answer>", QUAY),
    Odd("LLM-25 a call of a tool before it", f'<tool_call>{{"name": "run_shell"}}</tool_call>{PLAN}', QUAY),
    Odd("role in front", f"assistant: {PLAN}", QUAY),
]
REFUSED = [
    Odd("LLM-06 nothing", "", fault=NOTHING),
    Odd("LLM-06 spaces", "   ", fault=NOTHING),
    Odd("LLM-06 line breaks", "\n\n\n", fault=NOTHING),
    Odd("LLM-01 thinking that is never closed", f"<think>I might say {PLAN}", fault=NOTHING),
    Odd("nothing but thinking", f"<think>{PLAN}</think>\n", fault=NOTHING),
    Odd("cut off between steps", PLAN[: PLAN.index("rationale")], fault="cut off"),
    Odd("cut off in a string", PLAN[: PLAN.index("quay") + 2], fault="cut off"),
    Odd("cut off behind a fence", f"```json\n{PLAN[:-2]}\n```", fault="cut off"),
    Odd("LLM-04 no outer braces", PLAN[1:-1], fault="outer braces are missing"),
    Odd("single quotes", str(json.loads(PLAN)), fault="double quotes"),
    Odd("keys without quotes", PLAN.replace('"objective"', "objective"), fault="not JSON"),
    Odd("quotes of a word processor", PLAN.replace('"', "\u201d"), fault="no JSON object"),
    Odd("comments", PLAN.replace(', "steps"', ',\n// what to do\n"steps"'), fault="comments are not JSON"),
    Odd("words of Python", with_objective("None"), fault="not JSON"),
    Odd("not a number", with_objective("NaN"), fault="NaN is not JSON"),
    Odd("infinity", with_objective("-Infinity"), fault="Infinity is not JSON"),
    Odd("a key twice", PLAN[:-1] + ', "objective": "Something else"}', fault="a key stands twice"),
    Odd("no comma between keys", PLAN.replace(', "steps"', ' "steps"'), fault="not JSON"),
    Odd("two different plans", f"{PLAN} or {OTHER}", fault="two different answers"),
    Odd("an array in place of the object", STEPS, fault="objective"),
    Odd("steps as a text", with_steps('"search, then read"'), fault="steps"),
    Odd("steps as an object", with_steps(json.dumps(STEP)), fault="steps"),
    Odd("no steps", with_steps("[]"), fault="steps"),
    Odd("number in place of a text", with_steps(json.dumps([STEP | {"input": 5}])), fault="steps.0.input"),
    Odd("blank input", with_steps(json.dumps([STEP | {"input": ""}])), fault="steps.0.input"),
    Odd("unknown tool", with_steps(json.dumps([STEP | {"tool": "run_shell"}])), fault="steps.0.tool"),
    Odd("empty object", "{}", fault="objective"),
    Odd("null", "null", fault="no JSON object"),
    Odd("JSON as a string of JSON", json.dumps(PLAN), fault="not usable"),
    Odd("the schema itself", json.dumps(plan_schema((Tool.KNOWLEDGE_SEARCH,), 3)), fault="not usable"),
    Odd("a web page", "<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>", fault="no JSON object"),
    Odd("LLM-07 one word without end", "the " * 400, fault="no JSON object"),
    Odd("LLM-07 one key without end", '{"objective": "x", ' + '"steps": [], ' * 100, fault="not usable"),
    Odd("a refusal", "I'm sorry, but I can't help with that.", fault="no JSON object"),
    Odd("a list of YAML", "objective: Rules\nsteps:\n  - tool: knowledge_search", fault="no JSON object"),
    Odd("nested without end", '{"a":' * 2000, fault="not usable"),
]


class SpokenEngine(Engine):
    """In the place of llama.cpp: says what it is told to, piece by piece."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.asked = 0

    def generate(self, request: dict[str, object], on_piece: Callable[[str], None], stop: threading.Event) -> Usage:
        self.asked += 1
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        for at in range(0, len(text), 5):
            on_piece(text[at : at + 5])
        return Usage(FinishReason.END, 1, 1)

    def close(self) -> None:
        """Nothing is held."""


class SpokenBundle(BundledModel):
    """The bundled model's own path with another engine; like the downloaded ones that think, it filters."""

    def __init__(self) -> None:
        super().__init__(weights=replace(SMOLLM2_135M, thinks=True))
        self.engine = SpokenEngine()

    def _load_engine(self) -> Engine:
        return self.engine


@dataclass(frozen=True)
class Backend:
    """One backend as it is built for use, what makes it say texts in turn, and how often it was asked."""

    model: ChatModel
    will: Callable[..., None]
    asked: Callable[[], int]


def scripted() -> Backend:
    texts = [""]
    model = ScriptedModel(lambda _: texts.pop(0) if len(texts) > 1 else texts[0])

    def will(*new: str) -> None:
        texts[:] = new

    return Backend(model, will, lambda: len(model.prompts))


def bundled() -> Backend:
    model = SpokenBundle()

    def will(*new: str) -> None:
        model.engine.texts = list(new)

    return Backend(model, will, lambda: model.engine.asked)


def claude(folder: Path) -> Backend:
    program = FakeClaude(folder)
    count = folder / "asked"

    def will(*texts: str) -> None:
        program.will(*texts)
        program.run(Path(program.command).read_text() + f'echo >> "{count}"\n')

    return Backend(
        ClaudeCli(program.command), will, lambda: len(count.read_text().splitlines()) if count.exists() else 0
    )


async def served(server: ModelServer, model: Callable[[str], ChatModel], stack: AsyncExitStack) -> Backend:
    await stack.enter_async_context(serving(server))
    return Backend(model(server.url), lambda *texts: server.will(*map(Say, texts)), lambda: len(server.prompts()))


@pytest.fixture(params=["scripted", "bundled", "ollama", "endpoint", "claude"])
async def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    async with AsyncExitStack() as stack:
        match request.param:
            case "ollama":
                made = await served(FakeOllama(), lambda url: OllamaModel(MODEL, url=url), stack)
            case "endpoint":
                made = await served(FakeOpenAi(), lambda url: EndpointModel(MODEL, url=url), stack)
            case "claude":
                made = claude(tmp_path)
            case "bundled":
                made = bundled()
            case _:
                made = scripted()
        stack.push_async_callback(made.model.close)
        yield replace(made, model=LimitedModel(made.model, ReplyLimits()))


async def ask(backend: Backend, told: list[str | None]) -> Asked[PlanDraft]:
    """Ask for a plan as the thinker does; `told` gets what each prompt says of the reply before it."""

    def write(fault: str | None) -> FittedPrompt:
        told.append(fault)
        return FittedPrompt((Message(role="user", content=fault or "Plan."),), "")

    return await ask_model(
        backend.model,
        write,
        lambda text: parse_reply(text, PlanDraft),
        purpose="plan",
        schema=plan_schema((Tool.KNOWLEDGE_SEARCH,), 3),
        max_tokens=4096,
        timeout_seconds=PATIENCE_SECONDS,
    )


def test_there_are_more_than_forty_odd_replies_and_none_twice() -> None:
    assert len({odd.text for odd in READ + REFUSED}) == len(READ + REFUSED) > 40


@pytest.mark.parametrize("odd", READ, ids=lambda odd: odd.name)
async def test_the_plan_is_read_at_the_first_attempt(backend: Backend, odd: Odd) -> None:
    backend.will(odd.text)
    asked = await ask(backend, [])
    assert asked.found is not None, asked.reason
    assert (asked.found.objective, backend.asked()) == (odd.objective, 1)
    assert [step.input for step in asked.found.steps] == [STEP["input"]]


@pytest.mark.parametrize("odd", REFUSED, ids=lambda odd: odd.name)
async def test_the_fault_is_told_and_mended_or_else_ends_in_the_fallback(backend: Backend, odd: Odd) -> None:
    backend.will(odd.text, GOOD)
    told: list[str | None] = []
    asked = await ask(backend, told)
    assert asked.found is not None, asked.reason
    assert (asked.found.objective, backend.asked()) == ("Mended", 2)
    assert odd.fault in (told[-1] or NOTHING)

    backend.will(odd.text)
    asked = await ask(backend, [])
    assert asked.found is None
    assert backend.asked() == 2 + (2 if odd.is_empty else 3)
    assert ("gave no answer" if odd.is_empty else odd.fault) in asked.reason


@pytest.mark.parametrize("reply", [PLAN, f"<think>hm</think>{PLAN}"])
async def test_a_reply_that_the_filter_of_a_server_emptied_is_asked_for_again(reply: str) -> None:
    async with AsyncExitStack() as stack:
        server = FakeOpenAi()
        made = await served(server, lambda url: EndpointModel(MODEL, url=url), stack)
        stack.push_async_callback(made.model.close)
        server.will(Say("", finish="content_filter"), Say(reply))
        asked = await ask(replace(made, model=LimitedModel(made.model, ReplyLimits())), [])
        assert asked.found is not None
        assert made.asked() == 2


async def test_the_claude_program_may_print_its_result_in_a_list(tmp_path: Path) -> None:
    made = claude(tmp_path)
    FakeClaude(tmp_path).print(f'[{{"type": "system"}}, {result(PLAN)}]')
    assert (await ask(made, [])).found is not None
