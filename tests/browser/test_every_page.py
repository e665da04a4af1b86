"""Every page on an empty store, a world and a mailbox: no error, accessible in both themes, usable on a phone.

Axe judges each kind of page once here, on the store that has most to show on it; `make pages` has it judge all of them.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from recollect.importers.formats import detect_format, read_sample, scan_path
from recollect.keep.series.measurements import record_measurement
from recollect.memory import create_workspace
from tests.browser.conftest import watched_page
from tests.serve.web.sites import Site, running_site
from tests.serve.web.test_import_page import MBOX, uploaded

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FEN = Path(__file__).parents[2] / "examples" / "lanternfen"
PLAIN = (
    "", "search", "graph", "timeline", "memories", "identity", "world", "review", "open",
    "activity", "activity/compare", "import", "connect", "settings",
)  # fmt: skip
OF_MAIL = ("", "search", "document", "series", "forget", "review", "open", "import", "fact", "memories", "identity")
RUN_AXE = """async (rules) => (await axe.run(document, {resultTypes: ["violations"], ...rules})).violations
  .map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`)"""
BROKEN_CONTRACT = """() => {
  const all = (selector, wrong = () => true) => [...document.querySelectorAll(selector)]
    .filter(wrong).map((each) => `${selector}: ${each.outerHTML.slice(0, 99)}`);
  const states = ["current", "stale", "disputed", "retracted", "ended"];
  return [
    ...all("head > title", (title) => !title.textContent.endsWith(" · Recollect")),
    ...all("main:not([data-page])"),
    ...all("form[method=post]:not(:has([name=csrf_token]))"),
    ...all("[data-fact]", ({ dataset }) => !dataset.fact.startsWith("fact_") || !states.includes(dataset.state)),
    ...all("[data-entity]:not([data-entity^=ent_])"),
    ...all("[data-clock]:not(:has([name=at]):has([name=as_of]))"),
    ...all("#graph:not([data-nodes][data-edges])"),
  ];
}"""
"""What tests of others rely on."""
GO_DARK = "document.documentElement.dataset.theme = 'dark'"
NARROW_AND_DARK = {"runOnly": ["color-contrast", "scrollable-region-focusable"]}
WIDE, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=360, height=740)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An empty workspace, the example world and a small mailbox, on one server."""
    with running_site(str(tmp_path_factory.mktemp("pages") / "memory.db")) as site:
        for name in ("empty", "fen", "mail"):
            create_workspace(site.opened.engine, name, site.opened.clock)
        fen = site.memory("fen")
        for path, kind in scan_path(FEN):
            (kind or detect_format(read_sample(fen, path))).import_path(fen, path, None)
        box = tmp_path_factory.mktemp("mail") / "box.mbox"
        box.write_bytes(MBOX)
        detect_format(read_sample(site.memory("mail"), box)).import_path(site.memory("mail"), box, None)
        with site.memory("mail").write() as change:
            record_measurement(
                change, {"source": "tidal", "metric": "plays", "at": "2026-03-01T10:00:00Z", "value": 4.0}
            )
        yield site


def addresses(read: Callable[[str], Any], workspace: str, query: str) -> list[str]:
    """Every page of a workspace, those of what a search finds included."""
    base = f"/w/{workspace}/"
    found = read(f"{base}search.json?q={query}")
    own = [f"entity/{each['id']}" for each in found["entities"][:1]]
    own += [f"fact/{each['fact']['id']}" for each in found["facts"][:1]]
    own += [f"document/{each['document']['id']}" for each in found["passages"][:1]]
    named = [f"{page}={query}" for page in ("search?q", "graph?focus", "timeline?about", "world?person")]
    own += ["series/tidal", "forget?target=Ada+Weaver"] if workspace == "mail" else []
    return [base + path for path in (*PLAIN, *(own + named if own else []))]


def shown_best(address: str) -> str:
    """The store that has most to show on a page: mail has documents, items to review, series and what to erase."""
    page = address.split("/")[3].partition("?")[0]
    return "mail" if page in OF_MAIL else "fen"


def problems_of(page: Page, address: str, *, with_axe: bool = True) -> list[str]:
    """What is wrong with a page: its status, axe in light and dark, sideways scrolling at 360 pixels."""
    page.set_viewport_size(WIDE)
    reply = page.goto(address)
    assert reply is not None
    found = [] if reply.status == 200 else [f"status {reply.status}"]
    found += page.evaluate(BROKEN_CONTRACT)
    found += page.evaluate(RUN_AXE, {}) if with_axe else []
    page.evaluate(GO_DARK)
    page.set_viewport_size(PHONE)
    if with_axe:
        found += [f"dark, on a phone: {each}" for each in page.evaluate(RUN_AXE, NARROW_AND_DARK)]
    width = page.evaluate("document.documentElement.scrollWidth")
    found += [f"is {width} pixels wide on a phone"] if width > PHONE["width"] else []
    return [f"{address} {each}" for each in found]


@pytest.mark.parametrize(("workspace", "query"), [("empty", "x"), ("fen", "Corwin Marr"), ("mail", "Ada Weaver")])
def test_pages_are_free_of_errors_accessible_and_fit_a_phone(
    browser: Browser, filled: Site, workspace: str, query: str
) -> None:
    with watched_page(browser, filled, reduced_motion="reduce", color_scheme="light") as page:
        page.context.add_init_script(path=AXE)
        problems = [
            each
            for address in addresses(filled.json, workspace, query)
            for each in problems_of(page, address, with_axe=workspace == shown_best(address))
        ]
        assert "\n".join(problems) == ""


def test_the_page_of_an_import_is_accessible_and_fits_a_phone(browser: Browser, filled: Site) -> None:
    job = uploaded(filled, ("<b>" + "long" * 40 + ".mbox", MBOX), ("b.pdf", b"%PDF-1.7"))
    with watched_page(browser, filled, reduced_motion="reduce", color_scheme="light") as page:
        page.context.add_init_script(path=AXE)
        assert problems_of(page, f"/w/default/import/{job.id}") == []
        assert problems_of(page, "/login") == []
