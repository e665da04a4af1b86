"""The architecture: rings, sizes, and which package may use what."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "recollect"

# From the inside out. A package may use inner rings and its own; packages of one ring must not form cycles.
RINGS = (
    {"errors"},
    {"background_indexer", "deadline", "http_client", "safe_zip", "settings", "when", "atomic_file"},
    {"model", "text", "embed", "text_models", "llm"},
    {"reading"},
    {"store"},
    {"resolve", "write"},
    {"memory"},
    {"search", "ingest", "reason", "keep"},
    {"indexing"},
    {"carabase", "change_listeners", "importers", "exporters"},
    {"surfaces"},
    {"adapters", "serve"},
)
FACADES = {"__init__", "__main__"}
ONLY_IN = {
    "mcp": {"serve"},
    "mcp_types": {"serve"},
    "anyio": {"serve"},
    "pydantic": {"surfaces", "adapters", "serve"},
    "langgraph": {"adapters"},
    "langchain_core": {"adapters"},
    "llama_index": {"adapters"},
    "numpy": {
        "embed",
        "text_models",
        "store",
        "resolve",
        "search.ranker",
        "keep",
        "reason",
        "surfaces.entity_core.memory_queries",
    },
    "jinja2": {"serve.web.framework"},
    "markupsafe": {"serve.web.framework"},
    "markdown_it": {"serve.web.framework"},
    "uvicorn": {"serve"},
    "starlette": {"serve"},
    "click": {"serve"},
    "apsw": {"store"},
    "psycopg": {"store"},
    "regex": {"text"},
    "pypdf": {"ingest"},
    "docx": {"ingest"},
    "onnxruntime": {"embed", "text_models"},
    "tokenizers": {"embed", "text_models"},
    "torch": set(),
    "transformers": set(),
    "sentence_transformers": set(),
    "sqlite3": set(),
    "fastmcp": set(),
}
SQL = re.compile(
    r"\b(?:SELECT\s|INSERT\s+INTO|DELETE\s+FROM|UPDATE\s+\w+\s+SET|CREATE\s+(?:TABLE|INDEX|VIEW)|DROP\s+TABLE|PRAGMA\s"
    r"|BEGIN\s+IMMEDIATE|ON\s+CONFLICT|ORDER\s+BY|LEFT\s+JOIN)"
)
LONGEST_FILE = {"src": 400, "tests": 500, "benchmarks": 500, "scripts": 500}
QUERY_METHODS = {"rows", "run", "run_many"}
QUERY_RECEIVERS = {"view", "change", "connection"}
LONGEST_FUNCTION = 80
ASSERTING = ("assert", "check", "expect", "fail", "raises", "warns")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@pytest.fixture(scope="module", autouse=True)
def a_syntax_tree_for_these_tests_alone() -> Iterator[None]:
    """A million nodes that stay would slow the garbage collection of every later test."""
    yield
    for kept in (sources, nodes, imported, functions, uses):
        kept.cache_clear()


@cache
def sources() -> dict[str, ast.Module]:
    """Every module of ours by its dotted path inside the package."""
    return {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Every node of a module, walked once for all tests."""
    return tuple(ast.walk(tree))


@cache
def imported(tree: ast.Module) -> tuple[str, ...]:
    """The full names of the modules that a module imports, wherever in it that happens."""
    names: list[str] = []
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)


def ours(tree: ast.Module) -> set[str]:
    """The packages of ours that a module imports."""
    parts = [name.split(".") for name in imported(tree)]
    return {each[1] for each in parts if each[0] == "recollect" and len(each) > 1} & set().union(*RINGS)


def package_of(module: str) -> str:
    return module.split(".")[0]


@cache
def uses() -> dict[str, set[str]]:
    """By package, the other packages it uses."""
    found: dict[str, set[str]] = {}
    for module, tree in sources().items():
        package = package_of(module)
        if package not in FACADES:
            found.setdefault(package, set()).update(ours(tree) - {package})
    return found


@cache
def functions(tree: ast.Module) -> tuple[Function, ...]:
    return tuple(node for node in nodes(tree) if isinstance(node, Function))


def test_every_package_is_in_a_ring() -> None:
    assert set(uses()) <= set().union(*RINGS)


def test_imports_point_inward() -> None:
    ring = {package: number for number, packages in enumerate(RINGS) for package in packages}
    outward = [
        f"{module} imports {used}"
        for module, tree in sources().items()
        if package_of(module) not in FACADES
        for used in sorted(ours(tree))
        if ring[used] > ring[package_of(module)]
    ]
    assert outward == []


def test_packages_do_not_import_each_other_in_cycles() -> None:
    assert _without_leaves(uses()) == {}


def test_folders_and_modules_do_not_import_each_other_in_cycles() -> None:
    assert _without_leaves(_uses_between(lambda module: module)) == {}
    assert _without_leaves(_uses_between(_folder)) == {}


