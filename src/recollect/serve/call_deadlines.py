"""Calls on worker threads, each with a deadline, so that every call is answered in time."""

import asyncio
import math
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TypeVar

import anyio
from anyio import CapacityLimiter, WouldBlock, get_cancelled_exc_class, to_thread
from starlette.types import Receive

from recollect.deadline import CallDeadline

Value = TypeVar("Value")

_THREADS = ThreadPoolExecutor(1_000, "call")
"""Started as they are needed; how many run at once is for the limiters to say."""
GRACE_SECONDS = 1.0
"""How long a call may take to notice its deadline; then it is answered while its thread goes on, unable to commit."""


async def run_call(
    deadline: CallDeadline,
    job: Callable[[], Value],
    limiter: CapacityLimiter,
    late: Callable[[], Value],
    *,
    may_renew: bool = False,
) -> Value:
    """The result of a job, or that of `late` if the job does not end in time; cancelling this cancels the job."""
    longest = math.inf if may_renew else deadline.remaining + GRACE_SECONDS
    try:
        with anyio.move_on_after(longest):
            return await _run_on_thread(partial(deadline.run, job), limiter)
    except get_cancelled_exc_class():
        # On a thread: it waits for a commit that has begun, and may send a message to the database.
        threading.Thread(target=deadline.cancel, daemon=True).start()
        raise
    await to_thread.run_sync(deadline.cancel)
    return late()


async def _run_on_thread(job: Callable[[], Value], limiter: CapacityLimiter) -> Value:
    """The result of a job on a thread, which is left to itself if this is cancelled.

    `to_thread.run_sync` does the same in three more turns of the event loop, a fifth of the time of a cheap call.
    """
    borrower = object()
    try:
        limiter.acquire_on_behalf_of_nowait(borrower)
    except WouldBlock:
        await limiter.acquire_on_behalf_of(borrower)
    try:
        return await asyncio.wrap_future(_THREADS.submit(copy_context().run, job))
    finally:
        limiter.release_on_behalf_of(borrower)


async def run_in_time(seconds: float, job: Callable[[], Value], limiter: CapacityLimiter) -> Value:
    """The result of a job on a thread; raises `CallStopped` if it does not end in the given seconds."""
    deadline = CallDeadline(seconds)

    def late() -> Value:
        raise deadline.failure()

    return await run_call(deadline, job, limiter, late)


async def while_connected(receive: Receive, work: Callable[[], Awaitable[Value]]) -> Value | None:
    """The result of work for a client whose request has been read; None if the client disconnects, which cancels it."""
    result: Value | None = None
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            tasks.cancel_scope.cancel()

        tasks.start_soon(watch)
        try:
            result = await work()
        except Exception as raised:
            # Out of the task group, which would wrap it.
            failure = raised
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result
