"""The proxies of deploy/ as they stand there, with this test's ports, name and certificate put in."""

import datetime
import re
import shutil
import ssl
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.waiting import PATIENCE_SECONDS, wait_until

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
NAMES = ("nginx", "caddy")
EXAMPLE = "deeptrust.example.org"


@contextmanager
def proxy(name: str, folder: Path, port: int, upstream: int) -> Generator[str]:
    """Run `name` in front of `upstream` until the block ends; yield its address. The certificate is `folder`/crt."""
    write_certificate(folder)
    command = _nginx(folder, port, upstream) if name == "nginx" else _caddy(folder, port, upstream)
    process = subprocess.Popen(
        command,
        env={"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        stdout=(folder / "log").open("wb"),
        stderr=subprocess.STDOUT,
    )
    try:
        _wait(f"https://localhost:{port}", folder, process)
        yield f"https://localhost:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def find(name: str) -> str | None:
    """Return where the proxy is on this machine, or None."""
    return shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin")


def write_certificate(folder: Path) -> None:
    """Write a key and a certificate for localhost, of this test's own making, to `folder`/key and `folder`/crt."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    pem = serialization.PrivateFormat.PKCS8
    (folder / "key").write_bytes(key.private_bytes(serialization.Encoding.PEM, pem, serialization.NoEncryption()))


def _nginx(folder: Path, port: int, upstream: int) -> list[str]:
    site = (DEPLOY / "nginx.conf").read_text()
    site = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", site, flags=re.DOTALL)  # the redirect needs port 80
    for old, new in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        (EXAMPLE, "localhost"),
        ("/etc/ssl/deeptrust.crt", f"{folder}/crt"),
        ("/etc/ssl/deeptrust.key", f"{folder}/key"),
        ("127.0.0.1:3000", f"127.0.0.1:{upstream}"),
    ):
        assert old in site, f"deploy/nginx.conf no longer holds {old}: this test must follow"
        site = site.replace(old, new)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; worker_processes 1;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}{site}}}\n"
    )
    return [find("nginx") or "nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def _caddy(folder: Path, port: int, upstream: int) -> list[str]:
    site = (DEPLOY / "Caddyfile").read_text()
    for old, new in (
        (f"{EXAMPLE} {{", f"localhost:{port} {{\n\ttls {folder}/crt {folder}/key"),
        ("127.0.0.1:3000", f"127.0.0.1:{upstream}"),
    ):
        assert old in site, f"deploy/Caddyfile no longer holds {old}: this test must follow"
        site = site.replace(old, new)
    quiet = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(quiet + site)
    return [find("caddy") or "caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def _wait(address: str, folder: Path, process: subprocess.Popen[bytes]) -> None:
    trust = ssl.create_default_context(cafile=str(folder / "crt"))

    def answers() -> bool:
        assert process.poll() is None, (folder / "log").read_text()
        try:
            httpx.get(f"{address}/api/health", verify=trust, trust_env=False, timeout=PATIENCE_SECONDS)
        except httpx.HTTPError:
            return False
        return True

    wait_until(answers)
