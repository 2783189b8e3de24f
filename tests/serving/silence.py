"""Everything that a person does, in a network of its own in which every packet that would leave is written down.

Run as `unshare --net --mount python -m tests.serving.silence HOME`; prints the destinations as one JSON list. The last
one is a packet of its own: it shows that the recorder hears.
"""

import json
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx

from tests.live import live_server
from tests.waiting import LONG_SECONDS, wait_until

SAMPLES = Path(__file__).resolve().parents[2] / "deeptrust" / "samples"
OWN_PACKET = "198.51.100.7:9"
# All addresses are of the blocks for documentation (RFC 5737, RFC 3849); the neighbour exists on paper only.
NETWORK = """
ip link set lo up
ip link add leaving type veth peer name heard
ip addr add 192.0.2.2/24 dev leaving
ip addr add 2001:db8::2/64 dev leaving nodad
ip link set leaving up
ip link set heard up
ip neigh add 192.0.2.1 lladdr 02:00:00:00:00:01 dev leaving
ip neigh add 2001:db8::1 lladdr 02:00:00:00:00:01 dev leaving
ip route add default via 192.0.2.1
ip -6 route add default via 2001:db8::1
"""
IPV4, IPV6, ALL = 0x0800, 0x86DD, 0x0003  # linux/if_ether.h
CHATTER = {0, 58}  # hop-by-hop options and ICMPv6: the kernel's own words about neighbours and groups


def record(heard: list[str], is_listening: threading.Event) -> None:
    """Append the destination of each packet that leaves, for as long as the process lives."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ALL)) as ear:
        ear.bind(("heard", ALL))
        is_listening.set()
        while True:
            packet, (_, kind, *_) = ear.recvfrom(65535)
            if kind == IPV4:
                start = (packet[0] & 0x0F) * 4
                heard.append(f"{socket.inet_ntoa(packet[16:20])}:{_port(packet, start)}")
            elif kind == IPV6 and packet[6] not in CHATTER:
                heard.append(f"[{socket.inet_ntop(socket.AF_INET6, packet[24:40])}]:{_port(packet, 40)}")


def live_a_little(home: Path) -> None:
    """Serve with the real models and default settings; take in, ask, research, study, then stop."""
    with live_server(home) as server:
        token = (home / "server.token").read_text()
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=server.url, headers=headers, timeout=LONG_SECONDS, trust_env=False) as program:
            assert program.get("/").status_code == 200
            sample = SAMPLES / "renting-in-larkfield.pdf"
            program.post("/api/documents", files={"file": (sample.name, sample.read_bytes())}).raise_for_status()
            program.post("/api/ask", json={"question": "When is the deposit paid back?"}).raise_for_status()
            query = {"query": "What does the lease say about the deposit?"}
            program.post("/api/research", json=query).raise_for_status()
            run = program.get("/api/research/runs").json()[0]["threadId"]
            program.post("/api/research/approve", json={"threadId": run}).raise_for_status()
        assert server.stop() == 0


def main(home: Path) -> None:
    """Build the network, live in it, and print what was heard."""
    for line in NETWORK.strip().splitlines():
        subprocess.run(line.split(), check=True)
    names = home.parent / "resolv.conf"
    names.write_text("nameserver 198.51.100.53\noptions timeout:1 attempts:1\n")
    subprocess.run(["mount", "--bind", names, "/etc/resolv.conf"], check=True)
    heard: list[str] = []
    is_listening = threading.Event()
    threading.Thread(target=record, args=(heard, is_listening), daemon=True).start()
    is_listening.wait()
    live_a_little(home)
    address, port = OWN_PACKET.split(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.sendto(b"?", (address, int(port)))
    wait_until(lambda: OWN_PACKET in heard)
    print(json.dumps(heard))


def _port(packet: bytes, start: int) -> int:
    return int.from_bytes(packet[start + 2 : start + 4], "big")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
