"""Calls on worker threads, each with a deadline: every call is answered in time, whatever its arguments."""

import asyncio
import contextvars
import math
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Never, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.types import Receive

from recollect.deadline import CallDeadline
from recollect.serve.thread_pool import ThreadPool

Value = TypeVar("Value")

GRACE_SECONDS = 1.0
"""How long a call may take to notice its deadline; then it is answered while its thread goes on, unable to commit."""
_THREADS = ThreadPool(sys.maxsize)
"""As many as the limiters of calls allow, and one for each call that was given up and still runs."""


async def run_call(
    deadline: CallDeadline,
    job: Callable[[], Value],
    limiter: CapacityLimiter,
    late: Callable[[], Value],
    *,
    may_renew: bool = False,
) -> Value:
    """The result of a job, or that of `late` if the job does not end in time; cancelling this cancels the job.

    `to_thread.run_sync` does the same, but goes through the event loop twice as often.
    """
    longest = math.inf if may_renew else deadline.remaining + GRACE_SECONDS
    try:
        result = await _run_in_thread(partial(deadline.run, job), limiter, late, longest)
    except asyncio.CancelledError:
        # On a thread: it waits for a commit that has begun, and may send a message to the database.
        threading.Thread(target=deadline.cancel, daemon=True).start()
        raise
    if result is late:
        await to_thread.run_sync(deadline.cancel)
    return result()


async def _run_in_thread(
    job: Callable[[], Value], limiter: CapacityLimiter, late: Callable[[], Value], longest: float
) -> Callable[[], Value]:
    """What returns the result of a job or raises its failure; `late` if it does not end in so many seconds."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Callable[[], Value]] = loop.create_future()
    limit = None if math.isinf(longest) else loop.call_later(longest, _deliver, done, late)
    try:
        await _wait_for_slot(limiter, done)
        if not done.done():
            work = partial(_run_job, loop, done, job)
            _THREADS.submit(partial(contextvars.copy_context().run, work))
        return await done
    finally:
        if limit is not None:
            limit.cancel()
        # There is no slot to give back if none was had in time.
        with suppress(RuntimeError):
            limiter.release_on_behalf_of(done)


async def _wait_for_slot(limiter: CapacityLimiter, done: "asyncio.Future[Callable[[], Value]]") -> None:
    """Take one of the limiter's slots on behalf of a future, unless that has its result before."""
    try:
        limiter.acquire_on_behalf_of_nowait(done)
    except anyio.WouldBlock:
        with anyio.CancelScope() as scope:
            done.add_done_callback(lambda _: scope.cancel())
            await limiter.acquire_on_behalf_of(done)


def _run_job(
    loop: asyncio.AbstractEventLoop, done: "asyncio.Future[Callable[[], Value]]", job: Callable[[], Value]
) -> None:
    result: Callable[[], Value]
    try:
        result = partial(_same, job())
    except BaseException as failure:
        result = partial(_raise, failure)
    # The loop is closed if the server ended while this ran.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(_deliver, done, result)


def _deliver(done: "asyncio.Future[Callable[[], Value]]", result: Callable[[], Value]) -> None:
    if not done.done():
        done.set_result(result)


def _same(value: Value) -> Value:
    return value


def _raise(failure: BaseException) -> Never:
    raise failure


async def while_connected(receive: Receive, work: Callable[[], Awaitable[Value]]) -> Value | None:
    """The result of work for a client whose request has been read; none if the client has gone, which cancels it."""
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
