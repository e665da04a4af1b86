"""Frames per second of the graph page while it plays ten years of 300 entities, in headless Chromium.

    python -m benchmarks.graph_frames [--seconds 12]

Headless Chromium draws in software, so this is what a machine without a graphics card shows. It also times the page of
a hub with 30,000 relations if `--hub` is given; filling that store takes half a minute.
"""

import argparse
import json
import random
import shutil
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

import uvicorn
from playwright.sync_api import sync_playwright

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.serve.guard import ListenPolicy
from recollect.serve.http import create_app
from recollect.serve.open_store import OpenStore
from recollect.settings import Settings

ENTITIES = 300
YEARS = range(2016, 2026)
HUB_RELATIONS = 30_000
_TIME_CALLBACKS = """(() => {
  const ask = window.requestAnimationFrame.bind(window);
  window.frameWork = [];
  window.requestAnimationFrame = (draw) => ask((now) => {
    const begun = performance.now();
    draw(now);
    window.frameWork.push(performance.now() - begun);
  });
})()"""
_COUNT_FRAMES = """async (seconds) => {
  const slider = document.querySelector(".graph-play input");
  slider.value = 0;
  slider.dispatchEvent(new Event("input"));
  document.querySelector("[data-play]").click();
  window.frameWork.length = 0;
  const times = [];
  const end = performance.now() + seconds * 1000;
  await new Promise((done) => {
    const next = (now) => { times.push(now); if (now < end) requestAnimationFrame(next); else done(); };
    requestAnimationFrame(next);
  });
  const work = window.frameWork.filter((each) => each > 0.2);
  return { times, work, nodes: Number(document.querySelector("#graph").dataset.nodes) };
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=12, help="of the twenty that playing takes")
    parser.add_argument("--hub", action="store_true")
    options = parser.parse_args()
    with TemporaryDirectory() as folder, running_server(Path(folder) / "memory.db") as (opened, address):
        fill(opened.workspace("default"), ego_graph_lines())
        print(json.dumps(measure_frames(f"{address}/w/default/graph?focus=Guild", options.seconds), indent=2))  # noqa: T201
        if options.hub:
            fill(opened.workspace("default"), hub_lines())
            print(json.dumps(measure_page(f"{address}/w/default/graph?focus=Great%20Hub"), indent=2))  # noqa: T201


@contextmanager
def running_server(database: Path) -> Iterator[tuple[OpenStore, str]]:
    settings = Settings({"RECOLLECT_DB": str(database), "RECOLLECT_SERVE_BACKGROUND": "no"})
    with OpenStore(settings) as opened:
        config = uvicorn.Config(create_app(opened, ListenPolicy("127.0.0.1")), port=0, log_config=None)
        socket = config.bind_socket()
        socket.listen()  # requests wait until the server accepts them
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([socket],))
        thread.start()
        try:
            yield opened, f"http://127.0.0.1:{socket.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)


def fill(memory: Memory, lines: Iterator[list[dict[str, Any]]]) -> None:
    with memory.as_actor("cli", "ingest").batch() as batch:
        for facts in lines:
            with batch.change() as change:
                write_line(change, parse_line({"facts": facts}))


def relation(subject: str, kind: str, target: str, start: int, end: int | None = None) -> dict[str, Any]:
    bounds = {"valid_from": str(start)} if end is None else {"valid_from": str(start), "valid_until": str(end)}
    return {"edge_label": "AFFILIATED", "fact_type": kind, "from": subject, "to": target, **bounds}


def ego_graph_lines() -> Iterator[list[dict[str, Any]]]:
    """A guild whose members come and go, and who meet each other: about three edges for every entity."""
    chance = random.Random(7)
    names = [f"Member {number}" for number in range(1, ENTITIES)]
    for name in names:
        start = chance.choice(YEARS)
        facts = [relation(name, "member", "Guild", start, min(YEARS[-1], start + chance.randrange(1, 8)))]
        for other in chance.sample(names, 2):
            begun = chance.choice(YEARS)
            facts.append(relation(name, "friend", other, begun, begun + chance.randrange(1, 5)))
        yield facts


def hub_lines() -> Iterator[list[dict[str, Any]]]:
    for start in range(0, HUB_RELATIONS, 100):
        yield [
            relation(f"Customer {number}", ("customer", "member", "contributor")[number % 3], "Great Hub", 2000)
            for number in range(start, start + 100)
        ]


def measure_frames(address: str, seconds: float) -> dict[str, float]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(_TIME_CALLBACKS)
        page.goto(address)
        page.wait_for_selector('#graph[data-moving="no"]', timeout=60_000)
        found = page.evaluate(_COUNT_FRAMES, seconds)
        drawn = page.evaluate("document.querySelector('#graph-data').textContent.length")
        browser.close()
    gaps = [later - earlier for earlier, later in zip(found["times"], found["times"][1:], strict=False)]
    return {
        "frames_per_second": round(1000 * len(gaps) / sum(gaps), 1),
        "slowest_frame_ms": round(max(gaps), 1),
        "p95_frame_ms": round(statistics.quantiles(gaps, n=20)[-1], 1),
        "median_script_ms_per_frame": round(statistics.median(found["work"]), 1),
        "entities_shown_then": found["nodes"],
        "data_bytes": drawn,
    }


def measure_page(address: str, times: int = 5) -> dict[str, float]:
    """Processor time, since the server is in this process; a busy machine makes it wait besides."""
    taken, size = [], 0
    for _ in range(times):
        begun = time.process_time()
        with urlopen(address) as reply:
            size = len(reply.read())
        taken.append(time.process_time() - begun)
    return {"hub_page_ms": round(1000 * statistics.median(taken)), "hub_page_bytes": size}


if __name__ == "__main__":
    main()
