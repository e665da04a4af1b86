"""Fields of forms, read and checked."""

from recollect.serve.web.framework.pages import PageRequest
from recollect.surfaces.recollect.problems import InvalidInput


def whole_number(text: str) -> int | None:
    """The number that a text of at most 18 digits is."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def number_field(request: PageRequest, name: str) -> int:
    """A positive whole number."""
    text = request.text(name)
    number = whole_number(text)
    if not number:
        raise InvalidInput(f"{name} is {text[:50]!r}; it must be a whole number", field=name)
    return number


def required_field(request: PageRequest, name: str, limit: int = 2_000) -> str:
    """A text that must not be empty."""
    text = request.text(name)
    if not 0 < len(text) <= limit:
        raise InvalidInput(
            f"{name.replace('_', ' ')} has {len(text)} characters; it must have 1 to {limit}", field=name
        )
    return text


def optional_field(request: PageRequest, name: str) -> str | None:
    return request.text(name) or None
