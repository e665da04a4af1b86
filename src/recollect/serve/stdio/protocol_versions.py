"""Both protocol versions as far as the fast path speaks them: handshake and stateless."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from recollect.serve.server_info import ServerInfo
from recollect.surfaces.declarations import Answer, Json
from recollect.surfaces.dispatch import json_bytes

HANDSHAKE_VERSIONS = ("2025-06-18", "2025-11-25")
"""Versions with a greeting whose answers are the same. Still older ones know less, and are left to the SDK."""
STATELESS_VERSIONS = "2026-07-28"

_META = "io.modelcontextprotocol/"
VERSION, CLIENT, OFFERS = f"{_META}protocolVersion", f"{_META}clientInfo", f"{_META}clientCapabilities"
_SERVER = f"{_META}serverInfo"

Id = str | int


@dataclass(frozen=True, slots=True)
class StdioClient:
    """Who speaks: its name, and whether it lends us its model."""

    name: str
    lends_model: bool


class ProtocolVersion(Protocol):
    def tools(self, listed: list[Json]) -> Json: ...
    def called(self, answer: Answer) -> Json:
        """The result of a call, all but its `structuredContent`."""


class HandshakeProtocol:
    """Results as they are."""

    def tools(self, listed: list[Json]) -> Json:
        return {"tools": listed}

    def called(self, answer: Answer) -> Json:
        return _result(answer)


@dataclass(frozen=True, slots=True)
class StatelessProtocol:
    """Results that say whose they are and that they are complete."""

    about: ServerInfo

    def tools(self, listed: list[Json]) -> Json:
        return {**_UNCACHED, "tools": listed, **self._complete({})}

    def called(self, answer: Answer) -> Json:
        result = _result(answer)
        return {**result, **self._complete(result.get("_meta", {}))}

    def discovered(self) -> Json:
        known = {"supportedVersions": [STATELESS_VERSIONS], **_capabilities(self.about, lists_change=False)}
        return {**_UNCACHED, **known, **self._complete({})}

    def _complete(self, meta: Json) -> Json:
        return {"resultType": "complete", "_meta": {**meta, _SERVER: _server_identity(self.about)}}


_UNCACHED: Json = {"cacheScope": "private", "ttlMs": 0}


def initialize_result(about: ServerInfo, version: str) -> Json:
    """The answer to a client that greets."""
    promises = _capabilities(about, lists_change=True)
    return {"protocolVersion": version, **promises, "serverInfo": _server_identity(about)}


def _capabilities(about: ServerInfo, *, lists_change: bool) -> Json:
    capabilities: Json = {"tools": {"listChanged": lists_change}}
    if about.has_resources:
        capabilities["resources"] = {"subscribe": False, "listChanged": False}
    return {"capabilities": capabilities, "instructions": about.instructions}


def _server_identity(about: ServerInfo) -> Json:
    return {"name": about.name, "title": about.title, "version": about.version}


def _result(answer: Answer) -> Json:
    content = [{"type": "text", "text": text} for text in answer.texts]
    result: Json = {"content": content, "isError": answer.is_error}
    return {"_meta": dict(answer.meta), **result} if answer.meta else result


def client_from_initialize(params: Any) -> StdioClient | None:
    """The client that greets so; none if it is not as we know it."""
    if not isinstance(params, dict) or params.get("protocolVersion") not in HANDSHAKE_VERSIONS:
        return None
    return _client(params.get("clientInfo"), params.get("capabilities"))


def client_from_meta(params: Any) -> StdioClient | None:
    """The client that says who it is with this very message."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or meta.get(VERSION) != STATELESS_VERSIONS:
        return None
    return _client(meta.get(CLIENT), meta.get(OFFERS))


def _client(info: Any, offers: Any) -> StdioClient | None:
    if not isinstance(info, dict) or not isinstance(offers, dict) or not _all_text(info, "name", "version"):
        return None
    return StdioClient(info["name"], "sampling" in offers)


def _all_text(record: Mapping[str, Any], *keys: str) -> bool:
    return all(isinstance(record.get(key), str) for key in keys)


def result_line(ident: Id, result: Json) -> bytes:
    """The result as one line of the protocol."""
    return json_bytes({"jsonrpc": "2.0", "id": ident, "result": result}) + b"\n"


def call_line(ident: Id, era: ProtocolVersion, answer: Answer) -> bytes:
    """The answer to a call as a line; what is JSON already is not written anew."""
    structured = answer.texts[0].encode() if answer.has_json else json_bytes(answer.structured)
    begun = result_line(ident, era.called(answer)).removesuffix(b"}}\n")
    return b'%b,"structuredContent":%b}}\n' % (begun, structured)


def notification_line(method: str, params: Json) -> bytes:
    """A message that wants no answer, as a line."""
    return json_bytes({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n"


PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603


def error_line(ident: Id | None, code: int, message: str) -> bytes:
    """A failure of the protocol as a line."""
    return json_bytes({"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message}}) + b"\n"
