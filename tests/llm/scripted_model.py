"""A scripted language model that records its requests."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from recollect.llm.port import ModelRequest, ModelUnavailable

Answer = str | Mapping[str, Any] | ModelUnavailable
Script = Sequence[Answer] | Callable[[ModelRequest], Answer]


class ScriptedModel:
    """Returns its answers in turn, or those of a function; without any left it is unavailable."""

    name = "scripted"

    def __init__(self, script: Script) -> None:
        self.asks: list[ModelRequest] = []
        self._script = script

    def answer(self, ask: ModelRequest) -> str:
        self.asks.append(ask)
        answer = self._next(ask)
        if isinstance(answer, ModelUnavailable):
            raise answer
        return answer if isinstance(answer, str) else json.dumps(answer)

    def _next(self, ask: ModelRequest) -> Answer:
        if callable(self._script):
            return self._script(ask)
        place = len(self.asks) - 1
        return self._script[place] if place < len(self._script) else ModelUnavailable(self.name, "nothing left to say")
