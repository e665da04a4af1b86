"""`python -m benchmarks.web_pages 1M`: each page of the web app against the MCP calls that give the same data.

Both are requests to one server. Processor time, p95 of interleaved rounds, and the size of the HTML.
`--folder` keeps the store.
"""

import argparse
import asyncio
import json
import re
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from starlette.applications import Starlette

from benchmarks.stores import SIZES, build
from benchmarks.timing import p95, said
from benchmarks.world import probe_name
from recollect.serve.guard import ListenPolicy
from recollect.serve.http import create_app
from recollect.serve.open_store import OpenStore
from recollect.settings import Settings

ROUNDS = 20
AT_MOST = 3.0
LARGEST_HTML = 300_000
ROOT = "/w/default/"

Call = tuple[str, str, dict[str, Any]]
"""Surface, tool and arguments."""


class PageCase(NamedTuple):
    """A page and the calls that give what it shows; none where no tool shows it."""

    path: str
    calls: tuple[Call, ...] = ()


class Reply(NamedTuple):
    status: int
    body: bytes


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web_pages", description="Pages against tool calls.")
    parser.add_argument("size", choices=SIZES, nargs="?", default="1M")
    parser.add_argument("--folder", type=Path, help="keep the store here, and use the one that is there")
    parser.add_argument("--only", default="", help="pages whose path contains this text")
    asked = parser.parse_args()
    if asked.folder is not None:
        asked.folder.mkdir(parents=True, exist_ok=True)
        run(asked.folder, asked.size, asked.only)
        return
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        run(Path(folder), asked.size, asked.only)


def run(folder: Path, size: str, only: str) -> None:
    built = build(folder, size)
    settings = Settings({"RECOLLECT_DB": str(built.path), "RECOLLECT_SERVE_BACKGROUND": "no"})
    with OpenStore(settings) as opened:
        asyncio.run(compare(create_app(opened, ListenPolicy("127.0.0.1"), stateless=True), only))


async def compare(app: Starlette, only: str) -> None:
    """Print the table line by line."""
    async with app.router.lifespan_context(app):
        server = Server(app)
        print("| page | server time | HTML | tool calls | their time | ratio | held |")  # noqa: T201
        print("| --- | --: | --: | --- | --: | --: | --- |")  # noqa: T201
        for case in await cases(server):
            if only in case.path:
                print(await measured(server, case), flush=True)  # noqa: T201


async def cases(server: "Server") -> list[PageCase]:
    """Every page, those of an entity with 20 facts among them."""
    name = probe_name(3)
    [found, *_] = (await server.page_json(f"palette?q={name.replace(' ', '+')}"))["entities"]
    entity = found["id"]
    fact = (await server.page_json(f"entity/{entity}"))["groups"][0]["facts"][0]["id"]
    source = (await server.page_json(f"fact/{fact}"))["sources"][0]
    about: Call = "recollect", "history", {"about": entity, "clock": "knowledge", "limit": 40}
    return [
        PageCase(
            "",
            (
                ("recollect", "history", {"clock": "knowledge", "limit": 80}),
                ("recollect", "open_items", {"limit": 8}),
            ),
        ),
        PageCase("home/review", (("recollect", "review", {"limit": 1}),)),
        PageCase("search?q=Wilhelmina+opinion", (("recollect", "recall", {"query": "Wilhelmina opinion"}),)),
        PageCase(
            f"entity/{entity}",
            (
                ("pearscarf", "get_facts", {"entity": name, "limit": 100}),
                ("pearscarf", "get_connections", {"entity": name}),
                ("recollect", "open_items", {"about": entity}),
                about,
            ),
        ),
        PageCase(f"fact/{fact}", (("recollect", "history", {"about": fact, "clock": "knowledge"}),)),
        PageCase(f"document/{source['document']}"),
        PageCase(f"graph?focus={entity}", (("entity-core", "graph_subgraph", {"nodeId": entity, "depth": 1}),)),
        PageCase(f"timeline?about={entity}", (("lore-engine", "timeline", {"entity": name}),)),
        PageCase("review", (("recollect", "review", {}),)),
        PageCase("activity", (("recollect", "history", {"clock": "knowledge", "limit": 25}),)),
        PageCase(f"activity?about={entity}", (about,)),
        PageCase("open", (("recollect", "open_items", {}),)),
        PageCase("memories", (("entity-core", "memory_list", {}),)),
        PageCase("identity", (("entity-core", "identity_get_all", {}),)),
        PageCase("world", (("lore-engine", "get_contradictions", {}), ("lore-engine", "list_ontology_rules", {}))),
        PageCase("import"),
        PageCase("connect"),
        PageCase("settings"),
    ]


async def measured(server: "Server", case: PageCase) -> str:
    """One line of the table."""
    page = await server.page(case.path)
    if page.status != 200:
        return f"| `{case.path}` | status {page.status} |"
    ours, theirs = await server.timed(case)
    ratio = ours / theirs if case.calls else None
    is_held = (ratio is None or ratio <= AT_MOST) and len(page.body) <= LARGEST_HTML
    cells = (
        f"`{re.sub('(ent_|fact_)[0-9A-Z]+|(?<=document/).*', '…', case.path) or 'home'}`",
        said(ours),
        f"{len(page.body) / 1000:.0f} kB",
        ", ".join(f"`{tool}`" for _, tool, _ in case.calls),
        said(theirs) if case.calls else "",
        "" if ratio is None else f"{ratio:.2f}",
        "yes" if is_held else "no",
    )
    return f"| {' | '.join(cells)} |"


class Server:
    """Sends requests to the app, without a socket in between."""

    def __init__(self, app: Starlette) -> None:
        self._app = app

    async def page(self, path: str, accept: str = "text/html") -> Reply:
        return await self._send("GET", ROOT + path, b"", accept)

    async def page_json(self, path: str) -> Any:
        return json.loads((await self.page(path, "application/json")).body)

    async def call(self, surface: str, tool: str, arguments: dict[str, Any]) -> None:
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        body = json.dumps(message).encode()
        reply = await self._send("POST", f"/mcp/{surface}", body, "application/json, text/event-stream")
        if reply.status != 200 or b'"isError":true' in reply.body:
            raise SystemExit(f"{tool}: {reply.status} {reply.body[:300]!r}")

    async def timed(self, case: PageCase) -> tuple[float, float]:
        """The 95th percentile of the processor time of the page and of its calls, in turn."""
        ours, theirs = [], []
        for number in range(ROUNDS + 1):
            began = time.process_time()
            await self.page(case.path)
            then = time.process_time()
            for each in case.calls:
                await self.call(*each)
            if number:  # the first round fills caches
                ours.append(then - began)
                theirs.append(time.process_time() - then)
        return p95(ours), p95(theirs)

    async def _send(self, method: str, address: str, body: bytes, accept: str) -> Reply:
        path, _, query = address.partition("?")
        sent: list[Any] = []
        waiting = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if not waiting:
                await asyncio.sleep(3600)
            return waiting.pop()

        async def send(message: Any) -> None:
            sent.append(message)

        headers = {"host": "127.0.0.1", "accept": accept, "content-type": "application/json"}
        scope = {
            "type": "http",
            "method": method,
            "http_version": "1.1",
            "scheme": "http",
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 1),
            "root_path": "",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(b"content-length", str(len(body)).encode())]
            + [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        await self._app(scope, receive, send)
        parts = [each.get("body", b"") for each in sent if each["type"] == "http.response.body"]
        return Reply(sent[0]["status"], b"".join(parts))


if __name__ == "__main__":
    main()
