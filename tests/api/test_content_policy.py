"""The Content-Security-Policy names exactly the inline scripts of the built pages."""

import base64
import hashlib
from pathlib import Path

from deeptrust.api.content_policy import write_content_policy


def source(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def test_inline_scripts_of_every_page_are_named(tmp_path: Path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "index.html").write_text('<script>one()</script><script type="module" async>\n two();\n</script>')
    (tmp_path / "deep" / "page.html").write_text('<script src="/assets/x.js"></script><script>three()</script>')
    policy = write_content_policy(tmp_path)
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    wanted = {source("one()"), source("\n two();\n"), source("three()")}
    assert set(scripts.split()[2:]) == wanted


def test_without_a_bundle_no_inline_script_may_run(tmp_path: Path):
    assert "script-src 'self';" in write_content_policy(tmp_path / "absent")
