"""Servers without sessions behind HAProxy: whichever answers, the answer is the same, and one may die."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.cluster.balanced import HAS_BALANCER, NO_BALANCER, balancer, call_verb, stateless_servers
from tests.durability.looking import assert_whole
from tests.support.databases import new_postgres_database

PLACES = ("Porto", "Lisbon", "Braga", "Faro")


@pytest.mark.skipif(not HAS_BALANCER, reason=NO_BALANCER)
def test_calls_go_to_any_server_and_go_on_when_one_is_killed(postgres_server: str) -> None:
    address = new_postgres_database(postgres_server)
    with (
        TemporaryDirectory(prefix="rcl-") as folder,
        stateless_servers(address, 2) as servers,
        balancer(Path(folder), servers) as port,
    ):
        served = [call_verb(port, "remember", place, text=f"Lena lives in {place}.")[1] for place in PLACES]
        seen = [call_verb(port, "history", about="Lena") for _ in range(2)]
        assert sorted(set(served)) == sorted({by for _, by in seen}) == sorted(f"s{each.port}" for each in servers)
        assert seen[0][0] == seen[1][0]
        replayed = [call_verb(port, "remember", "Faro", text="Lena lives in Faro.")[0] for _ in range(2)]
        assert replayed[0] == replayed[1]
        assert call_verb(port, "history", about="Lena")[0] == seen[0][0]
        servers[0].kill()
        # A call that finds its server dead is given to the other one.
        after = {call_verb(port, "history", about="Lena")[1] for _ in range(4)}
        assert after == {f"s{servers[1].port}"}
    assert_whole(address)
