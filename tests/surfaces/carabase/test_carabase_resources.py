"""The two resources: bodies of every tier, readmes given and made, and clear refusals."""

import pytest
from tests.surfaces.carabase.asking import edge, found, note, tell

from recollect.memory import Memory
from recollect.surfaces.call_errors import NoResource
from recollect.surfaces.carabase.resources import BadResourceUri, read_artifact, read_folio
from recollect.write.retract import retract_document

UNKNOWN = "carabase://artifact/019e44d3-ed00-73c4-9f84-0522384cd86c"


def uri_of(memory: Memory, key: str) -> str:
    [hit] = found(memory, "carabase_query_metadata", source=f"note:{key}")["results"]
    return str(hit["uri"])


def test_a_body_is_given_whole_with_its_media_type(memory: Memory) -> None:
    tell(memory, note("a", "# Plums\n\nRipe.", mime="text/markdown"))
    tell(memory, note("b", "Plain."))
    assert read_artifact(memory, uri_of(memory, "a")).text == "# Plums\n\nRipe."
    assert [read_artifact(memory, uri_of(memory, key)).mime for key in "ab"] == ["text/markdown", "text/plain"]


def test_each_tier_gives_what_is_held(memory: Memory) -> None:
    mesh = "mesh://files/account=farm/path=q.md"
    tell(memory, note("one", "Secret body.", title="Quince", tier=1, summary="Quinces picked.", mesh_uri=mesh))
    tell(memory, note("two", "Secret body.", title="Medlar", tier=2, mesh_uri=mesh))
    one, two = (read_artifact(memory, uri_of(memory, key)).text for key in ("one", "two"))
    assert one.split("\n") == ["Quinces picked.", f"The body can be fetched from {mesh}"]
    assert two.split("\n") == ["Medlar", "2026-05-10", f"The body can be fetched from {mesh}"]


def test_what_is_dark_deleted_or_unknown_is_refused(memory: Memory) -> None:
    tell(memory, note("dark", "Secret.", tier=0))
    tell(memory, note("gone", "Gone."))
    dark, gone = uri_of(memory, "dark"), uri_of(memory, "gone")
    tell(memory, note("dark", "Secret.", tier=3))
    with memory.write() as change:
        document = change.document_named("record", "gone")
        assert document is not None
        retract_document(change, document, "removed")
    for uri, reason in ((dark, "withheld"), (gone, "not_found"), (UNKNOWN, "not_found")):
        with pytest.raises(NoResource) as caught:
            read_artifact(memory, uri)
        assert caught.value.reason == reason
    assert read_artifact(memory, f"{gone}?as_of=2").text == "Gone."


@pytest.mark.parametrize("engine_name", ["sqlite"])
@pytest.mark.parametrize(
    "uri", ["carabase://artifact/plums", f"{UNKNOWN}?maxTokens=0", f"{UNKNOWN}?maxTokens=x", f"{UNKNOWN}?size=3"]
)
def test_a_uri_that_cannot_be_read_is_refused(memory: Memory, uri: str) -> None:
    with pytest.raises(BadResourceUri):
        read_artifact(memory, uri)


def test_a_budget_compacts_to_what_is_asked(memory: Memory) -> None:
    body = "\n\n".join([f"Paragraph {n} about nothing much." for n in range(60)] + ["Plums were ripe."])
    tell(memory, note("long", body))
    uri = uri_of(memory, "long")
    whole = read_artifact(memory, uri)
    assert (whole.text, whole.meta) == (body, {})
    cut = read_artifact(memory, f"{uri}?maxTokens=60&q=ripe%20plums")
    assert "Plums were ripe." in cut.text
    assert len(cut.text) <= 240
    assert cut.meta["compaction"]["strategy"] == "plain"
    assert read_artifact(memory, uri, {"maxTokens": 60}).meta["compaction"]["compacted"] is True
    assert read_artifact(memory, f"{uri}?maxTokens=100000").meta["compaction"]["strategy"] == "none"


def test_a_readme_is_the_one_given_or_made_by_rule(orchard: Memory) -> None:
    tell(
        orchard,
        note("f", "Mira Olt pruned.", "2026-05-01T08:00:00Z", title="First", folio="North Field"),
        edge("Mira Olt", "tends", "Copperleaf"),
    )
    tell(orchard, note("g", "Mira Olt again.", "2026-05-03T08:00:00Z", title="Second", folio="North Field"))
    made = read_folio(orchard, "folio://North%20Field/readme")
    assert made.mime == "text/markdown"
    assert made.text == (
        "# North Field\n\n0 commits, 2 artifacts\nFrom 2026-05-01 to 2026-05-03\n\n"
        "Most mentioned:\n- Mira Olt (2)\n- Copperleaf (1)\n\nNewest:\n- Second\n- First"
    )
    told = found(
        orchard, "commit_to_folio", folioName="North Field", content="By hand.", extraMetadata={"role": "readme"}
    )
    for place in ("north%20field", told["folio_id"]):
        assert read_folio(orchard, f"folio://{place}/readme").text == "# North Field\n\nBy hand."
    with pytest.raises(NoResource):
        read_folio(orchard, "folio://Nowhere/readme")
    with pytest.raises(BadResourceUri):
        read_folio(orchard, "folio://Nowhere/index")
