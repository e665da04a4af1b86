"""The two protocol generations as far as the fast path supports them: with handshake, and stateless."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from recollect.serve.server_info import ServerInfo
from recollect.surfaces.declarations import Answer, Json
from recollect.surfaces.dispatch import json_bytes

HANDSHAKE_VERSIONS = ("2025-06-18", "2025-11-25")
"""Handshake versions with identical results. Older ones are left to the SDK."""
STATELESS_VERSION = "2026-07-28"

_META = "io.modelcontextprotocol/"
VERSION, CLIENT, CAPABILITIES = f"{_META}protocolVersion", f"{_META}clientInfo", f"{_META}clientCapabilities"
_SERVER = f"{_META}serverInfo"

Id = str | int


@dataclass(frozen=True, slots=True)
class StdioClient:
    """The client: its name, whether it offers sampling, and whether it can ask its user."""

    name: str
    offers_sampling: bool
    can_ask: bool


class ProtocolVersion(Protocol):
    def tools(self, listed: list[Json]) -> Json: ...
    def called(self, answer: Answer) -> Json:
        """The result of a call without its `structuredContent`."""


class HandshakeProtocol:
    """Plain results."""

    def tools(self, listed: list[Json]) -> Json:
        return {"tools": listed}

    def called(self, answer: Answer) -> Json:
        return _result(answer)


@dataclass(frozen=True, slots=True)
class StatelessProtocol:
    """Results that carry the server info and are marked complete."""

    about: ServerInfo

    def tools(self, listed: list[Json]) -> Json:
        return {**_UNCACHED, "tools": listed, **self._complete({})}

    def called(self, answer: Answer) -> Json:
        result = _result(answer)
        return {**result, **self._complete(result.get("_meta", {}))}

    def discovered(self) -> Json:
        known = {"supportedVersions": [STATELESS_VERSION], **_capabilities(self.about, lists_change=False)}
        return {**_UNCACHED, **known, **self._complete({})}

    def _complete(self, meta: Json) -> Json:
        return {"resultType": "complete", "_meta": {**meta, _SERVER: _server_identity(self.about)}}


_UNCACHED: Json = {"cacheScope": "private", "ttlMs": 0}


def initialize_result(about: ServerInfo, version: str) -> Json:
    """The result of an initialize request."""
    capabilities = _capabilities(about, lists_change=True)
    return {"protocolVersion": version, **capabilities, "serverInfo": _server_identity(about)}


def _capabilities(about: ServerInfo, *, lists_change: bool) -> Json:
    capabilities: Json = {"tools": {"listChanged": lists_change}}
    if about.has_resources:
        capabilities["resources"] = {"subscribe": False, "listChanged": False}
    if about.has_prompts:
        capabilities["prompts"] = {"listChanged": False}
    return {"capabilities": capabilities, "instructions": about.instructions}


def _server_identity(about: ServerInfo) -> Json:
    return {"name": about.name, "title": about.title, "version": about.version}


def _result(answer: Answer) -> Json:
    content = [{"type": "text", "text": text} for text in answer.texts]
    result: Json = {"content": content, "isError": answer.is_error}
    return {"_meta": dict(answer.meta), **result} if answer.meta else result


def client_from_initialize(params: Any) -> StdioClient | None:
    """The client of an initialize request; none if its version or form is left to the SDK."""
    if not isinstance(params, dict) or params.get("protocolVersion") not in HANDSHAKE_VERSIONS:
        return None
    return _client(params.get("clientInfo"), params.get("capabilities"))


def client_from_meta(params: Any) -> StdioClient | None:
    """The client named in the metadata of a stateless request."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or meta.get(VERSION) != STATELESS_VERSION:
        return None
    return _client(meta.get(CLIENT), meta.get(CAPABILITIES))


def _client(info: Any, capabilities: Any) -> StdioClient | None:
    if not isinstance(info, dict) or not isinstance(capabilities, dict) or not _all_text(info, "name", "version"):
        return None
    return StdioClient(info["name"], "sampling" in capabilities, "elicitation" in capabilities)


def _all_text(record: Mapping[str, Any], *keys: str) -> bool:
    return all(isinstance(record.get(key), str) for key in keys)


def result_line(ident: Id, result: Json) -> bytes:
    """A result as a line."""
    return json_bytes({"jsonrpc": "2.0", "id": ident, "result": result}) + b"\n"


def call_line(ident: Id, era: ProtocolVersion, answer: Answer) -> bytes:
    """The result of a call as a line; structured content that is already JSON text is not encoded twice."""
    if answer.is_text_only:
        return result_line(ident, era.called(answer))
    structured = answer.texts[0].encode() if answer.has_json else json_bytes(answer.structured)
    start = result_line(ident, era.called(answer)).removesuffix(b"}}\n")
    return b'%b,"structuredContent":%b}}\n' % (start, structured)


def notification_line(method: str, params: Json) -> bytes:
    return json_bytes({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n"


PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32602, -32603


def error_line(ident: Id | None, code: int, message: str) -> bytes:
    """A protocol error as a line."""
    return json_bytes({"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message}}) + b"\n"
