"""Whether a port is free and, on Linux, who has it."""

import os
import socket
from pathlib import Path

from deeptrust.errors import BadInput, PortTaken

_LISTEN = "0A"  # TCP_LISTEN in the kernel's include/net/tcp_states.h


def refuse_taken_port(host: str, port: int) -> None:
    """Check that `host`:`port` can be listened on.

    Raises:
        PortTaken: another program has it; named where the system tells.
        BadInput: the address is not one of this machine, or the port needs more rights.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port in TIME_WAIT is free
        try:
            probe.bind((host, port))
        except PermissionError as error:
            raise BadInput(f"Port {port} needs administrator rights. Use one above 1023, such as PORT=3000.") from error
        except OSError as error:
            if _is_answered(host, port, family):
                raise PortTaken(_describe(port)) from error
            raise BadInput(f"{host} port {port} cannot be listened on: {error.strerror}.") from error


def _is_answered(host: str, port: int, family: int) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(0.5)
        return client.connect_ex((host, port)) == 0


def _describe(port: int) -> str:
    holder = _find_listener(port)
    return (
        f"Port {port} is taken by {holder or 'another program'}. Stop it, or choose another port: "
        f"make run PORT={port + 1 if port < 65535 else port - 1} (or deeptrust serve --port)."
    )


def _find_listener(port: int) -> str | None:
    """Name and process id of the listener, from /proc; None elsewhere or for another person's process."""
    wanted = {f"socket:[{inode}]" for inode in _listening_inodes(port)}
    for link in Path("/proc").glob("[0-9]*/fd/*") if wanted else ():
        try:
            if str(link.readlink()) in wanted:
                process = link.parent.parent
                return f"{(process / 'comm').read_text().strip()} (process {process.name})"
        except OSError:
            continue  # gone meanwhile, or not ours to read
    return None


def _listening_inodes(port: int) -> list[str]:
    rows: list[list[str]] = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if os.access(table, os.R_OK):
            rows += [line.split() for line in Path(table).read_text().splitlines()[1:]]
    return [row[9] for row in rows if row[3] == _LISTEN and int(row[1].rpartition(":")[2], 16) == port]
