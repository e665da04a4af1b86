"""Clients of another language, over every transport and in both eras of the protocol.

They come from npm. Where node or npm cannot be had, or the packages cannot be fetched, these tests are skipped.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import COMMAND, LONGEST_WAIT, environment, http

HERE = Path(__file__).parent
CLIENTS = [("v1", "legacy"), ("v2", "legacy"), ("v2", "2026-07-28")]
SCENARIOS = ["server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"]


@pytest.fixture(scope="session")
def packages() -> Path:
    """The installed packages, kept in the user's cache between runs."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not on this machine")
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "recollect-client-tests"
    cache.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "drive.mjs"):
        shutil.copy(HERE / name, cache / name)
    if not _has_installed(npm, cache):
        pytest.skip("npm could not fetch the client packages")
    return cache


def _has_installed(npm: str, folder: Path) -> bool:
    install = [npm, "install", "--no-audit", "--no-fund", "--prefer-offline"]
    try:
        subprocess.run(install, cwd=folder, capture_output=True, timeout=LONGEST_WAIT, check=True)
    except subprocess.SubprocessError:
        return False
    return True


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with http(tmp_path_factory.mktemp("served")) as address:
        yield address


def drive(packages: Path, **job: Any) -> dict[str, Any]:
    command = ["node", "drive.mjs", json.dumps(job)]
    done = subprocess.run(command, cwd=packages, capture_output=True, text=True, timeout=LONGEST_WAIT, check=False)
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


CALLS = [
    ["record_fact", {"subject": {"type": "person", "name": "Ada"}, "predicate": "tagged", "object": {"literal": "x"}}],
    ["recall_entity", {"name_or_alias": "Ada"}],
    ["recall_entity", {"name_or_alias": "Ada", "asof": 3}],
    ["no_such_tool", {}],
]


def assert_seen_as_by_all(seen: dict[str, Any]) -> None:
    """What every client must have seen of the default surface."""
    assert seen["server"]["name"] == "recollect"
    assert all(tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object" for tool in seen["tools"])
    recorded, recalled, refused, unknown = seen["results"]
    assert recorded["structuredContent"]["subject"]["name"] == "Ada"
    assert [fact["object"] for fact in recalled["structuredContent"]["facts"]] == [{"literal": "x"}]
    assert json.loads(recalled["content"][0]["text"]) == recalled["structuredContent"]
    assert refused["structuredContent"]["error"] == "ARGUMENT_UNKNOWN"
    assert unknown == {"protocolError": -32602}


@pytest.mark.parametrize(("sdk", "era"), CLIENTS)
def test_over_stdio(packages: Path, tmp_path: Path, sdk: str, era: str) -> None:
    ours = {name: value for name, value in environment(tmp_path).items() if name.startswith("RECOLLECT_")}
    command = [*COMMAND, "stdio", "--surface", "cognitive-graph"]
    assert_seen_as_by_all(drive(packages, sdk=sdk, era=era, transport="stdio", command=command, env=ours, calls=CALLS))


@pytest.mark.parametrize(("sdk", "era"), CLIENTS)
@pytest.mark.parametrize(
    ("transport", "path"), [("http", "/mcp/cognitive-graph"), ("sse", "/mcp/sse?surface=cognitive-graph")]
)
def test_over_http(packages: Path, served: str, sdk: str, era: str, transport: str, path: str) -> None:
    assert_seen_as_by_all(drive(packages, sdk=sdk, era=era, transport=transport, url=served + path, calls=CALLS))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_official_conformance_scenario(packages: Path, served: str, scenario: str) -> None:
    node = packages / "node_modules" / ".bin" / "node"
    script = packages / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    if not node.exists():
        pytest.skip("these scenarios need Node 22, which npm could not fetch")
    command = [str(node), str(script), "server", "--url", f"{served}/mcp", "--scenario", scenario]
    done = subprocess.run(command, cwd=packages, capture_output=True, text=True, timeout=LONGEST_WAIT, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
