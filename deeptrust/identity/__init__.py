"""Who is who, and who may see what.

**Who.** A browser is known by the random secret in its http-only cookie; the database keeps only the SHA-256 of it,
next to the user that it stands for. In local mode every browser stands for the one user of the home; in hosted mode
each browser is a user of its own. A user's programs are known by a token of theirs, those of the person who runs the
server by `server.token` in the home. There are no user names: ids and folders are random (AUT-15).

**Admission.** `Admission` is the one place that answers "whose request is this?". A secret is good if this home made
it, it is not revoked, and, where DEEPTRUST_PASSWORD is set, this very password let it in. Two questions are asked:

- `await enter(secret)` at a door (the websocket's handshake, an HTTP call). It looks in the database, and makes session
  and user when a secret is used for the first time; who only looks at a page or at a locked door leaves no row.
- `owner(secret)` inside an open websocket, for each event. It looks in memory only, so it is cheap, and a revoked
  session is refused on its very next event (AUT-01).

What stands open when its secret is revoked (a stream, an upload, a websocket) ends in that moment (`Presences`).

Both raise `NotAdmitted`. The doors that ask: `api/front_door.py` (whatever comes by HTTP, and the handshake),
`api/caller.py` (whose API call), `ui/admission.py` (each event of the page, before any handler, and in handlers).

**Ownership.** Each thing has one owner. The store that holds it looks it up and calls `require_owner`, so that a
stranger's id and one that never was get the same answer: `NotFound`, 404.

**What answers everybody** is the list in `public_routes`; a test walks all other routes.
"""
