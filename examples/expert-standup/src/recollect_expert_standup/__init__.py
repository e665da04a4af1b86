"""Reads the notes of a daily stand-up: what each one did, does next, and is kept from."""

import re
from typing import Any, ClassVar

_LINE = re.compile(r"^\s*(?P<what>yesterday|today|blocked)\s*:\s*(?P<said>\S.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_KINDS = {"yesterday": "update", "today": "goal", "blocked": "blocker"}
_NOTHING = frozenset({"no", "none", "nothing", "-", "n/a"})


class Standup:
    """What Recollect asks: a manifest, whether a record is worth reading, and what it says."""

    manifest: ClassVar[dict[str, Any]] = {
        "name": "standup",
        "version": "0.1.0",
        "source_type": "standup",
        "record_types": ["standup"],
        "schemas": {
            "standup": {
                "type": "object",
                "properties": {"author": {"type": "string", "minLength": 1}, "team": {"type": "string"}},
                "required": ["author"],
            }
        },
        "dedup_key": "entry",
        "relevancy_check": "required",
        "description": "Reads Yesterday, Today and Blocked lines of stand-up notes.",
    }

    def classify(self, record: dict[str, Any]) -> str:
        """Worth reading when there is a line to read; a note without one is for a person to look at."""
        text = record.get("content") or ""
        if not text.strip():
            return "noise"
        return "relevant" if _LINE.search(text) else "uncertain"

    def extract(self, record: dict[str, Any], context: dict[str, Any]) -> dict[str, list[Any]]:
        """One fact for each line, in the line's own words, on the team's project if the note names one."""
        del context
        author = record["metadata"]["author"]
        team = record["metadata"].get("team")
        entities = [{"name": author, "type": "Person"}, *([{"name": team, "type": "Project"}] if team else [])]
        facts = [
            {
                "edge_label": "ASSERTED",
                "fact_type": _KINDS[line["what"].lower()],
                "from": author,
                "to": team,
                "fact": f"{author}: {line['said']}",
                "quote": line["said"],
                "confidence": "stated",
            }
            for line in _LINE.finditer(record.get("content") or "")
            if line["said"].strip(". ").lower() not in _NOTHING
        ]
        return {"entities": entities, "facts": facts}


EXPERT = Standup()
