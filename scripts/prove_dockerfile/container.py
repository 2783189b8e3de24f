"""An image as a running container: a read-only root, a volume, a /tmp, and a network and processes of its own."""

import asyncio
import ctypes
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from scripts.prove_dockerfile.build import Image

_CLONE_NEWNET = 0x40000000  # linux/sched.h
_LISTEN = "0A"  # TCP_LISTEN in the kernel's include/net/tcp_states.h
_ENTER = """set -e
ip link set lo up
mount --bind "$ROOT" "$ROOT"
mount --bind "$VOLUME" "$ROOT$PLACE"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount --rbind /dev "$ROOT/dev"
mount -o remount,bind,ro "$ROOT"
exec "$@"
"""


@dataclass
class Container:
    """The first process of a container, seen from outside; `log` holds what it prints."""

    engine: subprocess.Popen[bytes]
    log: Path
    image: Image

    @property
    def pid(self) -> int:
        """The process that is number 1 inside; a moment after the start it may still be on its way."""
        children = Path(f"/proc/{self.engine.pid}/task/{self.engine.pid}/children")
        while not (tasks := children.read_text().split()):
            time.sleep(0.01)
        return int(tasks[0])

    def output(self) -> str:
        """Return what it has printed so far."""
        return self.log.read_text()

    def wait(self, seconds: float) -> int:
        """Wait for its end; return the exit code."""
        return self.engine.wait(seconds)

    def stop(self) -> tuple[int, float]:
        """Send the image's stop signal; return the exit code and how many seconds it took."""
        begin = time.monotonic()
        os.kill(self.pid, signal.Signals[self.image.stop_signal])
        return self.engine.wait(30), time.monotonic() - begin

    def status(self) -> dict[str, str]:
        """Return the kernel's word on the first process."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}

    def processes(self) -> int:
        """Return how many processes are inside."""
        space = Path(f"/proc/{self.pid}/ns/pid").readlink()
        count = 0
        for link in Path("/proc").glob("[0-9]*/ns/pid"):
            with suppress(OSError):
                count += link.readlink() == space
        return count

    def listening(self) -> list[str]:
        """Return the addresses, in the kernel's hexadecimal, on which anything inside listens."""
        tables = (Path(f"/proc/{self.pid}/net/{name}").read_text().splitlines()[1:] for name in ("tcp", "tcp6"))
        rows = [line.split() for table in tables for line in table]
        return [row[1] for row in rows if row[3] == _LISTEN]

    def run(self, command: list[str]) -> int:
        """Run a command beside the server, as `docker exec` and the health check do; return its exit code."""
        inside = ["nsenter", f"--target={self.pid}", "--net", "--pid", "--mount", f"--root=/proc/{self.pid}/root"]
        return subprocess.run([*inside, *_as_user(self.image, {}), *command], check=False).returncode


@contextmanager
def run_container(image: Image, volume: Path, settings: Mapping[str, str], log: Path) -> Generator[Container]:
    """Run the image's command until the block ends."""
    where = {"ROOT": str(image.root), "VOLUME": str(volume), "PLACE": image.volumes[0]}
    spaces = ["unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child"]
    enter = [*spaces, "sh", "-c", _ENTER, "sh", "chroot", str(image.root)]
    with log.open("wb") as output:
        engine = subprocess.Popen(
            [*enter, *_as_user(image, settings), *image.command],
            env={**os.environ, **where},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    container = Container(engine, log, image)
    try:
        yield container
    finally:
        if engine.poll() is None:  # the first process itself: with it, all others inside are ended by the kernel
            os.kill(container.pid, signal.SIGKILL)
            engine.wait(10)


def _as_user(image: Image, settings: Mapping[str, str]) -> list[str]:
    ids = [f"--reuid={image.user}", f"--regid={image.user}", "--clear-groups"]
    rights = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    variables = [f"{name}={value}" for name, value in {**image.environment, "HOME": "/data", **settings}.items()]
    return ["/usr/bin/setpriv", *ids, *rights, "/usr/bin/env", "-i", f"--chdir={image.workdir}", *variables]


class PortMapping:
    """What `docker run -p PORT:3000` does: connections to a loopback port of this machine go on inside."""

    def __init__(self, container: Container, inside: int, outside: int) -> None:
        self._target = inside
        self._port = outside
        self._entrance = ThreadPoolExecutor(1, initializer=_enter_network, initargs=(container.pid,))
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "PortMapping":
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        self._loop.run_until_complete(asyncio.start_server(self._carry, "127.0.0.1", self._port))
        self._ready.set()
        self._loop.run_forever()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        dial = self._loop.run_in_executor(self._entrance, socket.create_connection, ("127.0.0.1", self._target))
        try:
            far_reader, far_writer = await asyncio.open_connection(sock=await dial)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    with suppress(OSError):
        sink.close()


def _enter_network(pid: int) -> None:
    """Move this one thread into the network of `pid`; its sockets stay there (see setns(2))."""
    descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
    os.close(descriptor)
