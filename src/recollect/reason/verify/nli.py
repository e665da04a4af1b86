"""A model's stance on what the heuristic left open; it only adds."""

from collections.abc import Sequence

from recollect.llm.answers import answered
from recollect.llm.fence import RULE, fenced
from recollect.llm.port import Ask, Json, Model
from recollect.reason.verify.stance import Sign
from recollect.reason.verify.verify import Item

WEIGHT = 0.5
MOST = 50
_SIGNS: dict[str, Sign] = {"supports": 1, "opposes": -1, "neither": 0}
_SCHEMA: Json = {
    "type": "object",
    "properties": {
        "stances": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"number": {"type": "integer"}, "stance": {"enum": list(_SIGNS)}},
                "required": ["number", "stance"],
            },
        }
    },
    "required": ["stances"],
}
_SYSTEM = f"For each numbered piece of evidence say whether it supports the claim, opposes it, or neither. {RULE}"


def stances(model: Model, claim: str, items: Sequence[Item]) -> list[tuple[Item, Sign]]:
    """The items on which the model takes a side."""
    asked = list(items[:MOST])
    if not asked:
        return []
    listed = "\n".join(f"{number}. {fenced(item.text, 'EVIDENCE')}" for number, item in enumerate(asked, start=1))
    found = answered(model, Ask(_SYSTEM, f"{fenced(claim, 'CLAIM')}\n{listed}", _SCHEMA))
    said = {each["number"]: _SIGNS[each["stance"]] for each in found["stances"]}
    taken = ((item, said.get(number, 0)) for number, item in enumerate(asked, start=1))
    return [(item, sign) for item, sign in taken if sign]
