"""The regular expressions of the product: of modules, of language tables, and those written in functions."""

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import recollect
from recollect.text import patterns as lazy

ANCHORED = frozenset({"match", "fullmatch"})


@dataclass(frozen=True, slots=True)
class PatternSource:
    """A regular expression, where it stands, and the methods that are called on it."""

    place: str
    pattern: str
    flags: int
    methods: frozenset[str] = frozenset()

    @property
    def is_anchored(self) -> bool:
        """Whether it is only tried at one place of a text."""
        return bool(self.methods & ANCHORED) and not self.methods - ANCHORED - {"pattern", "groups", "flags"}


Compiled = dict[tuple[str, int], str]
"""The module that first compiled or declared an expression, by the expression and its flags."""


def collect_sources() -> list[PatternSource]:
    compiled: Compiled = {}
    with _noted(compiled):
        modules = _import_all()
        _load_tables()
    texts = {module.__name__: Path(module.__file__ or "").read_text("utf-8") for module in modules}
    found = {(each.place, each.pattern): each for module in modules for each in _of_module(module, compiled, texts)}
    named = {each.pattern for each in found.values()}
    rest = [PatternSource(f"{where}.?", *key) for key, where in compiled.items() if key[0] not in named]
    return [*found.values(), *rest]


@contextmanager
def _noted(compiled: Compiled) -> Iterator[None]:
    """Meanwhile every expression is noted that a module of ours compiles, or declares to be compiled later."""
    inner: Any = re
    compile_now, declare = inner._compile, lazy.LazyPattern.__init__

    def noted_compile(pattern: Any, flags: Any) -> Any:
        _note(compiled, pattern, flags)
        return compile_now(pattern, flags)

    def noted_declare(self: Any, source: str, flags: int) -> None:
        _note(compiled, source, flags)
        declare(self, source, flags)

    inner._compile = noted_compile
    lazy.LazyPattern.__init__ = noted_declare  # type: ignore[method-assign]
    try:
        yield
    finally:
        inner._compile = compile_now
        lazy.LazyPattern.__init__ = declare  # type: ignore[method-assign]


def _note(compiled: Compiled, pattern: Any, flags: Any) -> None:
    frame: Any = sys._getframe(2)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("recollect.") and name != lazy.__name__:
            if isinstance(pattern, str):
                compiled.setdefault((pattern, int(flags)), name)
            return
        if not name.startswith(("re", lazy.__name__, __name__)):
            return
        frame = frame.f_back


def _import_all() -> list[ModuleType]:
    names = [each.name for each in pkgutil.walk_packages(recollect.__path__, "recollect.")]
    return [module for name in names if not name.endswith("__main__") and (module := _imported(name)) is not None]


def _imported(name: str) -> ModuleType | None:
    """None for an adapter whose framework is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "recollect":
            raise
        return None


def _load_tables() -> None:
    from recollect.reading.language_table import LANGUAGES, language_table

    for language in LANGUAGES:
        language_table(language)


def _of_module(module: ModuleType, compiled: Compiled, texts: Mapping[str, str]) -> Iterator[PatternSource]:
    text, everything = texts[module.__name__], "\n".join(texts.values())
    for name, value in vars(module).items():
        key = _key(value)
        if key is not None and compiled.get(key) == module.__name__:
            users = text if name.startswith("_") else everything
            yield PatternSource(
                f"{module.__name__}.{name}", *key, frozenset(re.findall(rf"\b{name}\.([a-z]+)\b", users))
            )
    yield from _in_functions(module.__name__, text)


def _key(value: object) -> tuple[str, int] | None:
    if isinstance(value, lazy.LazyPattern):
        return value.source, int(value.flags_given)
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        return value.pattern, value.flags & ~re.UNICODE
    return None


def _in_functions(module: str, text: str) -> Iterator[PatternSource]:
    """Expressions of calls such as `re.sub(r"…", …)`, which no import compiles."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[ast.Constant(value=str(pattern)), *_]
            ) if method not in ("compile", "escape"):
                yield PatternSource(f"{module}.re.{method}", pattern, 0, frozenset({method}))
