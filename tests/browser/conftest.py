"""A real browser: the machine's Chromium, or one that can be had; a test fails on any error in its console."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tests.serve.web.conftest import whole_trials as whole_trials
from tests.serve.web.sites import Site, running_site
from tests.support.databases import new_sqlite_file

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FETCH_SECONDS = 240
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]
"""Without a process that draws as a graphics card would, pages take a third less of the processor."""


@dataclass
class Watch:
    """What went wrong in a page; requests that leave the server count."""

    own_host: str
    problems: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        page.on("request", self.see)

    def hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console: {message.text}")

    def see(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != self.own_host:
            self.problems.append(f"request to another host: {request.url}")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests here; closed after them, since tests with an event loop of their own cannot follow."""
    path = browser_path()
    if path is None:
        pytest.skip("no Chromium: install the package chromium, or run `playwright install chromium`")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path or None, args=ARGUMENTS)
        yield launched
        launched.close()


def browser_path() -> str | None:
    """The machine's browser; an empty text for Playwright's own; None if none can be had."""
    found = _installed()
    if found is not None:
        return found
    if _runs(sys.executable, "-m", "playwright", "install", "chromium"):
        return ""
    if os.geteuid() == 0 and _runs("apt-get", "update") and _runs("apt-get", "install", "-y", "chromium"):
        return _installed()
    return None


def _installed() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _runs(*command: str) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=FETCH_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@pytest.fixture
def site(sqlite_template: Path, tmp_path: Path) -> Iterator[Site]:
    with running_site(new_sqlite_file(sqlite_template, tmp_path)) as running:
        yield running


@contextmanager
def watched_page(browser: Browser, site: Site, **options: Any) -> Iterator[Page]:
    """A page of a fresh browser profile; fails on console errors, CSP violations and requests to other hosts."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "base_url": site.address, **options})
    opened = context.new_page()
    watch = Watch(urlsplit(site.address).netloc)
    watch.follow(opened)
    yield opened
    context.close()
    assert watch.problems == []


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    with watched_page(browser, site) as opened:
        yield opened
