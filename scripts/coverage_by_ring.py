"""Print statement and branch coverage by ring, from the data that `coverage run` left behind.

    python scripts/coverage_by_ring.py [--data .coverage] [--fail-under PERCENT]

`make coverage` runs the tests under coverage first.
"""

import argparse
import io
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coverage import Coverage

# From the inside out, as tests/test_layers.py has them.
RINGS = (
    ("errors",),
    ("settings", "when"),
    ("model", "text", "embed", "llm"),
    ("store",),
    ("resolve", "write"),
    ("memory",),
    ("search", "ingest", "reason", "keep"),
    ("indexing",),
    ("carabase", "change_listeners", "importers"),
    ("surfaces",),
    ("serve",),
)
HEADER = ("ring", "package", "statements", "missed", "branches", "missed", "covered")


@dataclass
class Totals:
    """Counts of one package."""

    statements: int = 0
    missed_statements: int = 0
    branches: int = 0
    missed_branches: int = 0

    @property
    def percent(self) -> float:
        total = self.statements + self.branches
        missed = self.missed_statements + self.missed_branches
        return 100.0 * (total - missed) / total if total else 100.0

    def add(self, other: "Totals") -> None:
        self.statements += other.statements
        self.missed_statements += other.missed_statements
        self.branches += other.branches
        self.missed_branches += other.missed_branches


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=".coverage", help="the data file of coverage.py")
    parser.add_argument(
        "--fail-under", type=float, default=0.0, help="exit with 1 if the total is below this percentage"
    )
    options = parser.parse_args()
    packages = totals_by_package(read_files(options.data))
    whole = Totals()
    for each in packages.values():
        whole.add(each)
    sys.stdout.write(format_table([*table_rows(packages), _row("", "total", whole)]))
    return int(whole.percent < options.fail_under)


def read_files(data: str) -> Mapping[str, Mapping[str, Any]]:
    """The summary of each source file, by path."""
    found = Coverage(data_file=data)
    found.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        stdout, sys.stdout = sys.stdout, io.StringIO()
        try:
            found.json_report(outfile=str(report))
        finally:
            sys.stdout = stdout
        files = json.loads(report.read_text("utf-8"))["files"]
    return {path: each["summary"] for path, each in files.items()}


def totals_by_package(files: Mapping[str, Mapping[str, Any]]) -> dict[str, Totals]:
    packages: dict[str, Totals] = defaultdict(Totals)
    for path, summary in files.items():
        package = package_of(path)
        if package is not None:
            packages[package].add(
                Totals(
                    summary["num_statements"],
                    summary["missing_lines"],
                    summary.get("num_branches", 0),
                    summary.get("missing_branches", 0),
                )
            )
    return packages


def package_of(path: str) -> str | None:
    """The package or module directly under recollect that a file belongs to; none for other files."""
    parts = Path(path).parts
    if "recollect" not in parts:
        return None
    inner = parts[parts.index("recollect") + 1 :]
    return inner[0].removesuffix(".py") if inner else None


def table_rows(packages: Mapping[str, Totals]) -> list[tuple[str, ...]]:
    numbers = {name: number for number, names in enumerate(RINGS, start=1) for name in names}
    ordered = sorted(packages, key=lambda name: (numbers.get(name, len(RINGS) + 1), name))
    return [_row(str(numbers.get(name, "-")), name, packages[name]) for name in ordered]


def _row(ring: str, name: str, totals: Totals) -> tuple[str, ...]:
    counts = (totals.statements, totals.missed_statements, totals.branches, totals.missed_branches)
    return (ring, name, *map(str, counts), f"{totals.percent:.1f} %")


def format_table(rows: Iterable[tuple[str, ...]]) -> str:
    lines = [HEADER, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    return "".join(f"{_aligned(line, widths)}\n" for line in lines)


def _aligned(line: tuple[str, ...], widths: list[int]) -> str:
    names = [text.ljust(width) for text, width in zip(line[:2], widths[:2], strict=True)]
    counts = [text.rjust(width) for text, width in zip(line[2:], widths[2:], strict=True)]
    return "  ".join((*names, *counts)).rstrip()


if __name__ == "__main__":
    sys.exit(main())
