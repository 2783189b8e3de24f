"""The Claude command line program, asked once per reply: no shell, no tools, no terminal to wait at (LLM-18).

The prompt goes in through a nameless file, not an argument (which other users of the machine can read in the list of
processes, and which is limited to 128 KiB) and not a pipe (which an end may hold open). Its folder is an empty one,
so no project's files or instructions come into the prompt.
"""

import asyncio
import os
import re
import shlex
import shutil
import signal
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from deeptrust.domain.chat import Message
from deeptrust.errors import BadSetting, ModelUnavailable
from deeptrust.llm.claude_result import find_fault, read_result
from deeptrust.llm.reply import ChatRequest, Reply
from deeptrust.llm.served import ServedModel, ServingOptions

_FLAGS = (
    "--print",
    *("--output-format", "json"),
    *("--tools", ""),  # none of the built-in ones
    *("--setting-sources", "user"),  # where a person keeps the way to sign in
    "--strict-mcp-config",  # no servers, since none is named
    "--no-session-persistence",  # no copy of the prompt in its history
)

_KEPT = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS"
    r"|(?:https?|no|all)_proxy|(?:HTTPS?|NO|ALL)_PROXY|ANTHROPIC_\w+|CLAUDE_\w+|AWS_\w+|GOOGLE_APPLICATION_CREDENTIALS"
    r"|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE"
)
"""Variables that it is given; those of DeepTrust, and keys for others, are not among them."""

_MENTION = re.compile(r"(?<!\S)@(?=\S)")
_MOST_BYTES = 4 << 20

_LEAVE_SECONDS = 1
"""Longest wait for a killed program; a child of it that left its group may hold its outputs open for ever."""


class ClaudeCli(ServedModel):
    """A `ChatModel` that runs the program once per reply. The reply comes in one piece, for the program gives one."""

    def __init__(self, command: str = "claude", *, context_tokens: int = 200_000, seconds: float = 120) -> None:
        """Nothing is run yet.

        Args:
            command: the program, found on PATH, with arguments of its own if it needs some.
            context_tokens: window of the model behind it.
            seconds: longest time of one reply.

        Raises:
            BadSetting: `command` is empty or has an open quote.
        """
        super().__init__("Claude CLI", ServingOptions(context_tokens=context_tokens), reaches_network=True)
        self._command = _split(command)
        self._seconds = seconds
        self._running: set[Process] = set()

    async def _check(self) -> None:
        self._find_program()

    async def _write(self, request: ChatRequest, prompt_tokens: int) -> Reply:
        result = read_result(await self._run(request.messages), prompt_tokens)
        if result.text:
            yield result.text
        yield result.usage

    async def _run(self, messages: Sequence[Message]) -> bytes:
        """Run the program to its end and return what it printed.

        Raises:
            ModelUnavailable: it is missing, too slow, talks without end, or fails.
        """
        with tempfile.TemporaryDirectory(prefix="dt-claude-") as folder, tempfile.TemporaryFile() as prompt:
            system = Path(folder) / "system.txt"
            system.write_text(_join(messages, is_system=True) or "Answer what is asked.", encoding="utf-8")
            prompt.write(_join(messages, is_system=False).encode())
            prompt.seek(0)
            arguments = [*_FLAGS, "--system-prompt-file", str(system)]
            program = await self._start_whole(arguments, folder, prompt.fileno())
            try:
                async with asyncio.timeout(self._seconds):
                    printed, complaint = await _read_both(program)
                    await program.wait()
            except TimeoutError:
                raise ModelUnavailable(
                    f"The Claude CLI did not answer within {self._seconds:g} seconds. "
                    "Run `claude` in a terminal to see whether it wants you to sign in, "
                    "or raise DEEPTRUST_CLAUDE_SECONDS."
                ) from None
            finally:
                await self._end(program)
        if program.returncode and (fault := find_fault(printed, complaint)):
            raise ModelUnavailable(fault)
        return printed

    async def _start_whole(self, arguments: list[str], folder: str, stdin: int) -> Process:
        """Start the program; a Stop that comes meanwhile waits until there is a group to kill."""
        starting = asyncio.ensure_future(self._start(arguments, folder, stdin))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            with suppress(ModelUnavailable):
                await self._end(await starting)
            raise

    async def _start(self, arguments: list[str], folder: str, stdin: int) -> Process:
        self._refuse_closed()
        try:
            program = await asyncio.create_subprocess_exec(
                self._find_program(),
                *self._command[1:],
                *arguments,
                stdin=stdin,
                stdout=PIPE,
                stderr=PIPE,
                cwd=folder,
                env={name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)},
                start_new_session=True,
            )
        except OSError as error:
            raise ModelUnavailable("The Claude CLI cannot be started. Install it again.") from error
        self._running.add(program)
        if self._is_closed:  # meanwhile
            _kill(program)
        return program

    async def _end(self, program: Process) -> None:
        """Kill the program and all that it started, and wait until the system has taken note.

        asyncio learns of the end only once both outputs are read to theirs, so what is left in them is read away.
        """
        _kill(program)
        self._running.discard(program)
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEAVE_SECONDS):
                await asyncio.gather(_drain(program.stdout), _drain(program.stderr))
                await program.wait()

    async def _release(self) -> None:
        for program in self._running:
            _kill(program)

    def _find_program(self) -> str:
        """Path of the program.

        Raises:
            ModelUnavailable: it is not there (LLM-19).
        """
        path = shutil.which(self._command[0])
        if path is None:
            raise ModelUnavailable(
                f"Claude CLI not found: there is no program {Path(self._command[0]).name}. "
                "Install it, set DEEPTRUST_CLAUDE_COMMAND, or choose another model."
            )
        return path


def _split(command: str) -> list[str]:
    try:
        parts = shlex.split(command)
    except ValueError:
        parts = []
    if not parts:
        raise BadSetting("DEEPTRUST_CLAUDE_COMMAND is not a command. Give one such as claude.")
    return parts


def _join(messages: Sequence[Message], *, is_system: bool) -> str:
    """The messages as one text. The program would read a slash at its start as a command, and `@` as a file to add."""
    if is_system:
        return "\n\n".join(message.content for message in messages if message.role == "system")
    turns = [f"{message.role}:\n{message.content}" for message in messages if message.role != "system"]
    return _MENTION.sub("@ ", "\n\n".join(turns))


async def _read_both(program: Process) -> tuple[bytes, bytes]:
    reads = [asyncio.ensure_future(_read(stream)) for stream in (program.stdout, program.stderr)]
    try:
        printed, complaint = await asyncio.gather(*reads)
    finally:
        for read in reads:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)
    return printed, complaint


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    """Read to the end.

    Raises:
        ModelUnavailable: the end does not come within 4 MiB.
    """
    read = bytearray()
    while stream and (block := await stream.read(1 << 16)):
        read += block
        if len(read) > _MOST_BYTES:
            raise ModelUnavailable("The Claude CLI writes without end, so it was stopped. Choose another model.")
    return bytes(read)


async def _drain(stream: asyncio.StreamReader | None) -> None:
    while stream and await stream.read(1 << 16):
        pass


def _kill(program: Process) -> None:
    """The program leads a group of its own; the group outlives it as long as one of its children does."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program.pid, signal.SIGKILL)
