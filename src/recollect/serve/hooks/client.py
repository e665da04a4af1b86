"""What `recollect hook EVENT` does: asks a running server, else reads the store itself. A failure is only logged."""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from recollect.serve.hooks.endpoint import ask_server, socket_path, state_folder
from recollect.serve.hooks.payload import Event, HookInput, output, read_input, write_output
from recollect.serve.hooks.session import load_session
from recollect.settings import Settings, read_settings

LONGEST_SECONDS = {"session-start": 5.0, "user-prompt": 3.0}
CAPTURE_PAUSE_SECONDS = 60
"""The least time between two captures of a running session; its end and a compaction are always captured."""
LARGEST_LOG = 1_000_000
OPTIONS = ("--db", "--workspace", "--surface")


def run(arguments: Sequence[str], stdin: bytes) -> None:
    """Print the context for an event, or take its transcript in; a failure is only logged."""
    try:
        _run(arguments, stdin)
    except BaseException as problem:
        log(f"{' '.join(arguments[:1])} {getattr(problem, 'code', '')} {type(problem).__name__}")


def _run(arguments: Sequence[str], stdin: bytes) -> None:
    words = _take_options(arguments)
    given = read_input(words[0] if words else "", stdin)
    if given is None:
        log(f"unknown event or input: {' '.join(words[:1])[:40]}")
    elif given.event == "capture":
        _capture(given)
    else:
        with _watchdog(given.event):
            text = _answer(given)
        write_output(output(given, text))


@contextmanager
def _watchdog(event: Event) -> Iterator[None]:
    """The agent waits for us: better no context than a late one."""
    watchdog = threading.Timer(LONGEST_SECONDS[event], _give_up, (event,))
    watchdog.daemon = True
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()


def _give_up(event: str) -> None:
    log(f"{event} took too long")
    os._exit(0)


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


def _answer(given: HookInput) -> str:
    settings = _settings(given)
    answer = ask_server(socket_path(settings), {"input": given._asdict()})
    return _read_store(settings, given) if answer is None else str(answer.get("text", ""))


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


def _capture(given: HookInput) -> None:
    """Have a running server take the transcript in, else do it here."""
    if _is_due(given) and ask_server(socket_path(_settings(given)), {"input": given._asdict()}) is None:
        with _turn(given.transcript) as is_ours:
            if is_ours:
                log(f"captured {_import(given)} turns")


def _import(given: HookInput) -> int:
    from recollect.serve.hooks.events import capture
    from recollect.serve.open_store import OpenStore

    with OpenStore(_settings(given)) as opened:
        return capture(opened, given)


@contextmanager
def _turn(transcript: str) -> Iterator[bool]:
    """Wait for the process that imports a transcript; false if another waits already, which will see all of it."""
    import hashlib

    name = hashlib.sha256(transcript.encode("utf-8", "replace")).hexdigest()[:16]
    with (state_folder() / f"{name}.lock").open("w") as now, (state_folder() / f"{name}.next").open("w") as following:
        if not _lock(following.fileno(), wait=False):
            yield False
            return
        _lock(now.fileno(), wait=True)
        following.close()
        yield True


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock a file until it is closed; without locks, importing a transcript twice at once changes nothing."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
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
