"""`make package`: build every artefact into dist/ and try each in a clean environment."""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

import container_check
from package_metadata import BUNDLE, RELEASES, bundle_manifest, registry_server
from recollect import __version__ as version
from recollect.serve.clients.probe import probe

ROOT = Path(__file__).parents[1]
MEGABYTE = 1_000_000
LARGEST_WHEEL = 40 * MEGABYTE
LARGEST_UNPACKED_MODELS = 75 * MEGABYTE
LONGEST_VERSION_CPU = 0.2
TOOLS = 9
LONGEST_WAIT = 600
"""Seconds: an artefact is tried for what it answers, on however busy a machine; `recollect connect` waits less."""
TRIES = 5
FIRST_CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini")
_COMMENTED = '{\n  // kept\n  "%s": {\n    "other": {"command": "x"} // kept\n  }\n}\n'
CONFIGURATIONS = {
    ".claude.json": '{"numStartups":3,"projects":{}}',
    ".config/Claude/claude_desktop_config.json": _COMMENTED % "mcpServers",
    ".cursor/mcp.json": _COMMENTED % "mcpServers",
    ".config/Code/User/mcp.json": _COMMENTED % "servers",
    ".codex/config.toml": '# kept\nmodel = "x"\n\n[mcp_servers.other] # kept\ncommand = "x"\n\n[tui]\ntheme = "y"\n',
    ".gemini/settings.json": '{\n\t"theme": "x"\n}\n',
}
"""On Linux; the tests have the places of other systems."""
BUNDLE_PROJECT = """[project]
name = "recollect-bundle"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["recollect"]

[tool.uv.sources]
recollect = {{ path = "{wheel}" }}
"""
BUNDLE_MAIN = """import sys

from recollect.serve.cli.main import main

main(sys.argv[1:] or ["stdio"])
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--releases", default=RELEASES, help="Where the files of releases are published.")
    given = parser.parse_args()
    out: Path = given.out
    shutil.rmtree(out, ignore_errors=True)
    wheel = build_wheel(out)
    bundle = build_bundle(out, wheel)
    (out / "server.json").write_text(
        json.dumps(registry_server(bundle.read_bytes(), given.releases), indent=2) + "\n", "utf-8"
    )
    with tempfile.TemporaryDirectory() as scratch:
        check_wheel(wheel, Path(scratch))
        check_bundle(bundle, Path(scratch))
    container_check.main()
    for path in sorted(out.iterdir()):
        say(f"{path.stat().st_size / MEGABYTE:6.1f} MB  {path.name}")
    check_size(wheel)


def build_wheel(out: Path) -> Path:
    """The wheel and the source archive; hatchling is a development dependency, so nothing is downloaded."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT))
    return next(out.glob("*.whl"))


def check_size(wheel: Path) -> None:
    """Last, so that a wheel that has grown is tried all the same."""
    size = wheel.stat().st_size
    with zipfile.ZipFile(wheel) as archive:
        models = sum(each.file_size for each in archive.infolist() if each.filename.endswith(".onnx"))
    require(size <= LARGEST_WHEEL, f"the wheel has {size / MEGABYTE:.1f} MB, more than 40")
    require(models <= LARGEST_UNPACKED_MODELS, f"the models have {models / MEGABYTE:.1f} MB, more than 75")


def build_bundle(out: Path, wheel: Path) -> Path:
    """An MCP bundle: the wheel, and a uv project that runs it."""
    path = out / BUNDLE
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(bundle_manifest(), indent=2) + "\n")
        archive.writestr("pyproject.toml", BUNDLE_PROJECT.format(version=version, wheel=wheel.name))
        archive.writestr("server/main.py", BUNDLE_MAIN)
        archive.write(wheel, wheel.name)
    return path


def check_wheel(wheel: Path, scratch: Path) -> None:
    """A fresh environment, wheels only: no compiler is needed."""
    venv.create(scratch / "venv", with_pip=True)
    folder = scratch / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(str(folder / "python"), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", str(wheel))
    command = str(folder / "recollect")
    run(command, "--version")
    spent = min(cpu_seconds(command, "--version") for _ in range(TRIES))
    require(spent < LONGEST_VERSION_CPU, f"recollect --version took {spent:.2f} s of CPU")
    say(f"wheel: --version {spent:.2f} s of CPU")
    list_tools("wheel", {"command": command, "args": ["stdio"], "env": {"RECOLLECT_DB": str(scratch / "wheel.db")}})
    check_connect(command, scratch / "home")


def cpu_seconds(*command: str) -> float:
    """What a command takes of the processor; more on a machine whose caches others use, so the least of some counts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check_connect(command: str, home: Path) -> None:
    """Connects six clients in an empty home folder and in one with files, and takes everything back."""
    for given in ({}, CONFIGURATIONS):
        shutil.rmtree(home, ignore_errors=True)
        for name, content in given.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(content, "utf-8")
        home.mkdir(exist_ok=True)
        environment = {"HOME": str(home), "PATH": os.defpath}
        for client in FIRST_CLIENTS:
            run(command, "connect", client, "--yes", environment=environment)
        require(len(files(home)) >= len(FIRST_CLIENTS), "not every client has a configuration")
        require(all(command in text for name, text in files(home).items() if "backup" not in name), "wrong command")
        for client in FIRST_CLIENTS:
            run(command, "connect", client, "--remove", "--yes", environment=environment)
        require(files(home) == given, "the configurations were not restored")
    say(f"wheel: connected and disconnected {len(FIRST_CLIENTS)} clients, files restored byte for byte")


def files(folder: Path) -> dict[str, str]:
    return {str(each.relative_to(folder)): each.read_text("utf-8") for each in folder.rglob("*") if each.is_file()}


def check_bundle(bundle: Path, scratch: Path) -> None:
    """Unpacked and started as its manifest says, if there is a uv to start it."""
    folder = scratch / "bundle"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    config = json.loads((folder / "manifest.json").read_text("utf-8"))["server"]["mcp_config"]
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        say("bundle: not started, there is no uv on this machine")
        return
    run(uv, "sync", "--quiet", "--directory", str(folder))
    arguments = [each.replace("${__dirname}", str(folder)) for each in config["args"]]
    environment = {**dict.fromkeys(config["env"], ""), "RECOLLECT_DB": str(scratch / "bundle.db")}
    list_tools("bundle", {"command": uv, "args": arguments, "env": environment})


def list_tools(name: str, entry: dict[str, object]) -> None:
    answer = probe(entry, LONGEST_WAIT)
    require(answer.tools == TOOLS, f"{name}: {answer.problem or answer.tools}")
    say(f"{name}: {answer.tools} tools after {answer.milliseconds} ms")


def run(*command: str, environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def require(holds: bool, problem: str) -> None:
    if not holds:
        sys.exit(f"package: {problem}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
