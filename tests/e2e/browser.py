"""Where Chromium is on this machine; `python -m tests.e2e.browser` prints it or exits 1."""

import os
import shutil
import sys
from pathlib import Path

# A hosted runner has no user namespaces for the sandbox; the pages are our own. The rest keeps the browser silent.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge")
_PLACES = (
    "/usr/bin/chromium",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def find_browser() -> str | None:
    """Return the path of a Chromium-like browser: the one named by BROWSER_PATH, else one in a usual place."""
    named = os.environ.get("BROWSER_PATH")
    if named:
        return named
    on_path = (shutil.which(name) for name in _NAMES)
    in_place = (place for place in _PLACES if Path(place).exists())
    return next((path for path in (*on_path, *in_place) if path), None)


if __name__ == "__main__":
    found = find_browser()
    print(found or "no browser")
    sys.exit(found is None)
