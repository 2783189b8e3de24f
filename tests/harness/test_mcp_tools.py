"""Finding the tools of whatever server a person has, and reading what it answers."""

import pytest

from deeptrust.errors import BadSetting, HarnessUnavailable
from deeptrust.harness.mcp_reply import SIGN_IN, read_reply
from deeptrust.harness.mcp_server import McpServer, read_server
from deeptrust.harness.mcp_tools import Tool, map_tools


def tool(name: str, required: str = "", optional: str = "") -> Tool:
    names = frozenset(required.split())
    return Tool(name, names | frozenset(optional.split()), names)


USUAL = [
    tool("notebook_list", optional="max_results"),
    tool("notebook_create", optional="title"),
    tool("notebook_delete", "notebook_id confirm"),
    tool("notebook_query", "notebook_id query"),
    tool("collection_create", "name"),
    tool("source_add", "notebook_id source_type", "text title url file_path"),
    tool("note", "notebook_id action", "content title"),
]
OTHER = [
    tool("notebook_add_url", "notebook_id url"),
    tool("notebook_add_text", "notebook_id text", "title"),
    tool("createNotebook", "name"),
    tool("listNotebooks"),
]
LIBRARY = [tool("ask_question", "question"), tool("add_notebook", "url name"), tool("list_notebooks")]


def test_the_tools_of_the_usual_server_are_found():
    found = map_tools(USUAL, {})
    assert (found.create.name, found.add.name, found.read.name) == ("notebook_create", "source_add", "notebook_list")
    assert found.create_arguments("Pack") == {"title": "Pack"}
    assert found.add_arguments("n1", "Plan", "Learn.") == {
        "notebook_id": "n1", "source_type": "text", "title": "Plan", "text": "Learn."
    }  # fmt: skip


def test_other_names_are_found_by_their_words_and_schema():
    found = map_tools(OTHER, {})
    assert (found.create.name, found.add.name, found.read.name) == (
        "createNotebook", "notebook_add_text", "listNotebooks"
    )  # fmt: skip
    assert found.create_arguments("Pack") == {"name": "Pack"}
    assert found.add_arguments("n1", "Plan", "Learn.") == {"notebook_id": "n1", "title": "Plan", "text": "Learn."}


def test_a_server_that_cannot_publish_is_refused_with_the_setting():
    with pytest.raises(HarnessUnavailable, match=r"cannot make a notebook.*DEEPTRUST_NOTEBOOKLM_MCP_TOOLS.*create="):
        map_tools(LIBRARY, {})


def test_two_that_fit_are_not_guessed_between():
    with pytest.raises(HarnessUnavailable, match="source_add, source_upload all look right"):
        map_tools([*USUAL, tool("source_upload", "notebook_id text")], {})
    chosen = {"add": "source_upload"}
    assert map_tools([*USUAL, tool("source_upload", "notebook_id text")], chosen).add.name == "source_upload"


@pytest.mark.parametrize(("name", "reason"), [
    ("source_drop", "it has no tool source_drop"),
    ("notebook_delete", "its tool notebook_delete does not take what it needs"),
])  # fmt: skip
def test_a_chosen_tool_must_exist_and_fit(name: str, reason: str):
    with pytest.raises(HarnessUnavailable, match=reason):
        map_tools(USUAL, {"add": name})


@pytest.mark.parametrize("schema", [{}, {"properties": None}, {"properties": {}, "required": None}])
def test_a_schema_may_be_empty(schema: dict[str, object]):
    assert Tool.from_schema("list", schema) == Tool("list", frozenset(), frozenset())


@pytest.mark.parametrize(("structured", "texts"), [
    ({"status": "success", "notebook_id": "n1"}, []),
    (None, ['{"notebook_id": "n1"}']),
    ({"result": {"notebook_id": "n1"}}, ["ignored"]),
    ({"result": '{"success": true, "data": {"notebook_id": "n1"}}'}, []),
    ({"success": True, "data": {"notebook_id": "n1"}}, []),
])  # fmt: skip
def test_data_is_found_in_its_envelope(structured: object, texts: list[str]):
    assert read_reply(structured, texts, is_error=False)["notebook_id"] == "n1"


@pytest.mark.parametrize("structured", [
    {"status": "error", "error": "quota used up"},
    {"success": False, "error": "quota used up"},
    {"result": {"status": "error", "error": "quota used up"}},
    {"result": '{"success": false, "message": "quota used up"}'},
])  # fmt: skip
def test_a_failure_that_looks_like_data_is_a_failure(structured: object):
    with pytest.raises(HarnessUnavailable, match="“quota used up”"):
        read_reply(structured, [], is_error=False)


def test_an_error_is_quoted_on_one_line_and_shortened():
    with pytest.raises(HarnessUnavailable) as caught:
        read_reply(None, ["Traceback\n  line" + " x" * 1000], is_error=True)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("message", [
    "No authentication found. Either:\n1. Run 'nlm login' to authenticate via Chrome, or",
    "Client error '401 Unauthorized' for url 'https://notebook.google.com'",
    "Cookies have expired",
    "Please sign in",
])  # fmt: skip
def test_being_signed_out_is_told_in_our_words(message: str):
    with pytest.raises(HarnessUnavailable) as caught:
        read_reply({"status": "error", "error": message}, [], is_error=False)
    assert str(caught.value) == SIGN_IN
    assert "`nlm login`" in SIGN_IN


def test_nothing_is_configured_by_default():
    assert read_server("", " ", "add=x") is None


def test_a_command_is_split_like_a_shell_does():
    server = read_server("env HOME='/a b' notebooklm-mcp --debug", "", "create=new_one, add = put")
    assert server == McpServer(
        ("env", "HOME=/a b", "notebooklm-mcp", "--debug"), "", {"create": "new_one", "add": "put"}
    )
    assert read_server("/opt/bin/notebooklm-mcp", "", "") == McpServer(("/opt/bin/notebooklm-mcp",), "", {})


@pytest.mark.parametrize("url", ["https://mcp.example.org/mcp", "http://127.0.0.1:9/mcp", "http://[::1]:9/mcp"])
def test_an_address_may_be_far_and_safe_or_near(url: str):
    assert read_server("", url, "") == McpServer((), url, {})


@pytest.mark.parametrize(("command", "url", "tools"), [
    ("notebooklm-mcp", "https://mcp.example.org/mcp", ""),
    ("notebooklm-mcp 'open", "", ""),
    ("", "http://mcp.example.org/mcp", ""),
    ("", "http://127.0.0.1.evil.test/mcp", ""),
    ("", "https://me:secret@mcp.example.org/mcp", ""),
    ("", "ftp://127.0.0.1/mcp", ""),
    ("", "https://[mcp", ""),
    ("notebooklm-mcp", "", "delete=notebook_delete"),
    ("notebooklm-mcp", "", "create"),
])  # fmt: skip
def test_a_setting_that_does_not_parse_is_named(command: str, url: str, tools: str):
    with pytest.raises(BadSetting, match="DEEPTRUST_NOTEBOOKLM_MCP_"):
        read_server(command, url, tools)
