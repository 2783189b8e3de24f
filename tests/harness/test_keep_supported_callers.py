"""Model text reaches a person through one call only; whoever calls it stands in this list."""

import ast
from pathlib import Path

CALLERS = {"harness/local_rag.py", "agent/synthesizer.py"}


def test_the_callers_of_keep_supported():
    package = Path(__file__).parents[2] / "deeptrust"
    calling = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "keep_supported"
    }
    assert calling <= CALLERS
    assert "harness/local_rag.py" in calling
