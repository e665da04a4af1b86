"""`make pages`: every page of a served empty store, a world and 1,000 mails, at two widths and in both themes.

Stores are filled by the command line and served by `recollect serve`, as people do it. Each page must answer 200
without an error in the console or a request to another host, satisfy axe-core, and not scroll sideways; a screenshot
of each is left in a folder.
"""

import argparse
import calendar
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import Watch, browser_path
from tests.browser.test_every_page import AXE, BROKEN_CONTRACT, FEN, RUN_AXE, addresses
from tests.support.processes import COMMAND, environment, http

MAILS = 1000
PEOPLE = ("Ada Weaver", "Bo Lindqvist", "Cy Okafor", "Dee Marchetti", "Eli Novak", "Fay Tanaka", "Gus Moreau")
FIRMS = ("Brightwater", "Oakline", "Harrow Mills", "Tidewell")
TOWNS = ("Porto", "Lisbon", "Ghent", "Turku", "Graz")
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
WIDTHS = (360, 1440)
STORES = (("empty", "x"), ("fen", "Corwin Marr"), ("mail", "Ada Weaver"))
WITH_CLOCK = (
    "",
    "review",
    "search",
    "entity",
    "fact",
    "document",
    "graph",
    "timeline",
    "open",
    "world",
    "memories",
    "identity",
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, default=Path("dist/pages"))
    options.add_argument("--store", type=Path, help="a folder that keeps the filled store for the next run")
    options.add_argument("--mails", type=int, default=MAILS)
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with served_stores(given.mails, given.store) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path() or None, args=["--no-sandbox"])
        problems = [each for store in STORES for each in problems_of_store(browser, address, given.folder, *store)]
        browser.close()
    sys.stdout.write("\n".join([*problems, f"{len(problems)} problems"]) + "\n")
    sys.exit(1 if problems else 0)


@contextmanager
def served_stores(mails: int, kept: Path | None = None) -> Iterator[str]:
    """The address of a server whose workspaces are empty, the example world and a mailbox."""
    with TemporaryDirectory(prefix="rcl-pages-") as folder:
        place = kept or Path(folder)
        if not (place / "memory.db").exists():
            fill(place, mails)
        with http(place) as address:
            yield address


def fill(place: Path, mails: int) -> None:
    box = place / "box.mbox"
    box.write_text("".join(mail(number) for number in range(mails)))
    commands: list[tuple[str, ...]] = [("workspace", "create", name) for name, _ in STORES]
    commands += [("ingest", str(path), "--workspace", name) for name, path in (("fen", FEN), ("mail", box))]
    for command in commands:
        subprocess.run([*COMMAND, *command], env=environment(place), check=True, capture_output=True)


def mail(number: int) -> str:
    """One of a thousand letters in which people move, change their work and promise things."""
    author, reader = PEOPLE[number % len(PEOPLE)], PEOPLE[(number * 3 + 1) % len(PEOPLE)]
    month, day = number // 28 % 12 + 1, number % 28 + 1
    stamp = f"{day:02} {calendar.month_abbr[month]} 2025 09:{number % 60:02}:00 +0000"
    said = (
        f"{author} works at {FIRMS[number // 90 % len(FIRMS)]}.",
        f"{author} lives in {TOWNS[number // 200 % len(TOWNS)]} now.",
        f"I will send the report {number} to {reader} by 2026-{month:02}-{day:02}.",
        f"Could you call {reader} about invoice {number}?",
        "The weather was fine and the ferry left on time.",
    )
    body = " ".join(said[(number + step) % len(said)] for step in range(3))
    address = author.split()[0].lower()
    return (
        f"From {address}@example.org Mon Jan  6 09:00:00 2025\nFrom: {author} <{address}@example.org>\n"
        f"To: {reader} <{reader.split()[0].lower()}@example.org>\nSubject: Report {number}\n"
        f"Date: {stamp}\nMessage-ID: <{number}@example.org>\n\n{body}\n\n"
    )


def problems_of_store(browser: Browser, address: str, folder: Path, workspace: str, query: str) -> list[str]:
    def read(path: str) -> Any:
        with urlopen(f"{address}{path.replace(' ', '+')}") as reply:
            return json.load(reply)

    paths = addresses(read, workspace, query)
    past = [f"{path}{'&' if '?' in path else '?'}as_of=2" for path in paths if path.split("/")[3] in WITH_CLOCK]
    return [
        problem
        for width, theme in product(WIDTHS, THEMES)
        for problem in _problems(browser, address, [*paths, *past], folder, width, theme)
    ]


def _problems(
    browser: Browser, address: str, paths: list[str], folder: Path, width: int, theme: Theme
) -> Iterator[str]:
    watch = Watch(address.partition("://")[2])
    context = browser.new_context(
        viewport={"width": width, "height": 900}, base_url=address, color_scheme=theme, reduced_motion="reduce"
    )
    context.add_init_script(path=AXE)
    page = context.new_page()
    watch.follow(page)
    for path in paths:
        for problem in [*_of_page(page, path, width), *watch.problems]:
            yield f"{width} {theme} {path}: {problem}"
        watch.problems.clear()
        name = path.strip("/").replace("/", "-").replace("?", "-").replace("=", "-").replace("&", "-")
        page.screenshot(path=folder / f"{name[:80]}-{width}-{theme}.png", full_page=True)
    context.close()


def _of_page(page: Page, path: str, width: int) -> Iterator[str]:
    reply = page.goto(path)
    assert reply is not None
    if reply.status != 200:
        yield f"status {reply.status}"
    yield from page.evaluate(BROKEN_CONTRACT)
    yield from page.evaluate(RUN_AXE, {})
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"is {wide} pixels wide"


if __name__ == "__main__":
    main()
