"""What the image must show, one sentence each; the first one that does not hold ends the proof."""

import os
import shutil
import stat
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Page, expect, sync_playwright

from scripts.prove_dockerfile.build import Image
from scripts.prove_dockerfile.container import Container, PortMapping, run_container
from tests.e2e.browser import ARGUMENTS, find_browser
from tests.e2e.workspace import ask, disk_file, document, upload, wait_for_end
from tests.live import free_port

_TOOLS = ("node", "npm", "npx", "bun", "uv", "gcc", "cc", "g++", "make", "hatchling")
_PASSWORD = "a long sentence for the proof"  # noqa: S105
_EVERYWHERE = "00000000:0BB8"  # 0.0.0.0:3000 in the kernel's tables
_SAMPLE = Path(__file__).parents[2] / "deeptrust/samples/renting-in-larkfield.pdf"
_QUESTION = "When is the deposit paid back?"


class NotProven(Exception):
    """A check does not hold."""


def check_files(image: Image) -> Iterator[str]:
    """Check the image as it lies there."""
    tools = [
        path for path in _walk(image.root) if path.name in _TOOLS and not path.is_dir() and os.access(path, os.X_OK)
    ]
    yield _hold(not tools, "no Node, bun, uv or compiler in the image", tools)
    soft = [path for top in ("app", "opt") for path in _walk(image.root / top) if _is_soft(path)]
    yield _hold(not soft, "all code belongs to root and nobody else may write it", soft[:3])
    yield _hold(image.user == "1000", "the server runs as user 1000")
    size = sum(path.lstat().st_blocks * 512 for path in _walk(image.root))
    parts = {top: sum(path.lstat().st_blocks * 512 for path in _walk(image.root / top)) for top in ("opt", "app")}
    yield f"final root: {size / 1e6:.0f} MB (packages {parts['opt'] / 1e6:.0f} MB, app {parts['app'] / 1e6:.0f} MB)"


def check_refusals(image: Image, work: Path) -> Iterator[str]:
    """Check the starts that must fail, each with one sentence."""
    volume = _make_volume(work / "volume-a", owner=1000)
    with run_container(image, volume, {}, work / "log-a") as container:
        code = container.wait(60)
        said = container.output()
    yield _hold(code == 2 and "DEEPTRUST_PASSWORD" in said and len(said.splitlines()) == 1, f"no password: {said!r}")
    volume = _make_volume(work / "volume-b", owner=0)
    with run_container(image, volume, {"DEEPTRUST_PASSWORD": _PASSWORD}, work / "log-b") as container:
        code = container.wait(60)
        said = container.output()
    is_said = "/data" in said and "chown 1000" in said and len(said.splitlines()) == 1
    yield _hold(code == 1 and is_said, f"DEP-08, a volume of root: {said!r}")


def check_service(image: Image, work: Path) -> Iterator[str]:
    """Check the server at work, then once more on the same volume."""
    volume = _make_volume(work / "volume", owner=1000)
    state = work / "browser.json"
    with _serving(image, volume, work / "log-1") as (container, url, seconds):
        yield f"answers {seconds:.1f} s after the start"
        yield from _check_process(container)
        with _browser_page(url, None) as page:
            _sign_in(page)
            upload(page, disk_file(_SAMPLE))
            expect(document(page, _SAMPLE.name)).to_contain_text("pages", timeout=60_000)
            ask(page, _QUESTION)
            turn = wait_for_end(page)
            page.context.storage_state(path=state)
            answer = turn.inner_text()
        yield _hold("days" in answer, f"page, password, upload and a cited answer at {url}")
        yield from _check_process(container)
        yield f"memory after an answer: {container.status()['VmRSS']}"
        code, seconds = container.stop()
        yield _hold(code == 0 and seconds < 10, f"{image.stop_signal}: exit {code} after {seconds:.1f} s")
    with _serving(image, volume, work / "log-2") as (container, url, seconds):
        with _browser_page(url, state) as page:
            page.goto("/")
            expect(document(page, _SAMPLE.name)).to_be_visible(timeout=60_000)
        yield f"DEP-08: a new container on the same volume, another port ({url}): the document is there"
    inside = list(_walk(image.root / "data"))
    yield _hold(not inside, "nothing of the person's lies in the image", inside)


def _check_process(container: Container) -> Iterator[str]:
    status = container.status()
    user, caps = status["Uid"].split(), int(status["CapEff"], 16)
    yield _hold(set(user) == {"1000"} and caps == 0 and status["NoNewPrivs"] == "1", "user 1000 without any capability")
    yield _hold(container.processes() == 1, "one process", container.processes())
    yield _hold(container.listening() == [_EVERYWHERE], "one listening socket, 0.0.0.0:3000", container.listening())
    yield _hold(container.run(container.image.health_command) == 0, "the health check is content")


@contextmanager
def _serving(image: Image, volume: Path, log: Path) -> Generator[tuple[Container, str, float]]:
    """A container behind a port that is not its own, once it answers: it, its address, and the seconds that took."""
    port = free_port()
    settings = {"DEEPTRUST_PASSWORD": _PASSWORD, "DEEPTRUST_ALLOWED_HOSTS": f"localhost:{port}"}
    begin = time.monotonic()
    with run_container(image, volume, settings, log) as container, PortMapping(container, image.ports[0], port):
        url = f"http://localhost:{port}"
        _wait_for_health(url, container)
        yield container, url, time.monotonic() - begin


def _wait_for_health(url: str, container: Container) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and container.engine.poll() is None:
        try:
            httpx.get(f"{url}/api/health", timeout=5, trust_env=False).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    raise NotProven(f"no answer from the container; it said: {container.output()}")


@contextmanager
def _browser_page(url: str, state: Path | None) -> Generator[Page]:
    """A page in Chromium; `state` holds the cookies of an earlier one. A script error fails the proof."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_context(
            base_url=url, storage_state=state, viewport={"width": 1440, "height": 900}
        ).new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        browser.close()
    if errors:
        raise NotProven(f"the page failed: {errors}")


def _sign_in(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Password").fill(_PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Your question")).to_be_visible(timeout=60_000)


def _make_volume(folder: Path, owner: int) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o755)
    os.chown(folder, owner, owner)
    return folder


def _walk(folder: Path) -> Iterator[Path]:
    return (Path(parent) / name for parent, folders, files in os.walk(folder) for name in (*folders, *files))


def _is_soft(path: Path) -> bool:
    status = path.lstat()
    return status.st_uid != 0 or (not stat.S_ISLNK(status.st_mode) and bool(status.st_mode & 0o022))


def _hold(is_so: bool, sentence: str, found: object = "") -> str:
    if not is_so:
        raise NotProven(f"{sentence} {found}")
    return sentence
