"""The description of the API as a page for people."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse

from recollect.serve.problem_json import PROBLEM_TYPES, ProblemType
from recollect.serve.web.framework.chrome import Chrome
from recollect.serve.web.framework.rendering import render
from recollect.surfaces.declarations import Parameter, Tool
from recollect.surfaces.schema import description_of, input_schema

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
