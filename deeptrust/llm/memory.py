"""How much memory this machine has, and how sizes are said."""

import os
from pathlib import Path

_CONTAINER_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def machine_memory_bytes() -> int:
    """Memory that this process may use: the machine's, or less where a container says so."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for file in _CONTAINER_LIMITS:
        try:
            limits.append(int(file.read_text(encoding="ascii")))
        except (OSError, ValueError):  # no container, or the word `max`
            continue
    return min(limits)


def gigabytes(size_bytes: float) -> str:
    """A size as people say it: `1.1 GB`, or `386 MB` below one."""
    return f"{size_bytes / 1e9:.1f} GB" if size_bytes >= 1e9 else f"{size_bytes / 1e6:.0f} MB"
