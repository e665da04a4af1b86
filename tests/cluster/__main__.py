"""`make cluster KILLS=…`: kill the primary of a Patroni cluster under load, and look for what was lost.

Needs patroni, etcd and haproxy; without them it says so and ends.
"""

import argparse
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from recollect.memory import open_memory
from recollect.settings import Settings
from tests.cluster.patroni import Cluster, missing_programs, running_cluster, wait_for
from tests.histories.campaign import Session, stored_order
from tests.histories.history import Operation, check_history
from tests.histories.servers import Line, running
from tests.support.processes import end_on_sigterm, say

SERVERS = 2
SESSIONS = 4
SECONDS_BEFORE_A_KILL = 5.0
MOST_CALLS = 1_000_000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=10)
    given = options.parse_args()
    end_on_sigterm()
    missing = missing_programs()
    if missing:
        sys.stdout.write(
            f"skipped: {', '.join(missing)} not found (Debian: apt-get install patroni etcd-server haproxy)\n"
        )
        return
    with (
        TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as folder,
        running_cluster(Path(folder)) as cluster,
    ):
        with closing(open_memory(cluster.address, settings=Settings())) as memory:
            workspace = memory.workspace
        killed, history = drill(Path(folder), cluster, given.kills)
        cluster.wait_for_leader()
        wrong = check_history(history, stored_order(cluster.address, workspace.ws))
    _report(killed, history, wrong)
    sys.exit(1 if wrong else 0)


def drill(folder: Path, cluster: Cluster, kills: int) -> tuple[list[float], list[Operation]]:
    """When the primary was killed, and what the sessions did meanwhile."""
    ended, killed = threading.Event(), []
    with (
        running(folder, cluster.address, SERVERS, Random(7), clocks=("",)) as servers,
        ThreadPoolExecutor(SESSIONS) as pool,
    ):
        sessions = [Session(n, Line(servers, Random(n), "default"), Random(-n), "drill") for n in range(SESSIONS)]
        work = [pool.submit(session.run, MOST_CALLS, ended) for session in sessions]
        try:
            for _ in range(kills):
                killed.append(_kill_primary(cluster, sessions))
                say(f"killed; the next write after {_pause(killed[-1], _all(sessions)):.1f} s")
        finally:
            ended.set()
        return killed, [each for session in work for each in session.result()]


def _kill_primary(cluster: Cluster, sessions: list[Session]) -> float:
    """Kill it once a synchronous standby stands, wait until a write is acknowledged again, and bring it back."""
    leader = cluster.wait_for_leader()
    time.sleep(SECONDS_BEFORE_A_KILL)
    leader.kill()
    killed = time.monotonic()  # until now it may have acknowledged writes
    wait_for(lambda: _pause(killed, _all(sessions)) > 0)
    leader.start()
    return killed


def _all(sessions: list[Session]) -> list[Operation]:
    return [each for session in sessions for each in list(session.history)]


def _pause(killed: float, history: list[Operation]) -> float:
    """The seconds from a kill to the first write that began after it and was acknowledged; 0 if there is none yet."""
    ends = [each.ended for each in history if each.kind == "write" and each.outcome == "done" and each.began > killed]
    return min(ends) - killed if ends else 0.0


def _report(killed: list[float], history: list[Operation], wrong: list[str]) -> None:
    counts = sorted(Counter(f"{each.kind} {each.outcome}" for each in history).items())
    pauses = sorted(_pause(each, history) for each in killed)
    say(f"{len(killed)} kills of the primary; {', '.join(f'{count} × {what}' for what, count in counts)}")
    say(f"until the next acknowledged write: median {pauses[len(pauses) // 2]:.1f} s, longest {pauses[-1]:.1f} s")
    say("\n".join([f"{len(wrong)} violations", *wrong]))


if __name__ == "__main__":
    main()
