"""What the search finds for each question of an evaluation file, as training and test material of the reranker.

    python -m training.candidates FILE.jsonl … --out FOLDER [--depth 40]

Writes FOLDER/NAME.json.xz: the passages found, each once, and for every query its candidates in the order of the
search (the learned ranker included), with their scores and whether they are gold.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from recollect.embed.cached import CachedEmbedder, bundled_embedder
from recollect.search.eval_file import EvalDoc, read_eval_file
from recollect.search.evaluation import QueryGroup, group_queries, indexed_group, scratch_engine
from recollect.search.passage_search import SearchRequest, search_passages
from recollect.search.ranking import PassageHit
from recollect.when.instant import HOUR

CACHE = Path("~/.cache/recollect-training").expanduser()


def candidates(path: Path, depth: int) -> dict[str, Any]:
    """Passages and queries of a file; a query lists pairs of a passage's place and its score, best first."""
    embedder = CachedEmbedder(bundled_embedder(), CACHE)
    passages: dict[tuple[str, str, int], int] = {}
    texts: list[dict[str, str | None]] = []
    queries: list[dict[str, Any]] = []
    with scratch_engine(None) as engine:
        for group in group_queries(read_eval_file(path)):
            before = dict(_turns_before(group))
            with indexed_group(engine, group, embedder) as indexed:
                for query in group.queries:
                    request = SearchRequest(query.text, query.at or indexed.now, limit=depth)
                    found = search_passages(indexed.index, request, embedder).hits
                    places = []
                    for hit in found:
                        doc = indexed.ids[hit.document]
                        key = (group.name, doc, hit.chunk.start)
                        if key not in passages:
                            passages[key] = len(texts)
                            texts.append(_passage(hit, before.get(doc)))
                        places.append((passages[key], round(hit.score, 4), doc in query.gold))
                    facts = {"text": query.text, "gold": len(query.gold), "category": query.category}
                    queries.append({**facts, "group": group.name, "id": query.id, "hits": places})
    return {"passages": texts, "queries": queries}


def _passage(hit: PassageHit, before: EvalDoc | None) -> dict[str, str | None]:
    return {
        "text": hit.chunk.text,
        "author": hit.chunk.author,
        "title": hit.chunk.title,
        "before": f"{before.author}: {before.text}" if before else None,
    }


def _turns_before(group: QueryGroup) -> Iterator[tuple[str, EvalDoc]]:
    """For each turn the one said before it, no more than an hour earlier."""
    docs = list(group.docs)
    for one, other in pairwise(docs):
        gap = (other.source_at or 0) - (one.source_at or 0)
        if one.author and other.author and 0 <= gap <= HOUR:
            yield other.id, one


def main() -> None:
    parser = argparse.ArgumentParser(description="What the search finds, for training a reranker")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--depth", type=int, default=40)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for path in asked.files:
        found = candidates(path, asked.depth)
        packed = lzma.compress(json.dumps(found, ensure_ascii=False).encode())
        (asked.out / f"{path.stem}.json.xz").write_bytes(packed)


if __name__ == "__main__":
    main()
