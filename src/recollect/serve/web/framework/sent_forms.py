"""Forms that are sent twice, by a double click or from a page that was left open: each is carried out once."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from starlette.datastructures import FormData

from recollect.deadline import acquire_in_time
from recollect.serve.web.framework.pages import ActionResult, PageRequest
from recollect.serve.web.framework.sessions import CSRF_FIELD
from recollect.store.idempotency import CallClaim, CallRepeated
from recollect.surfaces.dispatch import json_bytes

FORM_KEY = "form_key"
"""The field with the key that a page gives all of its forms, new each time it is shown."""
RESULTS_KEPT = 256
ALREADY_DONE = "This was sent before, and is done."


@dataclass(frozen=True)
class SentForms:
    """What became of the last forms, in memory only: a result may show a secret once."""

    _results: OrderedDict[str, ActionResult] = field(default_factory=OrderedDict)
    _locks: tuple[threading.Lock, ...] = field(default_factory=lambda: tuple(threading.Lock() for _ in range(64)))

    def run_once(self, action: str, request: PageRequest, run: Callable[[PageRequest], ActionResult]) -> ActionResult:
        """The result of an action, or the earlier one if the very same form was carried out before."""
        if not request.text(FORM_KEY):
            return run(request)
        memory, key = request.memory, _form_digest(action, request)
        claim = CallClaim(memory.workspace.ws, request.caller.subject, key, key, memory.clock.now())
        lock = self._locks[int(key[:4], 16) % len(self._locks)]
        acquire_in_time(lock)
        try:
            earlier = self._results.get(key)
            # A claim is committed with what the action writes, so that other servers know of it too.
            return earlier or self._keep(key, run(replace(request, memory=memory.with_parts(claim=claim))))
        except CallRepeated:
            return ActionResult(request.back(), ALREADY_DONE)
        finally:
            lock.release()

    def _keep(self, key: str, result: ActionResult) -> ActionResult:
        self._results[key] = result
        while len(self._results) > RESULTS_KEPT:
            self._results.popitem(last=False)
        return result


def _form_digest(action: str, request: PageRequest) -> str:
    """What two forms have in common that are one: their page as it was shown, their action and all that they say."""
    sent = [action, request.workspace, request.caller.subject, dict(request.path), _fields(request.form)]
    return sha256(json_bytes(sent)).hexdigest()


def _fields(form: FormData) -> list[list[object]]:
    return [
        [name, value] if isinstance(value, str) else [name, value.filename, value.size]
        for name, value in form.multi_items()
        if name != CSRF_FIELD
    ]
