"""axe-core finds nothing to object to, in light and in dark; no page scrolls sideways on a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from recollect.serve.web.site import SECTIONS
from tests.databases import new_sqlite_file
from tests.serve.web.sites import Site, running_site

pytestmark = pytest.mark.xdist_group("browser")
NOTE = (
    "Lena Hartwig lives in Porto. Lena Hartwig works at Brightwater since 2024-03. Boats were painted blue in spring."
)


@pytest.fixture(scope="module")
def filled(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with an entity, facts, a document and an open item; asked only to show pages."""
    with running_site(new_sqlite_file(sqlite_template, tmp_path_factory.mktemp("filled"))) as site:
        site.tool("remember", text=f"{NOTE} Lena Hartwig promised to send the budget by 2030-01-31.")
        yield site


def addresses(site: Site) -> list[str]:
    """The pages to look at: all that need no id, and those of something known."""
    found = site.json("search?q=Lena Hartwig")
    ids = {
        "entity": found["entities"][0]["id"],
        "fact": found["facts"][0]["fact"]["id"],
        "document": found["passages"][0]["document"]["id"],
    }
    paths = [page.path for section in SECTIONS for page in section.pages if "{" not in page.path]
    shown = [path if path != "forget" else f"forget?target={ids['entity']}" for path in paths]
    known = [f"{kind}/{id_}" for kind, id_ in ids.items()]
    return ["/login", "/w/nowhere/", *shown, "search?q=Lena+Hartwg", *known, f"entity/{ids['entity']}?at=2025-01-01"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_on_any_page(browser: Browser, filled: Site, scheme: str) -> None:
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True)
    page = context.new_page()
    problems = {path: found for path in addresses(filled) if (found := _violations(page, filled.url(path)))}
    context.close()
    assert problems == {}


def _violations(page: Page, address: str) -> list[str]:
    page.goto(address)
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:120]} {node['failureSummary'][:160]}"
        for each in found
        for node in each["nodes"][:2]
    ]


@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_scrolls_sideways(browser: Browser, filled: Site, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    wide = []
    for path in addresses(filled):
        page.goto(filled.url(path))
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wide.append(path)
    context.close()
    assert wide == []
