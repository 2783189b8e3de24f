"""A client that does what people do, in a random order, and writes down each answer that it gets."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx

from chaos.beliefs import Beliefs, DocumentBelief, Presence, RunBelief

AT_ONCE = 4
_SECONDS = 120.0
_PURGE_SHARE = 0.006
_APPROVED_AT_LAST = 60

Known = TypeVar("Known", DocumentBelief, RunBelief)


class Client:
    """Works on one home through its lives. Whatever is cut off leaves the belief in doubt."""

    def __init__(self, seed: int) -> None:
        self.beliefs = Beliefs()
        self.dice = random.Random(seed)  # noqa: S311 - repeatable, not secret
        self.done: Counter[str] = Counter()
        self.refusals: list[str] = []
        self._number = 0
        self._busy: set[str] = set()

    async def work(self, port: int) -> None:
        """Do one thing after the other, with several hands at once, until the server is gone."""
        seats, purge = asyncio.Semaphore(AT_ONCE), asyncio.Lock()
        try:
            async with _client(port) as http, asyncio.TaskGroup() as hands:
                for _ in range(AT_ONCE):
                    hands.create_task(self._work_on(http, seats, purge))
        except* httpx.TransportError:
            pass

    async def _work_on(self, http: httpx.AsyncClient, seats: asyncio.Semaphore, purge: asyncio.Lock) -> None:
        while True:
            if self.beliefs.is_purging or self.dice.random() < _PURGE_SHARE:
                async with purge:  # nothing else is asked for meanwhile, or nobody could say what must be left of it
                    for _ in range(AT_ONCE):
                        await seats.acquire()
                    await self._attempt("purge", self._purge(http))
                    for _ in range(AT_ONCE):
                        seats.release()
            async with seats:
                if not self.beliefs.is_purging:
                    await self._choose(http)

    async def settle(self, port: int) -> list[str]:
        """Let everything end that can; returns the words of runs that neither end nor wait, and what is not served."""
        async with _client(port) as http:
            while self.beliefs.is_purging:
                await self._purge(http)
            stuck = [run.word for run in self._runs(Presence.SURE) if not await self._comes_to_rest(http, run)]
            stuck += [
                run.word for run in self._runs(Presence.SURE)[-_APPROVED_AT_LAST:] if not await self._ends(http, run)
            ]
            served = {document["label"] for document in (await http.get("/api/documents")).json()}
            sure = {document.name for document in self._documents(Presence.SURE)}
            return stuck + sorted(served ^ sure)

    async def _ends(self, http: httpx.AsyncClient, run: RunBelief) -> bool:
        """Say yes to a run if it waits: it must then go on to its end."""
        address = f"/api/research/runs/{run.id}"
        if (await http.get(address)).json()["status"] != "awaiting_approval":
            return True
        await self._decide(http, run)
        return (await http.get(address)).json()["status"] == "complete"

    async def _comes_to_rest(self, http: httpx.AsyncClient, run: RunBelief) -> bool:
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline:
            status = (await http.get(f"/api/research/runs/{run.id}")).json()["status"]
            if status in {"complete", "failed", "rejected", "cancelled", "expired", "awaiting_approval"}:
                return True
            await asyncio.sleep(0.05)
        return False

    def _choose(self, http: httpx.AsyncClient) -> Awaitable[None]:
        name, action = self.dice.choices(
            (
                ("add", self._add),
                ("note", self._note),
                ("ask", self._ask),
                ("research", self._research),
                ("approve", self._approve),
                ("cancel", self._cancel),
                ("remove", self._remove),
                ("delete run", self._delete_run),
            ),
            weights=(24, 6, 8, 16, 22, 4, 6, 5),
        )[0]
        return self._attempt(name, action(http))

    async def _attempt(self, name: str, action: Awaitable[None]) -> None:
        try:
            await action
        except httpx.TransportError as error:
            if isinstance(error, httpx.TimeoutException):
                self.refusals.append(f"{name}: no answer in {_SECONDS:.0f} s")
            raise
        self.done[name] += 1

    # Each of these doubts before it asks, and believes again once it is answered.

    async def _add(self, http: httpx.AsyncClient) -> None:
        word = self._next_word()
        text = f"The {word} of the harbour costs {self.dice.randrange(900)} crowns, says the {word} office. "
        again = [known for known in self._documents(Presence.GONE) if known.text and self.dice.random() < 0.05]
        belief = again[0] if again else DocumentBelief(f"{word}.txt", text * self.dice.randint(5, 120))
        if belief.name in self._busy:
            return
        self.beliefs.documents[belief.name] = belief
        belief.presence = Presence.UNSURE
        with self._holding(belief.name):
            answer = await http.post("/api/documents", files={"file": (belief.name, belief.text.encode())})
            self._keep(belief, answer)

    async def _note(self, http: httpx.AsyncClient) -> None:
        word = self._next_word()
        belief = self.beliefs.documents[f"note {word}"] = DocumentBelief(f"note {word}", f"A {word} is green.")
        with self._holding(belief.name):
            answer = await http.post("/chaos/notes", json={"text": belief.text, "label": belief.name})
            self._keep(belief, answer)

    def _keep(self, belief: DocumentBelief, answer: httpx.Response) -> None:
        if self._is_fine(answer, "add", 200):
            outcome = answer.json()
            document = outcome["document"]
            belief.presence, belief.id = Presence.SURE, document["id"]
            belief.passages = document["passageCount"]

    async def _remove(self, http: httpx.AsyncClient) -> None:
        belief = self._pick(self._documents(Presence.SURE))
        if belief is None:
            return
        with self._holding(belief.name):
            belief.presence = Presence.UNSURE
            answer = await http.delete(f"/api/documents/{belief.id}")
            if self._is_fine(answer, "remove", 204):
                belief.presence = Presence.GONE

    async def _ask(self, http: httpx.AsyncClient) -> None:
        word = self._next_word()
        belief = self.beliefs.runs[word] = RunBelief(word, is_research=False)
        with self._holding(word):
            answer = await http.post("/api/ask", json={"question": f"What does the harbour {word} cost?"})
            if self._is_fine(answer, "ask", 200):
                belief.presence, belief.answer = Presence.SURE, answer.json()["answer"]["text"]

    async def _research(self, http: httpx.AsyncClient) -> None:
        word = self._next_word()
        belief = self.beliefs.runs[word] = RunBelief(word, is_research=True)
        body = {"query": f"What does the harbour {word} cost?", "sources": "documents+web"}
        with self._holding(word):
            async with http.stream("POST", "/api/research", json=body) as answer:
                if self._is_fine(answer, "research", 200):
                    async for frame in _frames(answer):
                        if frame["event"] == "start":
                            belief.presence, belief.id = Presence.SURE, frame["state"]["threadId"]
                        _note_frame(belief, frame)

    async def _approve(self, http: httpx.AsyncClient) -> None:
        belief = self._pick([run for run in self._runs(Presence.SURE) if run.waits])
        if belief is None:
            return
        belief.waits = False
        with self._holding(belief.word):
            twice = [self._decide(http, belief) for _ in range(2)]
            said = await asyncio.gather(*twice)
            if sum(status == 200 for status in said) > 1:
                self.refusals.append(f"run {belief.word} was approved twice")

    async def _decide(self, http: httpx.AsyncClient, belief: RunBelief) -> int:
        async with http.stream("POST", "/api/research/approve", json={"threadId": belief.id}) as answer:
            if answer.status_code == 200:
                belief.is_decided = True
                async for frame in _frames(answer):
                    _note_frame(belief, frame)
            elif answer.status_code != 409:
                self._is_fine(answer, "approve", 200)
            return answer.status_code

    async def _cancel(self, http: httpx.AsyncClient) -> None:
        belief = self._pick([run for run in self._runs(Presence.SURE) if run.is_research and run.id])
        if belief is None:
            return
        belief.waits = False
        with self._holding(belief.word):
            answer = await http.delete(f"/api/research/runs/{belief.id}")
            if answer.status_code == 204:
                belief.is_cancelled = True
            elif answer.status_code != 409:
                self._is_fine(answer, "cancel", 204)

    async def _delete_run(self, http: httpx.AsyncClient) -> None:
        belief = self._pick([run for run in self._runs(Presence.SURE) if run.id])
        if belief is None:
            return
        with self._holding(belief.word):
            belief.presence = Presence.UNSURE
            answer = await http.delete(f"/chaos/runs/{belief.id}")
            if self._is_fine(answer, "delete run", 204):
                belief.presence = Presence.GONE

    async def _purge(self, http: httpx.AsyncClient) -> None:
        self.beliefs.is_purging = True
        self.beliefs.doubt_all()
        answer = await http.delete("/chaos/everything")
        if self._is_fine(answer, "purge", 204):
            self.beliefs.is_purging = False
            self.beliefs.give_up_all()

    def _is_fine(self, answer: httpx.Response, name: str, wanted: int) -> bool:
        if answer.status_code != wanted:
            self.refusals.append(f"{name}: answered {answer.status_code}")
        return answer.status_code == wanted

    def _next_word(self) -> str:
        self._number += 1
        return f"zq{self._number:06d}"

    def _documents(self, presence: Presence) -> list[DocumentBelief]:
        known = self.beliefs.documents.values()
        return [one for one in known if one.presence is presence and one.name not in self._busy]

    def _runs(self, presence: Presence) -> list[RunBelief]:
        return [one for one in self.beliefs.runs.values() if one.presence is presence and one.word not in self._busy]

    def _pick(self, known: "list[Known]") -> "Known | None":
        return self.dice.choice(known) if known else None

    @contextmanager
    def _holding(self, name: str) -> Generator[None]:
        """Let no other action touch this thing meanwhile."""
        self._busy.add(name)
        try:
            yield
        finally:
            self._busy.discard(name)


def _client(port: int) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=_SECONDS)


async def _frames(answer: httpx.Response) -> AsyncGenerator[dict[str, Any]]:
    """The server-sent events of a stream, as they come."""
    frame: dict[str, Any] = {}
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        if line and name in {"id", "event"}:
            frame[name] = value
        elif line and name == "data":
            frame |= json.loads(value)
        elif not line and "event" in frame:
            yield frame
            frame = {}


def _note_frame(belief: RunBelief, frame: dict[str, Any]) -> None:
    if "id" in frame:
        belief.seen[int(frame["id"])] = frame["state"]["updatedAt"].removesuffix("+00:00")
    belief.waits = frame["event"] == "hitl_waiting"
