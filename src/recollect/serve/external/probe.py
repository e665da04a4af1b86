"""How other servers answer right now, for somebody who looks after them."""

import asyncio
from collections.abc import Sequence
from typing import Any

from recollect.keep.external import ExternalServer
from recollect.serve.external.link import Link

SECONDS = 15.0


def probe(servers: Sequence[ExternalServer]) -> dict[str, dict[str, Any]]:
    """By name, whether a server is up, how many tools it offers, and why not."""
    return asyncio.run(_probe(servers)) if servers else {}


async def _probe(servers: Sequence[ExternalServer]) -> dict[str, dict[str, Any]]:
    links = [Link(each, lambda: None) for each in servers]
    try:
        patience = max(SECONDS, *(each.timeout for each in servers))
        await asyncio.wait([asyncio.create_task(link.tried()) for link in links], timeout=patience)
        return {link.server.name: _shown(link) for link in links}
    finally:
        await asyncio.gather(*(link.close() for link in links), return_exceptions=True)


def _shown(link: Link) -> dict[str, Any]:
    shown: dict[str, Any] = {"state": link.state, "offered": len(link.tools)}
    if link.refused:
        shown["not_offered"] = link.refused
    return shown | ({"problem": link.problem} if link.problem else {})
