"""The example world of this surface: an orchard, its supplier and a frost."""

from importlib.resources import files
from typing import Any

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.keep.artifacts.filing import NewCommit, commit
from recollect.keep.mesh.accounts import enable_mesh_account
from recollect.keep.series.manifest import declare_manifest
from recollect.keep.series.measurements import record_measurement
from recollect.memory import Memory
from recollect.store.mesh_queries import MeshAccount

# In a shared workspace, other examples would show up in every list.
WORKSPACE = "orchard"
FROST = "Late frost took a third of the plum blossom. Brindle Foods was told."
LINES: tuple[dict[str, Any], ...] = (
    {
        "record": {
            "id": "n-17",
            "type": "note",
            "title": "Frost log",
            "source_at": "2026-02-03T08:00:00Z",
            "content": FROST,
            "folio": "Orchard",
            "tags": ["frost"],
            "mesh_uri": "mesh://files/account=farm/path=logs%2Ffrost.md",
        },
        "entities": [
            {"name": "Brindle Foods", "type": "Company", "aliases": ["Brindle"]},
            {"name": "Copperleaf", "type": "Project"},
        ],
        "facts": [{"from": "Brindle Foods", "predicate": "supplies", "to": "Copperleaf"}],
    },
)
COMMITS = ("Plum blossom: a third is lost to frost at Copperleaf.", "Copperleaf should buy plums from Brindle Foods.")
MANIFEST = {
    "source": "orchard_sensors",
    "metrics": [{"metric": "soil_temp", "unit": "°C", "aggregation": "avg", "categories": ["plot"]}],
}
TEMPERATURES = (("2026-02-02", "north", 4.0), ("2026-02-03", "north", 5.0), ("2026-02-03", "south", 3.0))


def prepare(memory: Memory) -> None:
    """Fill an example world."""
    told = memory.as_actor("cli", "ingest")
    for line in LINES:
        with told.write() as change:
            write_line(change, parse_line(line))
    with told.write() as change:
        declare_manifest(change, MANIFEST)
        for day, plot, value in TEMPERATURES:
            at = {"source": "orchard_sensors", "metric": "soil_temp", "at": f"{day}T06:00:00Z"}
            record_measurement(change, {**at, "value": value, "category": {"plot": plot}})
        enable_mesh_account(
            change, MeshAccount("files", "farm", str(files("recollect.serve.docs") / "farm"), True, False, None)
        )
    for text in COMMITS:
        with memory.as_actor("carabase", "commit_to_folio").write() as change:
            commit(change, NewCommit("Orchard", text), None, lambda _: 0)
