"""Make the pictures of the README: `python scripts/screenshots.py`.

Starts the web app on a temporary store with a few notes of an invented team, opens its pages in Chromium and writes
`docs/img/*.png`, light and 1440 pixels wide. Needs the development dependencies and a Chromium on the machine.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import browser_path  # noqa: E402
from tests.serve.web.sites import Site, running_site  # noqa: E402
from tests.serve.web.test_review_page import tell_conflict, tell_duplicate  # noqa: E402

FOLDER = ROOT / "docs" / "img"
WIDTH, HEIGHT = 1440, 900
PEOPLE = ("Lena Hartwig", "Mara Okafor", "Tomas Reyes", "Ines Duarte", "Joel Brandt")
PROJECTS = ("Harbour Lights", "Tide Tables", "Night Ferry")
PERSON, PROJECT, PLACE, COMPANY = "person", "project", "location", "organization"
CLAIMS = (
    *((each, PERSON, "works_at", "Brightwater", COMPANY, f"{2017 + at}") for at, each in enumerate(PEOPLE)),
    *((PROJECTS[at % 3], PROJECT, "contributor", each, PERSON, f"{2022 + at % 4}") for at, each in enumerate(PEOPLE)),
    *(("Tide Tables", PROJECT, "contributor", each, PERSON, "2025") for each in PEOPLE[2:]),
    ("Lena Hartwig", PERSON, "lives_in", "Porto", PLACE, "2021"),
    ("Lena Hartwig", PERSON, "knows", "Joel Brandt", PERSON, "2019"),
    ("Joel Brandt", PERSON, "lives_in", "Porto", PLACE, "2018"),
)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, running_site(f"{folder}/memory.db") as site, sync_playwright() as playwright:
        fill(site)
        browser = playwright.chromium.launch(executable_path=browser_path() or None, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", base_url=site.address
        )
        for name, address in addresses(site).items():
            take(page, name, f"/w/default/{address}")
        browser.close()


def fill(site: Site) -> None:
    for at, (name, kind, predicate, other, other_kind, since) in enumerate(CLAIMS):
        ends = {"subject": {"name": name, "type": kind}, "object": {"name": other, "type": other_kind}}
        claim = {**ends, "predicate": predicate, "valid_from": since}
        site.tool("remember", facts=[claim], source=f"Staff meeting {at + 1}")
    tell_conflict(site)
    tell_duplicate(site)


def addresses(site: Site) -> dict[str, str]:
    [lena, *_] = site.json("search?q=Lena+Hartwig")["entities"]
    return {"entity": f"entity/{lena['id']}?as_of=6", "review": "review", "graph": "graph?focus=Brightwater&hops=2"}


def take(page: Page, name: str, address: str) -> None:
    page.goto(address)
    if name == "graph":
        page.locator('#graph[data-moving="no"]').wait_for(timeout=30_000)
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
