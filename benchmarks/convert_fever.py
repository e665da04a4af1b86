"""FEVER-symmetric as lines for `recollect eval retrieval`: a document per evidence sentence, a query per claim.

python -m benchmarks.convert_fever fever_symmetric_dev.jsonl > fever.jsonl
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

Line = dict[str, dict[str, object]]


def lines(path: Path) -> Iterator[Line]:
    """Every evidence sentence once, then every claim with all sentences it was paired with."""
    pairs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    numbers = {text: str(at) for at, text in enumerate(dict.fromkeys(pair["evidence"] for pair in pairs))}
    gold: dict[str, list[str]] = {}
    for pair in pairs:
        gold.setdefault(pair["claim"], []).append(numbers[pair["evidence"]])
    for text, number in numbers.items():
        yield {"doc": {"id": number, "text": text}}
    for at, (claim, found) in enumerate(gold.items()):
        yield {"query": {"id": f"q{at}", "text": claim, "gold": list(dict.fromkeys(found))}}


def main() -> None:
    for line in lines(Path(sys.argv[1])):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