def _without_leaves(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """What remains once everything is removed that uses nothing of the rest: the cycles, and what leads to them."""
    left = {node: set(used) for node, used in graph.items()}
    while leaves := [node for node, used in left.items() if not used & left.keys()]:
        for node in leaves:
            del left[node]
    return left


def _folder(module: str) -> str:
    """The folder of a module inside a package; a module directly in a package counts for itself."""
    parts = module.split(".")
    return ".".join(parts[:-1]) if len(parts) > 2 else module


def _uses_between(group: Callable[[str], str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module, tree in sources().items():
        names = {name.removeprefix("recollect.") for name in imported(tree)}
        used = {group(name) for name in names & sources().keys()}
        found.setdefault(group(module), set()).update(used - {group(module)})
    return found


def test_no_two_public_classes_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for module, tree in sources().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


def test_rows_have_types_outside_the_store() -> None:
    untyped = [
        module
        for module, tree in sources().items()
        if package_of(module) != "store" and any(map(_is_untyped_row, nodes(tree)))
    ]
    assert untyped == [], "put a typed query function into store/"


def _is_untyped_row(node: ast.AST) -> bool:
    """Whether a node is `….rows("query")`, `….run("query")` or `row[3]`."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and node.value.id == "row" and _is_position(node.slice)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
        return False
    receiver = ast.unparse(node.func.value).rpartition(".")[2]
    is_named = isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    return node.func.attr in QUERY_METHODS and (is_named or receiver in QUERY_RECEIVERS)


def _is_position(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) or (isinstance(index, ast.Constant) and isinstance(index.value, int))


def test_names_are_looked_up_as_far_as_whoever_writes_may_rely_on_them() -> None:
    unfiltered = [
        module
        for module, tree in sources().items()
        if package_of(module) not in ("store", "write")
        and any(isinstance(each, ast.Attribute) and each.attr == "entities_named" for each in nodes(tree))
    ]
    assert unfiltered == [], "use entities_named of write/lookup.py, which leaves out what strangers claim"


def test_when_knows_nothing_of_ours_but_errors() -> None:
    assert uses()["when"] <= {"errors"}


def test_no_surface_knows_another() -> None:
    packs = {path.parent.name for path in (SOURCE / "surfaces").glob("*/surface.py")}
    known = [
        f"{module} imports {name}"
        for module, tree in sources().items()
        if module.startswith("surfaces.") and module.split(".")[1] in packs
        for name in imported(tree)
        if name.startswith("recollect.surfaces.") and name.split(".")[2] in packs - {module.split(".")[1]}
    ]
    assert known == []


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_imported_only_where_it_belongs(library: str) -> None:
    users = {module for module, tree in sources().items() if library in _libraries(tree)}
    assert {user for user in users if not {user, package_of(user), _folder(user)} & ONLY_IN[library]} == set()


def _libraries(tree: ast.Module) -> set[str]:
    return {name.split(".")[0] for name in imported(tree)}


def test_only_servers_and_adapters_are_async() -> None:
    waiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    found = {
        module
        for module, tree in sources().items()
        if package_of(module) not in ("adapters", "serve") and any(isinstance(node, waiting) for node in nodes(tree))
    }
    assert found == set()


def test_only_the_store_has_sql() -> None:
    found = [
        f"{module}: {node.value[:60]}"
        for module, tree in sources().items()
        if package_of(module) != "store"
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
    ]
    assert found == []


def test_a_broad_handler_is_only_at_an_entry_point_or_reraises() -> None:
    entry_points = {"surfaces.dispatch", "serve"}
    found = [
        f"{module}:{node.lineno}"
        for module, tree in sources().items()
        if module not in entry_points and package_of(module) not in entry_points
        for node in nodes(tree)
        if isinstance(node, ast.ExceptHandler) and _is_broad(node) and not _raises(node)
    ]
    assert found == []


def _is_broad(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        name is None or (isinstance(name, ast.Name) and name.id in ("Exception", "BaseException")) for name in names
    )


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in ast.walk(handler))


def test_no_file_is_long() -> None:
    too_long = {
        str(path.relative_to(ROOT)): length
        for folder, limit in LONGEST_FILE.items()
        for path in (ROOT / folder).rglob("*.py")
        if (length := len(path.read_text("utf-8").splitlines())) > limit
    }
    assert too_long == {}


def test_no_function_is_long() -> None:
    lengths = {f"{module}.{each.name}": _length(each) for module, tree in sources().items() for each in functions(tree)}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def _length(function: Function) -> int:
    """Lines from the signature to the end, without the docstring."""
    whole = (function.end_lineno or 0) - function.lineno + 1
    said = function.body[0]
    has_docstring = ast.get_docstring(function, clean=False) is not None
    return whole - ((said.end_lineno or 0) - said.lineno + 1 if has_docstring else 0)


def test_every_function_says_what_it_returns() -> None:
    untyped = [
        f"{module}.{each.name}"
        for module, tree in sources().items()
        for each in functions(tree)
        if each.returns is None
    ]
    assert untyped == []


def test_every_test_asserts_something() -> None:
    silent = [
        f"{path.relative_to(ROOT)}:{test.lineno} {test.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for test in ast.parse(path.read_text("utf-8")).body
        if isinstance(test, Function) and test.name.startswith("test_") and not any(map(_asserts, ast.walk(test)))
    ]
    assert silent == [], "assert, or name the function that does `check_…`"


def _asserts(node: ast.AST) -> bool:
    """Whether a node is an assertion, or the call of a function that is named for being one."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2].lstrip("_").startswith(ASSERTING)
    return isinstance(node, ast.Assert | ast.Raise)


def test_every_module_and_every_docstring_begins_with_a_short_sentence() -> None:
    long = [
        f"{module}: {first}"
        for module, tree in sources().items()
        for node in (tree, *functions(tree))
        for first in (ast.get_docstring(node) or "").splitlines()[:1]
        if len(first) > 120
    ]
    assert long == []
