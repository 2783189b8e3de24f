"""Sixty hostile texts in every place that renders Markdown, in a real browser (UI-01, UI-02)."""

import asyncio
import re
from collections.abc import AsyncGenerator, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from deeptrust.database.engine import Database
from deeptrust.domain.answer import AnswerDetail, Citation, Claim, GroundedAnswer, Verdict
from deeptrust.domain.run import (
    AnswerReady,
    EventBody,
    Evidence,
    ReasoningEntry,
    RunKind,
    RunRequest,
    RunStatus,
    StatusChanged,
)
from deeptrust.identity.users import find_local_user
from deeptrust.runs.runner import Runner
from tests.e2e.payloads import MARKDOWN, PAYLOADS, TOKENS
from tests.e2e.study import add_job, ask_job
from tests.e2e.workspace import ask, document, last_turn, open_workspace, text_file, upload
from tests.live import LiveServer, live_server

pytestmark = pytest.mark.thorough

_TITLE = PAYLOADS[0]
_GATES = "alder birch cedar elder hazel holly larch maple olive poplar rowan willow".split()
"""A word for each line, so that each question has one answer."""


class _Says:
    """A producer whose every answer is hostile, in the text and in all that stands round it."""

    async def start(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody]:
        yield StatusChanged(status=RunStatus.THINKING)
        yield ReasoningEntry(node=PAYLOADS[1], summary=MARKDOWN, status=RunStatus.THINKING)
        cited = Citation(
            number=1,
            passage_id="p1",
            title=_TITLE,
            page=1,
            section=PAYLOADS[2],
            url="javascript:window.__x=1",
            quote=PAYLOADS[3],
            snippet=PAYLOADS[4],
            score=0.9,
        )
        partly = Claim(text=PAYLOADS[32], verdict=Verdict.PARTIAL, reason=f'"{PAYLOADS[7]}')
        answer = GroundedAnswer(
            text=f"{MARKDOWN}\n\nCited [1].",
            grounded=True,
            citations=(cited,),
            guidance=PAYLOADS[5],
            model=PAYLOADS[8],
            embedder="hashing",
        )
        yield AnswerReady(detail=AnswerDetail(answer=answer, claims=(partly,), not_found=(PAYLOADS[6],)))
        yield StatusChanged(status=RunStatus.COMPLETE, evidence=Evidence.FOUND)


async def _plant(home: Path) -> None:
    """Leave a finished ask and a finished report in the log, as if a model had got past every check."""
    database = Database(home / "deeptrust.sqlite")
    await database.open()
    owner = await find_local_user(database)
    runner = Runner(database, {RunKind.ASK: _Says(), RunKind.RESEARCH: _Says()}, 8000)
    for kind in RunKind:
        run_id = await runner.start(owner, RunRequest(kind=kind, question=f"{kind} {PAYLOADS[0]}"))
        async for _ in runner.history.follow(owner, run_id):
            pass
    await runner.close()
    await database.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    """A home with two planted runs; answers are revealed word by word."""
    home = tmp_path_factory.mktemp("home")
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright's loop runs in this thread
        elsewhere.submit(asyncio.run, _plant(home)).result()
    settings = {"chat_model": "none", "offline": "true", "word_milliseconds": "10"}
    with live_server(home, settings) as running:
        yield running


@pytest.fixture
def requests(page: Page) -> list[str]:
    """The addresses that the page asks for."""
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    return seen


def expect_harmless(page: Page, requests: list[str], origin: str) -> None:
    """Nothing ran, nothing was loaded from elsewhere, and no link leads away."""
    assert page.evaluate("window.__x") is None
    assert [url for url in requests if not url.startswith((origin, "data:", "blob:"))] == []
    assert page.locator("main img, main iframe, main object, main embed, main video, .panel img").count() == 0
    inside = page.locator(".prose a, .evidence a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert [href for href in inside if href and not re.match(r"(/|/study/\w+)?#[cs]-", href)] == []


def hidden_tokens(text: str) -> list[str]:
    return [token for token in TOKENS if token not in text]


@pytest.mark.parametrize("kind", list(RunKind))
def test_ui_01_sixty_payloads_in_a_finished_answer_stay_text(
    page: Page, server: LiveServer, requests: list[str], kind: RunKind
):
    open_workspace(page)
    page.locator(".run").filter(has_text=f"{kind.value} <img").first.click()
    prose = last_turn(page).locator(".prose").first
    expect(prose).to_contain_text(TOKENS[-1])
    assert hidden_tokens(prose.inner_text()) == []
    page.get_by_role("link", name=re.compile("^Source 1, ")).first.hover()
    page.get_by_role("tab", name="Trace").click()
    expect(page.get_by_role("tabpanel", name="Trace")).to_contain_text(TOKENS[-1])
    page.keyboard.press("Tab")
    expect_harmless(page, requests, server.url)


def test_ui_01_sixty_payloads_in_a_growing_answer_and_its_evidence_stay_text(
    page: Page, server: LiveServer, requests: list[str]
):
    groups = zip(_GATES, (PAYLOADS[start : start + 5] for start in range(0, len(PAYLOADS), 5)), strict=True)
    lines = [f"The sign at the {gate} gate reads {' and '.join(group)} in red." for gate, group in groups]
    open_workspace(page)
    upload(page, text_file(f"{_TITLE}.txt", "\n\n".join(lines)))
    expect(document(page, "onerror")).to_contain_text("passage")
    shown = ""
    for number, gate in enumerate(_GATES, start=1):
        ask(page, f"What does the sign at the {gate} gate read?")
        expect(page.locator(".turn")).to_have_count(number)
        expect(last_turn(page)).to_have_attribute("data-phase", re.compile("done|nothing_found"))
        shown += last_turn(page).inner_text()
    assert hidden_tokens(shown) == []
    page.get_by_role("link", name="Source 1, show evidence").last.click()
    expect(page.locator("#quote")).to_be_visible()
    expect_harmless(page, requests, server.url)


def test_ui_01_sixty_payloads_in_a_prep_pack_and_in_what_is_asked_of_it_stay_text(
    page: Page, server: LiveServer, requests: list[str]
):
    add_job(page, f"# Night Nurse\n\nCompany: {_TITLE}\n\n## Requirements\n\n{MARKDOWN}")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("textbox", name="Markdown of this document").fill(f"# Pack\n\n{MARKDOWN}")
    page.get_by_role("button", name="Save").click()
    prose = page.locator(".prose").filter(has_text=TOKENS[-1]).first
    expect(prose).to_be_visible()
    assert hidden_tokens(prose.inner_text()) == []
    ask_job(page, f"What does the nurse need? {_TITLE}")
    ended = re.compile("grounded|refused|no|fail")
    expect(page.locator(".reply").last).to_have_attribute("data-phase", ended)
    expect_harmless(page, requests, server.url)
