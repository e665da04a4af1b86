"""What the examples of this surface are asked about: an orchard, its supplier, a frost and what was made of it."""

from importlib.resources import files
from typing import Any

from recollect.ingest.line import line_of
from recollect.ingest.take import take
from recollect.keep.artifacts.commits import NewCommit, commit
from recollect.keep.mesh.accounts import Account, enable
from recollect.keep.series.manifest import declare
from recollect.keep.series.measure import take_measurement
from recollect.memory import Memory

# What others tell about would stand beside the orchard in every list.
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
    told = memory.acting("cli", "ingest")
    for line in LINES:
        with told.write() as change:
            take(change, line_of(line))
    with told.write() as change:
        declare(change, MANIFEST)
        for day, plot, value in TEMPERATURES:
            at = {"source": "orchard_sensors", "metric": "soil_temp", "at": f"{day}T06:00:00Z"}
            take_measurement(change, {**at, "value": value, "category": {"plot": plot}})
        enable(change, Account("files", "farm", str(files("recollect.serve.docs") / "farm"), True, False, None))
    for text in COMMITS:
        with memory.acting("carabase", "commit_to_folio").write() as change:
            commit(change, NewCommit("Orchard", text), None, lambda _: 0)
