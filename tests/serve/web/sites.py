"""A running web app on a store of its own, and what tests need to talk to it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2

from recollect.memory import Memory
from recollect.serve.auth import make_token
from recollect.serve.guard import ListenPolicy
from recollect.serve.http import create_app
from recollect.serve.open_store import OpenStore
from recollect.settings import Settings
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from tests.support.processes import LONGEST_WAIT
from tests.support.server_threads import serve_in_thread

OPEN = ListenPolicy("127.0.0.1")
GUARDED = ListenPolicy("127.0.0.1", needs_token=True)
PLAIN = {"RECOLLECT_SERVE_BACKGROUND": "no", "RECOLLECT_READING_CLOSING_MODEL": "none"}
"""What no page depends on: work in the background, and the model that compares each text with open items."""
_CSRF = re.compile(r'name="csrf_token" value="([^"]+)"')


@dataclass
class Site:
    """A server, its store, and a browser without scripts."""

    address: str
    opened: OpenStore
    client: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=LONGEST_WAIT))

    def memory(self, workspace: str = "default") -> Memory:
        return self.opened.workspace(workspace).as_actor("recollect", "test")

    def get(self, path: str, **headers: str) -> httpx2.Response:
        """A page of the workspace `default`, or any path that begins with a slash."""
        return self.client.get(self.url(path), headers=headers)

    def json(self, path: str) -> Any:
        reply = self.get(path, Accept="application/json")
        assert reply.status_code == 200, reply.text
        return reply.json()

    def post(self, path: str, csrf: str | None = None, **form: Any) -> httpx2.Response:
        """Send a form as a page of ours would: with the CSRF token of this client."""
        token = self.csrf() if csrf is None else csrf
        return self.client.post(self.url(path), data={"csrf_token": token, **form})

    def csrf(self) -> str:
        return str(self.get("").text.partition('data-csrf="')[2].partition('"')[0])

    def url(self, path: str) -> str:
        return self.address + (path if path.startswith("/") else f"/w/default/{path}")

    def tool(self, name: str, **arguments: Any) -> Any:
        """What a tool of the everyday surface answers on the same store."""
        tool = find_surface("recollect").find(name)
        answer = call(tool, lambda each: self.opened.open_for(self.opened.local, each), arguments)
        assert not answer.is_error, answer.structured
        return answer.structured

    def token(self, scope: Any = "write", workspace: str = "default", name: str = "ann", **limits: Any) -> str:
        secret, token = make_token(name, workspace, scope, 0, limits)
        self.opened.tokens.add(token)
        return secret

    def sign_in(self, secret: str) -> httpx2.Response:
        return self.client.post(f"{self.address}/login", data={"token": secret})


@contextmanager
def running_site(database: str, reach: ListenPolicy = OPEN, **environment: str) -> Iterator[Site]:
    settings = Settings({"RECOLLECT_DB": database, **PLAIN, **environment})
    with OpenStore(settings) as opened, serve_in_thread(create_app(opened, reach)) as address:
        site = Site(address, opened)
        with site.client:
            yield site
