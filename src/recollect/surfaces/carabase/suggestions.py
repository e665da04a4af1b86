"""Tools that would answer a question better than any that the router runs."""

import re
from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from recollect.keep.series.manifest import manifests
from recollect.model.names import fold
from recollect.store.view import View

_AGGREGATE = re.compile(
    r"\b(?:total|sum|average|mean|how much|how many|how far|per (?:day|week|month)|minimum|maximum)\b", re.IGNORECASE
)
_MESH = re.compile(r"mesh://\S+")
_CHECK = re.compile(r"\b(?:is it true(?:\s+that)?|fact[ -]check|verify that)\b[:,]?\s*", re.IGNORECASE)
_CLOSING = " .?!"


class SuggestionShown(TypedDict):
    tool: str
    args: dict[str, Any]
    reason: str


def suggestions(view: View, query: str, dates: Mapping[str, str | None] | None) -> list[SuggestionShown]:
    """What to call instead, with what the question already says."""
    found: list[SuggestionShown] = []
    series = _series(view, query) if _AGGREGATE.search(query) else None
    if series is not None:
        within = {"range": dict(dates)} if dates and dates["from"] and dates["to"] else {}
        reason = f"the question asks for a sum, mean or count of measurements{'' if within else '; add a range'}"
        found.append({"tool": "carabase_query_timeseries", "args": series | within, "reason": reason})
    mesh = _MESH.search(query)
    if mesh:
        uri = mesh[0].rstrip(_CLOSING + ",;)")
        reason = "the body behind a mesh URI is fetched by the resolver"
        found.append({"tool": "carabase_resolve_mesh_uri", "args": {"uri": uri}, "reason": reason})
    check = _CHECK.search(query)
    claim = (query[: check.start()] + query[check.end() :]).strip(_CLOSING) if check else ""
    if claim:
        reason = "a claim is weighed against what is stored by verification"
        found.append({"tool": "carabase_verify_hypothesis", "args": {"claim": claim}, "reason": reason})
    return found


def _series(view: View, query: str) -> dict[str, Any] | None:
    """The source and metric that the question names; underscores may be spaces."""
    text = f" {re.sub(r'[^a-z0-9]+', ' ', fold(query))} "
    for manifest in manifests(view):
        is_named = _stands(text, manifest.source)
        metric = next((each.metric for each in manifest.metrics if _stands(text, each.metric)), None)
        if is_named or metric is not None:
            chosen = metric or (manifest.metrics[0].metric if manifest.metrics else None)
            return {"source": manifest.source} | ({"metric": chosen} if chosen else {})
    return None


def _stands(text: str, name: str) -> bool:
    return f" {re.sub(r'[^a-z0-9]+', ' ', fold(name))} " in text
