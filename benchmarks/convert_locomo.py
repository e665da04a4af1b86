"""LoCoMo as lines for `recollect eval retrieval`: a document per turn, a group per chat.

python -m benchmarks.convert_locomo locomo_1to5.json > locomo.jsonl
"""

import json
import re
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
EVIDENCE = re.compile(r"D:?(\d+):(\d+)")

Line = dict[str, dict[str, object]]


def lines(path: Path) -> Iterator[Line]:
    """Every chat's turns, then its questions; evidence that names no turn is dropped."""
    for chat in json.loads(path.read_text(encoding="utf-8")):
        turns = list(_turns(chat["conversation"], chat["sample_id"]))
        known = {str(turn["id"]) for turn in turns}
        yield from ({"doc": turn} for turn in turns)
        for number, asked in enumerate(chat["qa"]):
            named = [f"{chat['sample_id']}/D{s}:{t}" for said in asked["evidence"] for s, t in EVIDENCE.findall(said)]
            gold = [turn for turn in dict.fromkeys(named) if turn in known]
            if gold:
                yield {"query": _query(chat["sample_id"], number, asked, gold)}


def _turns(talk: dict[str, object], chat: str) -> Iterator[dict[str, object]]:
    numbers = sorted(int(key.removeprefix("session_")) for key in talk if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        at = _instant(str(talk[f"session_{number}_date_time"]))
        said = talk[f"session_{number}"]
        assert isinstance(said, list)
        for turn in said:
            shown = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = turn["text"] + shown
            yield {
                "id": f"{chat}/{turn['dia_id']}",
                "text": text,
                "author": turn["speaker"],
                "source_at": at,
                "group": chat,
            }


def _query(chat: str, number: int, asked: dict[str, object], gold: list[str]) -> dict[str, object]:
    category = CATEGORIES[int(str(asked["category"]))]
    return {"id": f"{chat}/q{number}", "text": asked["question"], "gold": gold, "group": chat, "category": category}


def _instant(said: str) -> str:
    return datetime.strptime(said, "%I:%M %p on %d %B, %Y").strftime("%Y-%m-%dT%H:%M:%SZ")


def main() -> None:
    for line in lines(Path(sys.argv[1])):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
