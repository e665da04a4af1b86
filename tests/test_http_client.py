"""Requests to configured addresses."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request

import pytest

from recollect.http_client import open_request

SOURCES = Path(__file__).parents[1] / "src"


@pytest.fixture
def redirecting() -> Iterator[tuple[str, list[str]]]:
    """The address of a server that sends everybody on to itself, and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/here", asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("body", [None, b"{}"])
def test_no_redirect_is_followed(redirecting: tuple[str, list[str]], body: bytes | None) -> None:
    address, asked = redirecting
    with pytest.raises(HTTPError) as refused:
        open_request(Request(address, body, {"Authorization": "Bearer secret"}), timeout=10)
    refused.value.close()
    assert (refused.value.code, asked) == (302, ["/here"])


def test_nothing_else_opens_addresses() -> None:
    holders = {
        path.name
        for path in SOURCES.rglob("*.py")
        if "urlopen" in path.read_text() or "build_opener" in path.read_text()
    }
    assert holders == {"http_client.py"}
