"""`recollect hook EVENT`: asks a running server, else reads the store itself. Whatever happens, it exits with 0."""

import gc
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from recollect.serve.hooks.endpoint import ask_server, socket_path, state_folder
from recollect.serve.hooks.payload import HookInput, input_of, output, read_input, write_output
from recollect.serve.hooks.session import load_session
from recollect.settings import Settings, read_settings

LONGEST_SECONDS = {"session-start": 5.0, "user-prompt": 3.0, "capture": 5.0}
CAPTURE_PAUSE_SECONDS = 60
"""A transcript is taken at most so often while a session goes on; its end and a compaction always take it."""
LARGEST_LOG = 1_000_000
IMPORT = "import"
OPTIONS = ("--db", "--workspace", "--surface")


def main(arguments: Sequence[str]) -> None:
    """Run a hook and leave without waiting for anything."""
    # The process ends before garbage would matter; looking for it costs a tenth of its time.
    gc.disable()
    run(arguments)
    sys.stdout.flush()
    os._exit(0)


def run(arguments: Sequence[str]) -> None:
    """Print the context for an event, or nothing; a failure is only logged."""
    try:
        _run(arguments)
    except BaseException as problem:
        log(f"{' '.join(arguments[:1])} {getattr(problem, 'code', '')} {type(problem).__name__}")


def _run(arguments: Sequence[str]) -> None:
    words = _take_options(arguments)
    if words[:1] == [IMPORT]:
        _import(words[1])
        return
    given = read_input(words[0] if words else "", _stdin())
    if given is None:
        log(f"unknown event or input: {' '.join(words[:1])[:40]}")
        return
    watchdog = threading.Timer(LONGEST_SECONDS[given.event], _give_up, (given.event,))
    watchdog.daemon = True
    watchdog.start()
    try:
        text = _answer(given)
    finally:
        watchdog.cancel()
    write_output(output(given, text))


def _take_options(arguments: Sequence[str]) -> list[str]:
    """The words of a call without the shared options, which go into the environment."""
    words, rest = [], list(arguments)
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if name in OPTIONS and (value or rest):
            os.environ[f"RECOLLECT_{name[2:].upper()}"] = value or rest.pop(0)
        else:
            words.append(word)
    return words


def _stdin() -> bytes:
    return b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()


def _give_up(event: str) -> None:
    """The agent waits for us: better no context than a late one."""
    log(f"{event} took too long")
    os._exit(0)


def _answer(given: HookInput) -> str:
    settings = _settings(given)
    if given.event == "capture" and not _is_due(given):
        return ""
    answer = ask_server(socket_path(settings), {"input": given.as_json()})
    if answer is not None:
        return str(answer.get("text", ""))
    if given.event == "capture":
        _start_import(given)
        return ""
    return _read_store(settings, given)


def _settings(given: HookInput) -> Settings:
    folder = Path(given.folder) if given.folder else None
    return read_settings(folder=folder)


def _read_store(settings: Settings, given: HookInput) -> str:
    """Read the store in this process, if there is one."""
    from recollect.serve.hooks.events import answer_event
    from recollect.serve.open_store import OpenStore

    database = settings.database
    if "://" not in database and not Path(database).expanduser().exists():
        return ""
    return answer_event(OpenStore(settings), given)


def _is_due(given: HookInput) -> bool:
    if not given.transcript:
        return False
    state, now = load_session(given.session), time.time()
    if not given.is_last and now - state.captured_at < CAPTURE_PAUSE_SECONDS:
        return False
    state.captured_at = now
    state.save()
    return True


def _start_import(given: HookInput) -> None:
    """A process of its own takes the transcript in and ends; the hook does not wait for it."""
    import json
    import subprocess

    subprocess.Popen(
        [sys.executable, "-m", "recollect", "hook", IMPORT, json.dumps(given.as_json())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        close_fds=True,
    )


def _import(text: str) -> None:
    import hashlib
    import json

    from recollect.serve.hooks.events import capture
    from recollect.serve.open_store import OpenStore

    given = input_of(json.loads(text))
    name = hashlib.sha256(given.transcript.encode("utf-8", "replace")).hexdigest()[:16]
    if hasattr(os, "nice"):
        os.nice(10)
    with (state_folder() / f"{name}.lock").open("w") as lock:
        if not _is_locked(lock.fileno()):
            return
        with OpenStore(_settings(given)) as opened:
            turns = capture(opened, given)
        log(f"captured {turns} turns")


def _is_locked(handle: int) -> bool:
    """Whether this process may import: another that imports the same transcript sees it all."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def log(line: str) -> None:
    """Codes and types only, never what was said."""
    try:
        path = state_folder() / "hooks.log"
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_suffix(".log.1"))
        with path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {line}\n")
    except OSError:
        pass
