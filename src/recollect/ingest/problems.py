"""Why a line was not taken."""

from recollect.errors import Refused

LONGEST_REASON = 400
"""A value that goes on for longer is told by its beginning."""


class BadLine(Refused):
    code = "bad_line"

    def __init__(self, field: str, why: str) -> None:
        told = why if len(why) <= LONGEST_REASON else f"{why[:LONGEST_REASON]}…"
        super().__init__(f"{field}: {told}", field=field)
        self._field, self._why = field, why

    def within(self, place: str) -> "BadLine":
        """The same fault of a part, told from the whole that it stands in."""
        return BadLine(f"{place}{self._field}", self._why)


def too_long(field: str, text: str, limit: int) -> BadLine:
    return BadLine(field, f"has at most {limit} characters, not {len(text)}")
