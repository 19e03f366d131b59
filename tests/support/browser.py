"""Headless Chromium for tests: pages as people see them, driven over the DevTools protocol by a pair of pipes.

    with Browser() as browser:
        page = browser.open("file:///tmp/site/index.html", width=360, dark=True)
        page.press("ArrowRight"); page.run("document.title"); page.shot(Path("index.png")); page.troubles

Where there is no Chromium the test is skipped, or fails where GM_NO_SKIPS=1 forbids that.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
ANSWER_SECONDS = 60
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}


def find_browser() -> str:
    path = next(filter(None, map(shutil.which, NAMES)), "")
    if not path and os.environ.get("GM_NO_SKIPS"):
        pytest.fail("Chromium is not installed, and GM_NO_SKIPS=1 forbids skipping")
    if not path:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    return path


class Browser:
    """One process with a profile of its own; it reaches nothing but files."""

    def __enter__(self) -> Browser:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_it, self._out = os.pipe()
        self._in, from_it = os.pipe()
        command = [
            find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
            "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--hide-scrollbars", "--force-color-profile=srgb", f"--user-data-dir={self._profile.name}", "about:blank",
        ]  # fmt: skip

        ends = (str(to_it), str(from_it))
        self._process = subprocess.Popen(
            [sys.executable, "-c", PLUGGED, *ends, *command],
            pass_fds=(to_it, from_it),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_it)
        os.close(from_it)
        self._rest = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, AssertionError):
            self.ask("Browser.close")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()

    def ask(self, method: str, session: str = "", **params: object) -> dict[str, Any]:
        self._number += 1
        asked: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if session:
            asked["sessionId"] = session
        os.write(self._out, json.dumps(asked).encode() + b"\0")
        for message in self._messages():
            if message.get("id") == self._number:
                assert "error" not in message, f"{method}: {message['error']}"
                result: dict[str, Any] = message["result"]
                return result
            self._events.append(message)
        raise AssertionError(f"{method}: the browser has gone")

    def _messages(self) -> Iterator[dict[str, Any]]:
        ends = time.monotonic() + ANSWER_SECONDS
        while True:
            while b"\0" in self._rest:
                raw, self._rest = self._rest.split(b"\0", 1)
                yield json.loads(raw)
            ready, _, _ = select([self._in], [], [], max(0, ends - time.monotonic()))
            assert ready, f"no answer for {ANSWER_SECONDS} s"
            data = os.read(self._in, 1 << 20)
            if not data:
                return
            self._rest += data

    def events(self, session: str, method: str) -> list[dict[str, Any]]:
        return [
            event["params"] for event in self._events if (event.get("sessionId"), event["method"]) == (session, method)
        ]

    @contextmanager
    def open(self, url: str, *, width: int = 1200, height: int = 900, dark: bool = False) -> Iterator[Page]:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        page = Page(self, self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        page.size(width, height)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        page.ask("Emulation.setEmulatedMedia", features=scheme)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.ask(f"{domain}.enable")
        page.go(url)
        try:
            yield page
        finally:
            self.ask("Target.closeTarget", targetId=target)


class Page:
    """A page that is loaded whole, with its pictures."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        return self._browser.ask(method, self._session, **params)

    def size(self, width: int, height: int) -> None:
        phone = width < 500
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def go(self, url: str) -> None:
        answer = self.ask("Page.navigate", url=url)
        assert "errorText" not in answer, f"{url}: {answer['errorText']}"
        self.run(LOADED)

    def run(self, script: str) -> Any:
        """The value of an expression, waited for where it is a promise."""
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])

    def shot(self, path: Path, *, whole: bool = False) -> None:
        """`whole`: all of the page, not only what the window shows."""
        answer = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **self._all(whole=whole))
        path.write_bytes(base64.b64decode(answer["data"]))

    def _all(self, *, whole: bool) -> dict[str, object]:
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"] if whole else None
        return {"clip": {**size, "scale": 1}} if size else {}

    @property
    def troubles(self) -> list[str]:
        """What stands in the console, errors of scripts, and files that could not be had."""
        lines = [str(event["exceptionDetails"]) for event in self._heard("Runtime.exceptionThrown")]
        lines += [str(event["entry"]["text"]) for event in self._heard("Log.entryAdded")]
        lines += [str(event["args"]) for event in self._heard("Runtime.consoleAPICalled")]
        return lines + [
            event["errorText"] for event in self._heard("Network.loadingFailed") if not event.get("canceled")
        ]

    @property
    def asked_for(self) -> list[str]:
        """Every address the page had something from."""
        return [event["request"]["url"] for event in self._heard("Network.requestWillBeSent")]

    def _heard(self, method: str) -> list[dict[str, Any]]:
        return self._browser.events(self._session, method)


PLUGGED = """import fcntl, os, sys
ends = [fcntl.fcntl(int(one), fcntl.F_DUPFD, 20) for one in sys.argv[1:3]]
for one, place in zip(ends, (3, 4)):
    os.dup2(one, place)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""The browser reads the protocol from descriptor 3 and writes to 4."""
LOADED = """new Promise(done => {
  const ready = () => Promise.all([...document.images].filter(one => one.checkVisibility() && !one.complete)
    .map(one => { one.loading = "eager"; return one.decode().catch(() => 0); })).then(() => done(true));
  document.readyState === "complete" ? ready() : addEventListener("load", ready);
})"""
