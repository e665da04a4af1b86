"""The shape of the answers that are asked of a model."""

from recollect.llm.port import Json

TEXT: Json = {"type": "string"}
MAYBE: Json = {"type": ["string", "null"]}
SURE: Json = {"type": "number", "minimum": 0, "maximum": 1}


def lists_of(most: int, **items: Json) -> Json:
    """An object with a list under each name, none of them longer than `most`."""
    lists = {name: {"type": "array", "maxItems": most, "items": item} for name, item in items.items()}
    return {"type": "object", "properties": lists, "required": list(lists)}
