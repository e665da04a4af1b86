"""The home page: what is running and how to connect a client."""

import json
from html import escape

from recollect import __version__ as version
from recollect.surfaces.registry import DEFAULT, find_surface, surface_names

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
section { border-bottom: 1px solid #8884; padding: .25rem 0 .75rem; }
h3, section p { margin: .4rem 0; }
summary { cursor: pointer; }
code, pre { font: .9em ui-monospace, monospace; }
pre { background: #8881; padding: .75rem; overflow-x: auto; }
"""


def page(address: str) -> str:
    """The page of a server at that address."""
    surfaces = "\n".join(_surface(name, address) for name in surface_names())
    http = _client({"type": "http", "url": f"{address}/mcp"})
    stdio = _client({"command": "recollect", "args": ["stdio"]})
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Recollect</title>
<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>
<h1>Recollect</h1>
<p>Memory for AI agents: every fact knows when it was true, when it was learned and where it came from.
Version {escape(version)} is running here.</p>
<h2>Surfaces</h2>
{surfaces}
<h2>Connect a client</h2>
<p>Over HTTP, with the header <code>Authorization: Bearer …</code> where this server asks for a token
(<code>recollect token create</code>):</p>
<pre>{http}</pre>
<p>As a program of its own, over stdio:</p>
<pre>{stdio}</pre>
<p>Older clients use server-sent events at <code>{escape(address)}/mcp/sse</code>.
Health is at <a href="/healthz">/healthz</a>, numbers are at <a href="/metrics">/metrics</a>.</p>
</body></html>
"""


def _surface(name: str, address: str) -> str:
    surface = find_surface(name)
    path = "/mcp" if name == DEFAULT else f"/mcp/{name}"
    tools = [f"<code>{escape(tool.name)}</code>" for tool in surface.listed_tools(may_write=True)]
    listed = f"<details><summary>{len(tools)} tools</summary><p>{', '.join(tools)}</p></details>"
    where = f"<code>{escape(address + path)}</code>"
    return f"<section><h3>{escape(name)}</h3><p>{escape(surface.summary)}</p><p>{where}</p>{listed}</section>"


def _client(entry: dict[str, object]) -> str:
    return escape(json.dumps({"mcpServers": {"recollect": entry}}, indent=2), quote=False)
