"""Verdicts on claims whose evidence is stored as a document, beside what people said of them.

    python -m benchmarks.claims

Reads FeverSymmetric from RECOLLECT_DATA (default: ../shared/data) and says so where it is absent.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from recollect.change_listeners import standard_listeners
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory, create_workspace, open_memory
from recollect.settings import Settings
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

TOOL = "carabase_verify_hypothesis"
SAYS = {"corroborated": "SUPPORTS", "contradicted": "REFUTES"}


def verdict(memory: Memory, claim: str, evidence: str) -> str:
    """The verdict in a workspace that holds the evidence and nothing else."""
    with memory.as_actor("cli", "ingest").write() as change:
        write_line(change, parse_line({"record": {"id": "evidence", "type": "note", "content": evidence}}))
    tool = find_surface("carabase").find(TOOL)
    answer = call(tool, lambda each: memory.as_actor("carabase", each.name), {"claim": claim})
    return str(answer.structured.get("verdict", "refused"))


def main() -> None:
    path = Path(os.environ.get("RECOLLECT_DATA", "../shared/data")) / "claims" / "fever_symmetric_dev.jsonl"
    if not path.exists():
        sys.stdout.write(f"claims: not in {path.parent}; skipped\n")
        return
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    came: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(str(Path(folder) / "claims.db"), settings=Settings(), followers=standard_listeners())
        for number, row in enumerate(rows):
            beside = memory.for_workspace(create_workspace(memory.engine, f"claim {number}", memory.clock))
            came[verdict(beside, row["claim"], row["evidence"]), row["gold_label"]] += 1
        memory.close()
    report(came, len(rows))


def report(came: Counter[tuple[str, str]], total: int) -> None:
    decided = sum(count for (said, _), count in came.items() if said in SAYS)
    right = sum(count for (said, gold), count in came.items() if SAYS.get(said) == gold)
    for (said, gold), count in sorted(came.items()):
        sys.stdout.write(f"{said:14} {gold:9} {count:5}\n")
    shares = f"decided {decided / total:.1%}, of these right {right / decided:.1%}, wrong {1 - right / decided:.1%}"
    sys.stdout.write(f"{total} claims: {shares}\n")


if __name__ == "__main__":
    main()
