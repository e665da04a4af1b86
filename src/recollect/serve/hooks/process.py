"""The process of `recollect hook EVENT`: an agent waits for it, so a capture goes on in a child of low priority.

Until then it loads `os` and `sys` alone: what a capture imports takes longer than Python needs to start.
"""

import gc
import os
import sys

from recollect.serve.hooks.event_names import CAPTURES

PRIORITY = 10
HIGHEST_DESCRIPTOR = 4_096
AUTOGROUP = "/proc/self/autogroup"
DETACHED = "RECOLLECT_HOOK_DETACHED"


def main(arguments: list[str]) -> None:
    """Run a hook and leave without waiting for anything; whatever happens, it exits with 0 and prints only context."""
    # The process ends before garbage would matter; looking for it costs a tenth of its time.
    gc.disable()
    try:
        stdin = read_stdin()
        if not CAPTURES.isdisjoint(word.lower() for word in arguments):
            detach(arguments, stdin)
        from recollect.serve.hooks.client import run

        run(arguments, stdin)
        sys.stdout.flush()
    finally:
        os._exit(0)


def read_stdin() -> bytes:
    return b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()


def detach(arguments: list[str], stdin: bytes) -> None:
    """Go on in a child that nobody waits for, and end this process."""
    if not hasattr(os, "fork"):
        _start_child(arguments, stdin)
        return
    if os.fork():
        os._exit(0)
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    # An agent may wait until nobody holds the other end of a pipe that it opened.
    os.closerange(3, HIGHEST_DESCRIPTOR)
    lower_priority()


def _start_child(arguments: list[str], stdin: bytes) -> None:
    """Without `fork`: start the same hook again and end this process; the child continues from here."""
    if DETACHED in os.environ:
        return
    import subprocess

    command = [sys.executable, "-m", "recollect", "hook", *arguments]
    unread = subprocess.DEVNULL
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=unread, stderr=unread, env={**os.environ, DETACHED: "1"}
    )
    if child.stdin is not None:
        child.stdin.write(stdin)
        child.stdin.close()
    os._exit(0)


def lower_priority() -> None:
    """Leave the processor to others.

    Linux shares it among sessions first, whatever the priority of their processes, so the session is lowered as well.
    """
    os.nice(PRIORITY)
    try:
        descriptor = os.open(AUTOGROUP, os.O_WRONLY)
        os.write(descriptor, str(PRIORITY).encode())
        os.close(descriptor)
    except OSError:
        return
