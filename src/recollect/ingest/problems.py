"""Why a line was not taken."""

from recollect.errors import Refused


class BadLine(Refused):
    code = "bad_line"

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}", field=field)
