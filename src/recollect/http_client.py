"""Requests to the addresses that settings name; no redirect is followed.

Another address than the configured one would receive the key and the text.
"""

from http.client import HTTPResponse
from typing import cast
from urllib.request import HTTPRedirectHandler, Request, build_opener


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def open_request(request: Request, timeout: float) -> HTTPResponse:
    """The response to a request; a redirect is an HTTPError."""
    return cast(HTTPResponse, build_opener(_NoRedirects).open(request, timeout=timeout))
