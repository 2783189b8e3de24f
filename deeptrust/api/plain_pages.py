"""Pages that stand outside the application: plain HTML without a script, in both colour schemes."""

from html import escape

from starlette.responses import HTMLResponse

_STYLE = """
:root { color-scheme: light dark; --bg: #f8f9fb; --panel: #fff; --line: #868fa0; --ink: #161a22; --dim: #4f5868;
  --accent: #3f5bd9; --on-accent: #fff; --bad: #a8231c; }
@media (prefers-color-scheme: dark) { :root { --bg: #0f1218; --panel: #161a22; --line: #6b7586; --ink: #e8ebf1;
  --dim: #a9b2c0; --accent: #8ea2ff; --on-accent: #10131a; --bad: #ff9b93; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--bg);
  color: var(--ink); font: 15px/1.55 "Inter Variable", Inter, "Noto Sans", system-ui, sans-serif; }
main { width: min(100%, 24rem); display: grid; gap: 16px; padding: 24px; background: var(--panel);
  border-radius: 10px; box-shadow: 0 1px 2px rgb(20 24 33 / 5%), 0 4px 16px rgb(20 24 33 / 5%); }
.brand { display: flex; gap: 8px; align-items: center; margin: 0; font-weight: 600; }
h1 { margin: 0; font-size: 19px; line-height: 1.3; }
p { margin: 0; color: var(--dim); }
form { display: grid; gap: 8px; }
label { font-weight: 600; }
input { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 8px;
  padding: 10px 12px; width: 100%; }
button, .button { font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  border: 0; border-radius: 8px; padding: 10px 12px; margin-top: 8px; background: var(--accent);
  color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { overflow-wrap: anywhere; user-select: all; padding: 10px 12px; border: 1px solid var(--line);
  border-radius: 8px; }
.problem { color: var(--bad); }
"""

_SIGN_IN = """
<h1>Sign in</h1>
<form method="post" action="/login">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus{described}>
{problem}
<button type="submit">Sign in</button>
</form>
<p>The password was set by whoever runs this server.</p>
"""


def sign_in_page(problem: str = "", status: int = 200, headers: dict[str, str] | None = None) -> HTMLResponse:
    """The form that asks for the password; `problem` says what was wrong with the last try."""
    told = f'<p class="problem" id="problem" role="alert">{escape(problem)}</p>' if problem else ""
    described = ' aria-invalid="true" aria-describedby="problem"' if problem else ""
    return _page("Sign in", _SIGN_IN.format(problem=told, described=described), status, headers)


def message_page(title: str, message: str, way_back: str, secret: str = "") -> HTMLResponse:
    """A sentence, perhaps a secret that is shown once, and the way back to the application."""
    shown = f"<code>{escape(secret)}</code>" if secret else ""
    body = f'<h1>{escape(title)}</h1>{shown}<p>{escape(message)}</p><a class="button" href="/">{escape(way_back)}</a>'
    return _page(title, body, 200, None)


def _page(title: str, body: str, status: int, headers: dict[str, str] | None) -> HTMLResponse:
    html = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}, DeepTrust</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="/icon.svg" type="image/svg+xml"><style>{_STYLE}</style></head>'
        f'<body><main><p class="brand"><img src="/icon.svg" alt="" width="24" height="24">DeepTrust</p>{body}</main>'
        "</body></html>"
    )
    return HTMLResponse(html, status, headers={"Cache-Control": "no-store", **(headers or {})})
