"""A server that breaks the protocol where its argument says: `python garbled_server.py WHERE`."""

import json
import sys

WHERE = sys.argv[1]
READ = {"name": "notebook_list", "inputSchema": {"type": "object"}}
CREATE = {"name": "notebook_create", "inputSchema": {"type": "object", "properties": {"title": {}}}}
ADD = {"name": "source_add", "inputSchema": {"type": "object", "properties": {"notebook_id": {}, "text": {}}}}
if WHERE == "schema":
    READ["outputSchema"] = {"type": "object", "required": ["count"], "properties": {"count": {"type": "integer"}}}
RESULTS = {
    "initialize": {
        "protocolVersion": "1999-01-01" if WHERE == "version" else "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "garbled", "version": "1"},
    },
    "tools/list": {"tools": "none" if WHERE == "list" else [READ, CREATE, ADD]},
    "tools/call": {"content": 7 if WHERE == "call" else [{"type": "text", "text": "fine"}]},
}
for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        found = RESULTS.get(request["method"])
        body = {"result": found} if found else {"error": {"code": -32601, "message": "unknown"}}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **body}), flush=True)
