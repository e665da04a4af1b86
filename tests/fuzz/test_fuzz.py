"""Hostile calls of every surface, in process: always an answer, never a crash, and no read that writes.

Longer campaigns, over stdio and HTTP too: `make fuzz`.
"""

import math
import os
import sys
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from recollect.embed import cached
from recollect.serve.docs.examples import Example, open_example
from recollect.surfaces.registry import find_surface, package_names
from tests.fuzz.campaign import InProcess, run_campaign
from tests.fuzz.pattern_sources import _imported
from tests.support.hash_embedder import HashEmbedder

CALLS = int(os.environ.get("RECOLLECT_FUZZ_CALLS", "2000"))
SEED = 1843


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Example]:
    # The model takes most of the time of the calls that ask it; `make fuzz` has the real one.
    with patch.object(cached, "bundled_embedder", HashEmbedder):
        example = open_example(str(tmp_path_factory.mktemp("fuzz") / "memory.db"))
        yield example
        example.close()


@pytest.mark.parametrize("name", package_names())
def test_hostile_calls_break_no_rule(world: Example, name: str) -> None:
    door = InProcess(lambda tool: world.of(tool.surface.name).as_actor(tool.surface.name, tool.name), math.inf)
    # Here time stands still: how long calls take is for `make fuzz` on a quiet machine.
    findings = run_campaign(find_surface(name), door, CALLS, SEED, monotonic=lambda: 0.0)
    assert findings.broken == []


def test_patterns_are_searched_where_a_framework_is_not_installed() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "langchain_core", None)
        patch.delitem(sys.modules, "recollect.adapters.langchain", raising=False)
        assert _imported("recollect.adapters.langchain") is None
