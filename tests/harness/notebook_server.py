"""An MCP server that behaves like one of NotebookLM, as a process of its own: `python notebook_server.py LOG [MODE]`.

It writes each call to the file LOG. MODE makes it misbehave in one of the ways that real servers have shown.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer

LOG = Path(sys.argv[1])
MODE = sys.argv[2] if len(sys.argv) > 2 else ""
FAILING_READS = {
    "signed-out": "No authentication found. Either:\n1. Run 'nlm login' to authenticate via Chrome",
    "login-lies": "HTTPStatusError: 401 from https://notebooklm.google.com",
}

with LOG.with_suffix(".pids").open("a") as pids:
    print(os.getpid(), file=pids)
server = MCPServer("notebooks")


def note(tool: str, **arguments: object) -> None:
    with LOG.open("a") as file:
        file.write(json.dumps({"tool": tool, **arguments}) + "\n")
    if MODE == "chatty":
        print("a line of log on stdout", flush=True)
    if MODE == "exits":
        os._exit(3)
    if MODE == "silent":
        time.sleep(600)


def auth_status() -> dict[str, Any]:
    return {"status": "success", "auth_status": "ok"}


def notebook_list(max_results: int = 100) -> dict[str, Any]:
    note("notebook_list", environment=sorted(os.environ))
    if MODE in FAILING_READS:
        return {"status": "error", "error": FAILING_READS[MODE]}
    return {"status": "success", "notebooks": []}


def notebook_create(title: str = "") -> dict[str, Any]:
    note("notebook_create", title=title)
    url = "https://evil.test/notebook/n1" if MODE == "foreign-link" else "https://notebook.google.com/notebook/n1"
    return {"status": "success", "notebook_id": "n1", "notebook": {"id": "n1", "title": title, "url": url}}


def source_add(
    notebook_id: str, source_type: str, text: str | None = None, url: str | None = None, title: str | None = None
) -> dict[str, Any]:
    note("source_add", notebook_id=notebook_id, source_type=source_type, text=text, title=title)
    if MODE == "full" and title == "Study plan":
        return {"status": "error", "error": "This notebook cannot take more sources"}
    return {"status": "success", "source_id": "s1"}


def notebook_delete(notebook_id: str, confirm: bool = False) -> dict[str, Any]:
    note("notebook_delete")
    raise AssertionError("nobody may call this")


def listNotebooks() -> str:  # noqa: N802
    note("listNotebooks")
    return json.dumps({"success": True, "data": {"notebooks": []}})


def createNotebook(name: str) -> str:  # noqa: N802
    note("createNotebook", name=name)
    return json.dumps({"success": True, "data": {"notebookId": "n2"}})


def addTextSource(notebookId: str, content: str, name: str) -> str:  # noqa: N802, N803
    note("addTextSource", notebook_id=notebookId, text=content, title=name)
    return json.dumps({"success": True, "data": {}})


def ask_question(question: str) -> str:
    note("ask_question")
    return "The job uses Workday."


usual = (auth_status, notebook_list, notebook_create, source_add, notebook_delete)
offered = {"other-names": (listNotebooks, createNotebook, addTextSource), "asks-only": (ask_question,)}.get(MODE, usual)
for function in offered:
    server.tool()(function)

if MODE == "dead":
    sys.exit(1)
if MODE.isdecimal():
    server.run("streamable-http", host="127.0.0.1", port=int(MODE))
else:
    server.run()
