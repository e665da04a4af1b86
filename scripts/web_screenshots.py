"""Take the screenshots in docs/img: `python scripts/web_screenshots.py`.

Starts a server on a store of its own, filled with a small invented life, and photographs the pages with the Chromium of
the machine, in light and dark, on a desk and on a phone.
"""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).parents[1] / "docs/img"
PORT = 8399
BASE = f"http://127.0.0.1:{PORT}"
NOTES = (
    "Lena Hartwig works at Brightwater since 2024-03. Lena Hartwig lives in Porto. Lena is allergic to nuts.",
    "Tomas Reyes works at Brightwater since 2021. Tomas Reyes lives in Lisbon since 2022.",
    "Lena Hartwig promised to send the budget by 2030-01-31. Brightwater uses Postgres. Brightwater uses Kubernetes.",
    "Mei Chen works at Oakline. Mei Chen lives in Porto since 2020.",
    "Tomas Reies works at Brightwater. Mei Chen promised to call Tomas Reyes by 2026-11-20.",
)
DAY = "2026-04-02"
BIRTHPLACES = (("Lisbon", "a letter of her aunt"), ("Porto", "her school report"))
ENDED = ("Lena Hartwig works at Brightwater", "changed", "Oakline", "2026-09-01", "her mail of 2 September")
SHOTS = (
    ("home", "", 1440, "light"),
    ("search", "search?q=Lena+Hartwg", 1440, "dark"),
    ("entity", "entity/{entity}", 1440, "light"),
    ("entity-past", "entity/{entity}?at=2025-06-01", 1440, "light"),
    ("entity-phone", "entity/{entity}", 360, "dark"),
    ("fact", "fact/{fact}", 1440, "light"),
    ("document", "document/{document}", 1440, "light"),
    ("graph", "graph?focus=Brightwater&hops=2", 1440, "light"),
    ("timeline", "timeline?about={entity}&about=Tomas+Reyes", 1440, "light"),
    ("review", "review", 1440, "dark"),
    ("review-phone", "review", 360, "light"),
    ("activity", "activity", 1440, "light"),
    ("open", "open", 1440, "light"),
    ("settings-phone", "settings", 360, "dark"),
)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, serving(Path(folder) / "memory.db"), sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        ids = find_ids(browser)
        for name, address, width, scheme in SHOTS:
            take(browser, name, address.format(**ids), width, scheme)
        browser.close()


@contextmanager
def serving(database: Path) -> Iterator[None]:
    environment = {**os.environ, "RECOLLECT_DB": str(database)}
    for note in NOTES:
        run(environment, "remember", note)
    for place, source in BIRTHPLACES:
        claims = [{"subject": "Mei Chen", "predicate": "born", "object": place}]
        told = {"facts": claims, "source": source, "source_at": DAY}
        run(environment, "call", "remember", "--json", json.dumps(told))
    fact, mode, target, when, reason = ENDED
    run(environment, "correct", fact, "--mode", mode, "--object", target, "--when", when, "--reason", reason)
    server = subprocess.Popen([sys.executable, "-m", "recollect", "serve", "--port", str(PORT)], env=environment)
    try:
        wait_until_it_answers()
        yield
    finally:
        server.terminate()
        server.wait()


def run(environment: dict[str, str], *words: str) -> None:
    command = [sys.executable, "-m", "recollect", *words]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


def wait_until_it_answers() -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{BASE}/healthz").close()
        except OSError:
            time.sleep(0.2)
        else:
            return


def find_ids(browser: Browser) -> dict[str, str]:
    page = browser.new_page()
    found = page.request.get(f"{BASE}/w/default/search.json?q=Lena+Hartwig+works+at+Brightwater").json()
    page.close()
    facts = [hit["fact"]["id"] for hit in found["facts"] if "works at Brightwater" in hit["fact"]["text"]]
    return {
        "entity": found["entities"][0]["id"],
        "fact": facts[0],
        "document": found["passages"][0]["document"]["id"],
    }


def take(browser: Browser, name: str, address: str, width: int, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = context.new_page()
    page.goto(f"{BASE}/w/default/{address}")
    if not address:
        page.locator("#review-count:not(:text('?'))").wait_for()
    if address.startswith("graph"):
        page.wait_for_selector('#graph[data-moving="no"]')
    page.screenshot(path=IMAGES / f"{name}.png")
    context.close()


if __name__ == "__main__":
    main()
