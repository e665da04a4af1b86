"""LongMemEval as lines for `recollect eval retrieval`: a document per session, all in one pool.

python -m benchmarks.convert_longmemeval longmemeval_oracle_first250.json.xz > longmemeval.jsonl
"""

import json
import lzma
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

Line = dict[str, dict[str, object]]


def lines(path: Path) -> Iterator[Line]:
    """Every session once, then every question with the sessions that hold its answer."""
    with lzma.open(path, "rt", encoding="utf-8") as source:
        asked = json.load(source)
    seen: set[str] = set()
    for question in asked:
        held = zip(
            question["haystack_session_ids"], question["haystack_dates"], question["haystack_sessions"], strict=True
        )
        for session, date, turns in held:
            if session not in seen:
                seen.add(session)
                text = "\n\n".join(f"{turn['role']}: {turn['content']}" for turn in turns)
                yield {"doc": {"id": session, "text": text, "source_at": _instant(date)}}
    for question in asked:
        yield {
            "query": {
                "id": question["question_id"],
                "text": question["question"],
                "gold": question["answer_session_ids"],
                "at": _instant(question["question_date"]),
                "category": question["question_type"],
            }
        }


def _instant(said: str) -> str:
    day, _, clock = said.split()
    return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").strftime("%Y-%m-%dT%H:%M:%SZ")


def main() -> None:
    for line in lines(Path(sys.argv[1])):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
