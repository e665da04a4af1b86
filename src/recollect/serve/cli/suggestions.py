"""Suggestions for an unknown verb or option."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

import click

_VERB_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "add": ("remember", "ingest"),
    "ask": ("recall",),
    "delete": ("forget",),
    "erase": ("forget",),
    "find": ("search", "recall"),
    "load": ("ingest", "import"),
    "ls": ("list",),
    "query": ("recall", "search"),
    "remove": ("forget",),
    "run": ("serve", "stdio"),
    "show": ("status", "list", "history"),
    "start": ("serve", "stdio"),
    "todo": ("open-items",),
    "workspaces": ("workspace",),
}
_OPTION_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "after": ("since",),
    "before": ("until",),
    "count": ("limit", "max-tokens"),
    "database": ("db",),
    "from": ("since",),
    "limit": ("max-tokens",),
    "to": ("until",),
    "when": ("at",),
}
"""Words that people use for options with other names."""


def suggest_verb(name: str, verbs: Collection[str]) -> str:
    """The verbs that resemble a name, or where all of them are listed."""
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), verbs, n=2)
    synonyms = [verb for verb in _VERB_SYNONYMS.get(name.lower(), ()) if verb in verbs]
    found = list(dict.fromkeys([*synonyms, *near]))
    return f"did you mean {' or '.join(found)}?" if found else "recollect --help lists them"


@contextmanager
def nearest_options() -> Iterator[None]:
    """Inside, an option that a verb does not have is answered with the nearest that it has."""
    try:
        yield
    except click.NoSuchOption as failure:
        known = failure.ctx.command.get_params(failure.ctx) if failure.ctx is not None else ()
        names = [name.lstrip("-") for each in known for name in each.opts if name.startswith("--")]
        near = [f"'--{name}'" for name in nearest_names(failure.option_name.lstrip("-"), names)]
        message = f"No such option {failure.option_name!r}." + (f" Did you mean {' or '.join(near)}?" if near else "")
        # Without the suggestions of `click` itself, which compares dashes as if they were letters.
        raise click.NoSuchOption(failure.option_name, message, ctx=failure.ctx) from None


def nearest_names(given: str, names: Collection[str]) -> list[str]:
    """The names that a misspelt one may mean: those it begins, those with the fewest differing letters, or synonyms."""
    by_start = [each for each in names if len(given) > 1 and each.startswith(given)]
    return by_start or _nearest(given, names) or _by_meaning(given, names)


def _by_meaning(given: str, names: Collection[str]) -> list[str]:
    words = _nearest(given, _OPTION_SYNONYMS)
    return [each for word in words for each in _OPTION_SYNONYMS[word] if each in names]


def _nearest(given: str, names: Collection[str]) -> list[str]:
    """The names with the fewest letters to change; none if that is too many for the length of the word."""
    from rapidfuzz.distance import OSA

    distances = {each: OSA.distance(given.lower(), each) for each in names}
    least = min(distances.values(), default=len(given))
    return (
        [each for each, distance in distances.items() if distance == least] if least <= max(1, len(given) // 3) else []
    )
