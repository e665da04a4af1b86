from collections.abc import Mapping
from typing import Any

from recollect.errors import RecollectError
from recollect.settings import Settings
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.declarations import Failure, Surface, Tool


def say_failure(_: Tool, __: Mapping[str, Any], failure: RecollectError, settings: Settings) -> Failure:
    said: dict[str, Any] = {"error": failure.code, "message": str(failure)}
    if isinstance(failure, BadArgument):
        said |= {"field": failure.field, "problem": failure.problem, "accepted": list(failure.accepted)}
    return Failure(said, settings.flag("toy.mark_errors", True))


surface = Surface("toy", "Notes by name.", say_failure)
