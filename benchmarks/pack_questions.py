"""What prep packs answer and refuse: python -m benchmarks.pack_questions

Postings of the tests become packs; local-rag with the bundled embedder answers questions that they answer, and refuses
twenty that no posting and no pack can answer. Every connection that Python tries to make is watched meanwhile.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

from deeptrust.composition import open_services
from deeptrust.settings import load_settings

POSTINGS = Path(__file__).resolve().parents[1] / "tests" / "study" / "postings"
UNANSWERABLE = (
    "What colour is the office carpet?",
    "Who won the 1998 World Cup final?",
    "How many windows does the head office have?",
    "What is the chief executive's favourite restaurant?",
    "What was the company's share price last Tuesday?",
    "Which football club does the hiring manager support?",
    "How far is the office from the nearest beach?",
    "What is served in the canteen on Fridays?",
    "How many people were dismissed last year?",
    "What is the boiling point of ethanol?",
    "Who founded the city of Rome?",
    "How tall is the receptionist?",
    "What music is played in the lifts?",
    "Which airline does the team fly with?",
    "What is the wifi password?",
    "How much did the building cost?",
    "Who painted the picture in the lobby?",
    "What is the capital of Mongolia?",
    "When did the previous employee leave and why?",
    "How many steps lead up to the front door?",
)
ANSWERABLE = ("What does this job pay?", "What ATS or assessment platform does this job use?", "What is required?")
LOOPBACK = ("127.", "::1", "localhost")


async def main(count: int = 5) -> None:
    """Ask about `count` postings: three questions each that the pack speaks to, and four that nothing answers."""
    postings = sorted(POSTINGS.glob("*.txt")) + sorted(POSTINGS.glob("*.md"))
    chosen = postings[:: max(1, len(postings) // count)][:count]
    refused = answered = 0
    with tempfile.TemporaryDirectory() as home:
        async with open_services(load_settings(home=Path(home), chat_model="none", offline=True)) as services:
            owner = services.local_user
            for number, posting in enumerate(chosen):
                job = await services.study.add(owner, posting.read_text(encoding="utf-8"))
                await services.harnesses.ingest(owner, await services.study.pack(owner, job.id), "local-rag")
                for question in ANSWERABLE:
                    detail = await services.harnesses.ask(owner, job.id, question, "local-rag")
                    answered += detail.answer.grounded
                    first = detail.answer.citations[0] if detail.answer.citations else None
                    print(f"  {posting.name}: {question} -> {first.title if first else 'not found'}")
                for question in UNANSWERABLE[number::count]:
                    detail = await services.harnesses.ask(owner, job.id, question, "local-rag")
                    refused += not detail.answer.grounded
                    if detail.answer.grounded:
                        print(f"  WRONGLY ANSWERED {posting.name}: {question} -> {detail.answer.text[:90]}")
    print(f"refused {refused} of {len(UNANSWERABLE)}; answered {answered} of {len(ANSWERABLE) * len(chosen)}")
    print(f"connections that left this machine: {len(outside)} {outside[:3] or ''}")


outside: list[Any] = []


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Note each address that is not of this machine."""
    if event == "socket.connect":
        address = arguments[1]
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            outside.append(address)


if __name__ == "__main__":
    sys.addaudithook(watch)
    asyncio.run(main())
