"""`carabase_resolve_mesh_uri`: a body fetched from its connector and compacted."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from recollect.keep.mesh.accounts import (
    MAX_URI_LENGTH,
    SCHEME,
    MeshUri,
    check_fetchable,
    document_with_uri,
    parse_mesh_uri,
)
from recollect.keep.mesh.fetch_errors import BadMeshUri, ConfirmationRequired, MeshProblem
from recollect.keep.mesh.fetch_ladder import FetchRequest, debit_fetched, fetch_body, limits_of
from recollect.memory import Memory
from recollect.model.document import MESH_URI, Document
from recollect.search.compaction import compact
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import ARTIFACT_URI, artifact_uri, parse_artifact_id
from recollect.surfaces.carabase.hints import (
    Hint,
    HintedResult,
    SuggestedCall,
    between_marks,
    hinted_answer,
    quote,
    suggest_call,
)
from recollect.surfaces.carabase.parameters import integer_between, text_of
from recollect.surfaces.carabase.surface import CarabaseError, surface
from recollect.surfaces.declarations import Result
from recollect.when.instant import format_instant

MAX_TOKENS = 4_000


class MeshRefused(CarabaseError):
    """A refused fetch, with its rung and the way past it."""

    def __init__(self, problem: MeshProblem, asked: dict[str, Any], stored: Document | None) -> None:
        self.code = problem.code
        more: dict[str, Any] = {} if problem.rung is None else {"rung": problem.rung}
        if isinstance(problem, ConfirmationRequired):
            more["confirmation"] = problem.confirmation
        trace = [*problem.trace, *([] if problem.rung else [f"resolve {quote(asked['uri'])} → {problem.code}"])]
        hint = _hint_for(problem, asked, stored)
        super().__init__(str(problem), field="uri", hint=hint, trace=trace, more=more)


class FetchProvenance(TypedDict):
    connector: str
    uri: str
    fetched_at: str


class MeshBudget(TypedDict):
    used_today: int
    daily: int


class MeshFetchResult(HintedResult):
    uri: str
    connector: str
    account: str
    title: str | None
    mime: str
    body: str
    compaction: dict[str, Any]
    provenance: FetchProvenance
    artifact_uri: str | None
    budget: MeshBudget


@surface.tool("read", example={"uri": "mesh://files/account=farm/path=logs%2Ffrost.md"}, open_world=True)
def carabase_resolve_mesh_uri(
    memory: Memory,
    uri: Annotated[
        str,
        Field(description="mesh://…, or carabase://artifact/{id} of one that has a mesh URI."),
        text_of(MAX_URI_LENGTH),
    ],
    query: Annotated[str | None, Field(description="What to keep where the body is too long."), text_of(2000)] = None,
    max_tokens: Annotated[
        int,
        Field(ge=100, le=MAX_TOKENS, description="At most this many tokens of the body."),
        integer_between(100, MAX_TOKENS),
    ] = MAX_TOKENS,
    confirmation_token: Annotated[
        str | None, Field(description="The token that a refusal at rung 3 gave."), text_of(2000)
    ] = None,
) -> Result[MeshFetchResult]:
    """Fetch the body of an artifact that is not held here, from its connector.

    Connectors are off until an administrator enables an account. Nothing fetched is stored.
    """
    stored: Document | None = None
    try:
        with memory.read() as view:
            stored, address = _mesh_address(view, uri)
            check_fetchable(view, stored, address)
        wanted = FetchRequest(address, max_tokens, confirmation_token, memory.actor.session or memory.actor.name)
        body = fetch_body(memory, wanted)
    except MeshProblem as problem:
        asked = {"uri": uri, "query": query, "max_tokens": None if max_tokens == MAX_TOKENS else max_tokens}
        raise MeshRefused(problem, asked, stored) from None
    shorter = compact(body.text, body.mime, max_tokens, query)
    used = debit_fetched(memory, wanted, shorter.kept_tokens)
    found: dict[str, Any] = {
        "uri": str(address),
        "connector": address.connector,
        "account": address.account,
        "title": body.title,
        "mime": body.mime,
        "body": shorter.text,
        "compaction": shorter.to_json(),
        "provenance": {
            "connector": address.connector,
            "uri": str(address),
            "fetched_at": format_instant(memory.clock.now()),
        },
        "artifact_uri": artifact_uri(stored.id) if stored else None,
        "budget": {"used_today": used, "daily": limits_of(memory).daily},
    }
    return hinted_answer(found, [_headline(found)], stored_text=between_marks(found["body"]))


def _mesh_address(view: View, uri: str) -> tuple[Document | None, MeshUri]:
    """The stored artifact, if there is one, and the address of its body."""
    if uri.startswith(SCHEME):
        address = parse_mesh_uri(uri)
        return document_with_uri(view, uri) or document_with_uri(view, str(address)), address
    ident = parse_artifact_id(uri) if uri.startswith(ARTIFACT_URI) else None
    if ident is None:
        raise BadMeshUri("that is neither a mesh address nor an artifact's")
    stored = view.document(ident)
    place = None if stored is None or stored.deleted else stored.properties.get(MESH_URI)
    if stored is None or not isinstance(place, str):
        raise BadMeshUri("there is no such artifact, or it has no mesh address")
    return stored, parse_mesh_uri(place)


def _headline(found: dict[str, Any]) -> str:
    shown = found["compaction"]
    cut = f", cut from {shown['original_tokens']} to {shown['kept_tokens']} tokens" if shown["compacted"] else ""
    return f"{found['title'] or found['uri']} ({found['mime']}, fetched from {found['connector']}{cut})"


def _hint_for(problem: MeshProblem, asked: dict[str, Any], stored: Document | None) -> Hint:
    shape = "meshDenied" if problem.rung else "badInput" if isinstance(problem, BadMeshUri) else "meshUnavailable"
    if problem.code == "MESH_PURGED":
        shape = "meshDenied"
    where = f"Refused at rung {problem.rung} of 6: " if problem.rung else ""
    following: tuple[SuggestedCall, ...] = ()
    more = ""
    if isinstance(problem, ConfirmationRequired):
        token = problem.confirmation["token"]
        following = (suggest_call("carabase_resolve_mesh_uri", **asked, confirmation_token=token),)
        more = " Call `carabase_resolve_mesh_uri` again with that token if the body is worth it."
    elif stored is not None and stored.title:
        following = (suggest_call("carabase_search_semantic", query=stored.title),)
        more = " What is held of it can be found with `carabase_search_semantic`."
    return Hint(shape, f"{where}{problem}.{more}", following)  # type: ignore[arg-type]
