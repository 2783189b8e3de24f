"""The Content-Security-Policy: only scripts that the build wrote may run."""

import base64
import hashlib
import re
from pathlib import Path

_INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)


_FRAMES = "https://huggingface.co"
"""The one site that may show our page inside its own, if the person wants that."""


def write_content_policy(bundle: Path, *, inside_iframe: bool = False) -> str:
    """Return the policy for the pages of `bundle`, a folder of built HTML; their inline scripts are named by hash."""
    hashes = sorted({hash_ for page in bundle.rglob("*.html") for hash_ in _hash_scripts(page.read_bytes())})
    return "; ".join(
        [
            "default-src 'self'",
            " ".join(["script-src 'self'", *hashes]),
            "style-src 'self' 'unsafe-inline'",  # Radix and the toaster write style attributes
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors " + (_FRAMES if inside_iframe else "'none'"),
        ]
    )


def _hash_scripts(page: bytes) -> list[str]:
    digests = [hashlib.sha256(script).digest() for script in _INLINE_SCRIPT.findall(page)]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
