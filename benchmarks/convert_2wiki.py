"""2WikiMultiHopQA as lines for `recollect eval retrieval`: a document per passage, all in one pool.

python -m benchmarks.convert_2wiki 2wiki_corpus.json 2wiki_questions_first500.json > 2wiki.jsonl
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

Line = dict[str, dict[str, object]]


def lines(corpus: Path, questions: Path) -> Iterator[Line]:
    """Every passage, then every question with all passages of its gold titles."""
    by_title: dict[str, list[str]] = defaultdict(list)
    for number, passage in enumerate(json.loads(corpus.read_text(encoding="utf-8"))):
        by_title[passage["title"]].append(str(number))
        yield {"doc": {"id": str(number), "title": passage["title"], "text": passage["text"]}}
    for asked in json.loads(questions.read_text(encoding="utf-8")):
        gold = [number for title in asked["gold_titles"] for number in by_title[title]]
        yield {"query": {"id": asked["id"], "text": asked["question"], "gold": gold, "category": asked["type"]}}


def main() -> None:
    for line in lines(Path(sys.argv[1]), Path(sys.argv[2])):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
