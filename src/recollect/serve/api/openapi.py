"""The description of the API: OpenAPI, and a page for people."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from recollect.serve.api.calls import JSON, NDJSON
from recollect.serve.api.ingest import INGEST
from recollect.serve.problem_json import API_ROOT, PROBLEM_JSON, PROBLEM_TYPES, ProblemType
from recollect.serve.web.framework.page_layout import Chrome
from recollect.serve.web.framework.rendering import render
from recollect.surfaces.declarations import Json, Parameter, Tool
from recollect.surfaces.schema import description_of, input_schema, result_schema

OPENAPI_VERSION = "3.1.0"
API_VERSION = "1"
_DEFINITIONS = "#/$defs/"
_SCHEMAS = "#/components/schemas/"
_PROBLEM: Json = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "description": "A reference to the description of this kind of problem"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong with this request"},
        "code": {"type": "string", "enum": list(PROBLEM_TYPES)},
        "field": {"type": "string", "description": "The argument or header at fault"},
        "next": {"type": "string", "description": "What to do next"},
        "candidates": {"type": "array", "items": {"type": "object"}},
        "example": {"type": "object", "description": "Arguments that would be accepted"},
    },
    "required": ["type", "title", "status", "detail", "code", "next"],
}
_KEY: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key with the same body gives the same answer, and nothing is done twice",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
_NAME: Json = {
    "name": "name",
    "in": "query",
    "required": False,
    "description": "Name of the document, if the body is its text",
    "schema": {"type": "string", "maxLength": 200},
}
SYNC = "sync"
_SYNC_LINES: Json = {
    NDJSON: {
        "schema": {
            "type": "string",
            "description": "A header with what its device has seen, then one transaction per line",
        }
    }
}
_SYNC_OPERATION: Json = {
    "operationId": SYNC,
    "summary": "Exchange transactions with another device; needs a token with scope admin",
    "requestBody": {"required": True, "content": _SYNC_LINES},
    "responses": {
        "200": {"description": "What the device lacks", "content": _SYNC_LINES},
        "default": {"$ref": "#/components/responses/Problem"},
    },
}


def openapi_document(verbs: Iterable[Tool]) -> Json:
    schemas: Json = {"Problem": _PROBLEM}
    paths: Json = {f"{API_ROOT}{tool.name}": {"post": _operation(tool, schemas)} for tool in verbs}
    paths[f"{API_ROOT}{SYNC}"] = {"post": _SYNC_OPERATION}
    problem = {"description": "A problem", "content": {PROBLEM_JSON: {"schema": {"$ref": f"{_SCHEMAS}Problem"}}}}
    return {
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": "Recollect",
            "version": API_VERSION,
            "description": "Memory for AI agents: one POST request for each verb, arguments and answers as JSON.",
        },
        "servers": [{"url": "/"}],
        # A server on its own machine also answers without a token.
        "security": [{"bearer": []}, {}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {"Problem": problem},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(tool: Tool, schemas: Json) -> Json:
    summary, _, details = tool.description.partition("\n")
    result = _hoist(result_schema(tool), f"{tool.name}_result", schemas)
    answers: Json = {JSON: {"schema": result}}
    if tool is not INGEST:
        answers[NDJSON] = {"schema": _line_schema(result)}
    operation: Json = {
        "operationId": tool.name,
        "summary": summary,
        "requestBody": {"required": bool(tool.parameters), "content": _request_content(tool, schemas)},
        "responses": {
            "200": {"description": "The answer", "content": answers},
            "default": {"$ref": "#/components/responses/Problem"},
        },
    }
    if details.strip():
        operation["description"] = details.strip()
    if tool is INGEST:
        return operation | {"parameters": [_KEY, _NAME]}
    return operation if tool.effect == "read" else operation | {"parameters": [_KEY]}


def _request_content(tool: Tool, schemas: Json) -> Json:
    arguments = _hoist(input_schema(tool), f"{tool.name}_arguments", schemas)
    content: Json = {JSON: {"schema": arguments, "example": dict(tool.example)}}
    if tool is INGEST:
        content["text/plain"] = content["text/markdown"] = {"schema": {"type": "string"}}
        content[NDJSON] = {"schema": {"type": "string", "description": "A bundle: one record, entity or fact per line"}}
    else:
        content[NDJSON] = {"schema": arguments}
    return content


def _line_schema(result: Json) -> Json:
    """One line of a bulk answer."""
    line = {"line": {"type": "integer", "minimum": 1}, "result": result, "problem": {"$ref": f"{_SCHEMAS}Problem"}}
    return {"type": "object", "properties": line, "required": ["line"]}


def _hoist(schema: Mapping[str, Any], name: str, schemas: Json) -> Json:
    """A reference to a schema among the components; so are its definitions, since `$defs` has no place there."""
    names = {each: f"{name}_{each}" for each in schema.get("$defs", {})}
    for each, definition in schema.get("$defs", {}).items():
        schemas[names[each]] = _with_references(definition, names)
    own = {key: value for key, value in schema.items() if key != "$defs"}
    schemas[name] = _with_references(own, names)
    return {"$ref": f"{_SCHEMAS}{name}"}


def _with_references(schema: Any, names: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_with_references(each, names) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: f"{_SCHEMAS}{names[value.removeprefix(_DEFINITIONS)]}"
        if key == "$ref" and isinstance(value, str)
        else _with_references(value, names)
        for key, value in schema.items()
    }


HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class ArgumentRow:
    name: str
    type: str
    is_required: bool
    description: str


@dataclass(frozen=True, slots=True)
class VerbSection:
    name: str
    description: str
    writes: bool
    arguments: tuple[ArgumentRow, ...]
    example: str


@dataclass(frozen=True, slots=True)
class ApiPage:
    title: str
    address: str
    verbs: tuple[VerbSection, ...]
    problems: tuple[tuple[str, ProblemType], ...]


def render_page(request: Request, verbs: Iterable[Tool]) -> HTMLResponse:
    address = str(request.base_url).rstrip("/")
    page = ApiPage("HTTP API", address, tuple(map(_section, verbs)), tuple(PROBLEM_TYPES.items()))
    html = render("api.html", {"chrome": Chrome.bare(request, None), "page": page, "href": None})
    return HTMLResponse(html, headers=HEADERS)


def _section(tool: Tool) -> VerbSection:
    rows = tuple(_row(tool, each) for each in tool.parameters)
    example = json.dumps(tool.example, ensure_ascii=False)
    return VerbSection(tool.name, tool.description, not tool.is_for_readers, rows, example)


def _row(tool: Tool, parameter: Parameter) -> ArgumentRow:
    schema = input_schema(tool)["properties"][parameter.name]
    kind = schema.get("type", "")
    shown = " or ".join(kind) if isinstance(kind, list) else kind or "see openapi.json"
    if "enum" in schema:
        shown = " | ".join(map(str, schema["enum"]))
    return ArgumentRow(parameter.name, shown, parameter.required, description_of(parameter.kind))
