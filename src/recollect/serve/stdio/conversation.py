"""One conversation over stdin and stdout: each message to whoever answers it, until the client has gone."""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from recollect.model.progress import Progress
from recollect.serve.hearing import REBUILD, rebuild_params
from recollect.serve.readable_json import is_readable, load, readable
from recollect.serve.stdio.crew import Crew
from recollect.serve.stdio.eras import INTERNAL_ERROR, PARSE_ERROR, Id, error_line, notice
from recollect.serve.stdio.straight import Later, Now, Straight

if TYPE_CHECKING:
    from recollect.serve.stdio.sdk import Sdk

log = logging.getLogger(__name__)

AT_ONCE = 16


class Conversation:
    """Reads on the thread that runs it; calls run on threads of their own, and the SDK, once woken, on its loop."""

    def __init__(self, straight: Straight, say: Callable[[bytes], None], wake: "Callable[[list[str]], Sdk]") -> None:
        self._straight = straight
        self._say = say
        self._wake = wake
        self._sdk: Sdk | None = None
        self._greeting: list[str] = []
        self._running: set[Id] = set()
        self._crew = Crew(AT_ONCE)

    def run(self, lines: Iterable[str]) -> None:
        """Until the client has gone and has its answers: it may close its end right behind its last question."""
        try:
            for line in lines:
                if line.strip():
                    self._read(line)
        finally:
            self._crew.end()
            if self._sdk is not None:
                self._sdk.end()

    def hear_of(self, _: str, progress: Progress) -> None:
        """Tell of work that nobody asked for; from any thread."""
        params = rebuild_params(progress)
        if params is not None and self._straight.may_be_told:
            self._say(notice(REBUILD, params))

    def _read(self, line: str) -> None:
        try:
            message = load(line)
        except ValueError:
            self._say(error_line(None, PARSE_ERROR, "not valid JSON"))
        else:
            self._hear(line, message)

    def _hear(self, line: str, message: Any) -> None:
        match self._straight.reply(message):
            case Now(answer, is_greeting):
                if is_greeting:
                    self._greeting.append(line)
                if answer:
                    self._say(answer)
            case Later(ident) as later if ident not in self._running:
                self._running.add(ident)
                self._crew.give(partial(self._answer, later))
            case _:
                self._pass_on(line, message)

    def _answer(self, later: Later) -> None:
        try:
            line = later.line()
        except Exception:
            log.exception("an answer could not be written")
            line = error_line(later.ident, INTERNAL_ERROR, "internal error")
        if later.ident in self._running:
            self._running.discard(later.ident)
            self._say(line)

    def _pass_on(self, line: str, message: Any) -> None:
        """To the SDK, which is woken for anything but a notice."""
        is_notice = isinstance(message, dict) and "method" in message and "id" not in message
        if is_notice and self._is_cancelled(message):
            return
        if self._sdk is None and not is_notice:
            self._sdk = self._wake(self._greeting)
        if self._sdk is not None:
            self._sdk.hear(line if is_readable(line) else readable(line), message)

    def _is_cancelled(self, notice: dict[str, Any]) -> bool:
        """Whether this takes back a call of ours; it may still run to its end, but nobody hears of it."""
        params: Any = notice.get("params")
        ident = params.get("requestId") if isinstance(params, dict) else None
        if notice["method"] != "notifications/cancelled" or not isinstance(ident, str | int):
            return False
        was_running = ident in self._running
        self._running.discard(ident)
        return was_running
