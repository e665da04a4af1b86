"""Natural language inference by a model, for the evidence that the heuristics left neutral."""

from collections.abc import Sequence

from recollect.llm.answers import ask_with_schema
from recollect.llm.port import Json, LanguageModel, ModelRequest
from recollect.llm.prompts import DATA_RULE, delimit_text
from recollect.reason.verify.stance import Sign
from recollect.reason.verify.verification import EvidenceItem

NLI_WEIGHT = 0.5
MAX_ITEMS = 50
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
_SYSTEM = f"For each numbered piece of evidence say whether it supports the claim, opposes it, or neither. {DATA_RULE}"


def model_stances(model: LanguageModel, claim: str, items: Sequence[EvidenceItem]) -> list[tuple[EvidenceItem, Sign]]:
    """The items on which the model takes a side."""
    numbered = list(enumerate(items[:MAX_ITEMS], start=1))
    if not numbered:
        return []
    listed = "\n".join(f"{number}. {delimit_text(item.text, 'EVIDENCE')}" for number, item in numbered)
    answer = ask_with_schema(model, ModelRequest(_SYSTEM, f"{delimit_text(claim, 'CLAIM')}\n{listed}", _SCHEMA))
    signs = {each["number"]: _SIGNS[each["stance"]] for each in answer["stances"]}
    stances = ((item, signs.get(number, 0)) for number, item in numbered)
    return [(item, sign) for item, sign in stances if sign]
