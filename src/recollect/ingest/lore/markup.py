"""Markup of lore: YAML with line numbers, Markdown with front matter and fact lines, dialogue turns."""

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

import yaml

from recollect.ingest.drafts import DraftTarget, NameRef, RelationDraft, UnreadableItem
from recollect.ingest.lore.lore_errors import BadYaml
from recollect.model.json_limits import is_storable
from recollect.model.relations import relation_from_predicate, relation_kinds
from recollect.text.lexicon import NAME_PARTICLES
from recollect.text.markdown_lines import lines_outside_code
from recollect.text.wiki_links import links_to_targets, wiki_links

MAX_DEPTH = 20
MAX_VALUES = 500_000
_INTEGER = re.compile(r"[-+]?(?:0|[1-9]\d*)")
_FRACTION = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
_SCALAR_WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None} | {
    spelled: word == "true" for word in ("true", "false") for spelled in (word, word.title(), word.upper())
}
_STANDARD = "tag:yaml.org,2002:"
_TEXT_TAG = f"{_STANDARD}str"
_KNOWN_TAGS = frozenset(f"{_STANDARD}{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq"))


class YamlTable(dict[str, Any]):
    """A mapping with the line it begins on and the lines of its keys."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}

    def line_of(self, key: str) -> int:
        return self.lines.get(key, self.line)


class YamlList(list[Any]):
    """A list with the lines of its items."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []


def load_yaml(text: str, first_line: int = 1) -> Any:
    """The one document in a YAML text; lines count from `first_line`."""
    return _YamlLoader(text, first_line).document()


def item_lines(values: Any, line: int) -> list[int]:
    """The line of each item of a list, as far as it is known."""
    return values.lines if isinstance(values, YamlList) else [line] * len(values)


class _YamlLoader:
    def __init__(self, text: str, first_line: int) -> None:
        self._first = first_line
        self._left = MAX_VALUES
        self._anchors: dict[str, Any] = {}
        self._sizes: dict[str, int] = {}
        self._events = self._read(text)

    def _read(self, text: str) -> Iterator[yaml.Event]:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            yield from yaml.parse(text, Loader=loader)
        except yaml.YAMLError as problem:
            mark = getattr(problem, "problem_mark", None)
            why = getattr(problem, "problem", None) or "cannot be read"
            raise BadYaml(self._first + (mark.line if mark else 0), f"invalid YAML: {why}") from None

    def document(self) -> Any:
        value: Any = None
        found = False
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if found:
                    raise BadYaml(self._line(event), "has a second YAML document; write one per file")
                value, found = self._value(next(self._events), 0), True
        return value

    def _line(self, event: yaml.Event) -> int:
        mark = event.start_mark
        return self._first + (int(mark.line) if mark else 0)

    def _value(self, event: yaml.Event, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise BadYaml(self._line(event), f"is nested more than {MAX_DEPTH} deep")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        self._check_tag(event)
        before = self._left
        self._count(event, 1)
        value = self._build(event, depth)
        anchor = getattr(event, "anchor", None)
        if anchor:
            self._anchors[anchor], self._sizes[anchor] = value, before - self._left
        return value

    def _build(self, event: yaml.Event, depth: int) -> Any:
        if isinstance(event, yaml.MappingStartEvent):
            return self._table(event, depth)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(depth)
        if isinstance(event, yaml.ScalarEvent):
            if not is_storable(event.value):
                raise BadYaml(self._line(event), "contains an escaped character that cannot be stored")
            return _plain_scalar(event)
        raise BadYaml(self._line(event), "invalid YAML: the text ends too early")

    def _alias(self, event: yaml.AliasEvent) -> Any:
        """The value of an alias; it counts as if it were written out."""
        if event.anchor not in self._anchors:
            raise BadYaml(self._line(event), f"alias *{event.anchor} has no anchor before it")
        self._count(event, self._sizes[event.anchor])
        return self._anchors[event.anchor]

    def _count(self, event: yaml.Event, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise BadYaml(self._line(event), f"has more than {MAX_VALUES} values once its aliases are expanded")

    def _check_tag(self, event: yaml.Event) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!" and tag not in _KNOWN_TAGS:
            raise BadYaml(self._line(event), f"tag {tag} is not supported")

    def _table(self, start: yaml.Event, depth: int) -> YamlTable:
        table = YamlTable(self._line(start))
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._value(event, depth + 1)
            if isinstance(key, YamlTable | YamlList):
                raise BadYaml(self._line(event), "a key must be a word, not a list or table")
            value = self._value(next(self._events), depth + 1)
            if key == "<<" and isinstance(value, YamlTable):
                table.update({inner: each for inner, each in value.items() if inner not in table})
            else:
                name = "" if key is None else str(key).lower() if isinstance(key, bool) else str(key)
                table[name], table.lines[name] = value, self._line(event)
        return table

    def _sequence(self, depth: int) -> YamlList:
        found = YamlList()
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            found.lines.append(self._line(event))
            found.append(self._value(event, depth + 1))
        return found


def _plain_scalar(event: yaml.ScalarEvent) -> Any:
    text, is_plain = str(event.value), event.style in (None, "")
    if not is_plain or event.tag in ("!", _TEXT_TAG):
        return text
    if text in _SCALAR_WORDS:
        return _SCALAR_WORDS[text]
    if _INTEGER.fullmatch(text) and len(text) < 20:
        return int(text)
    return float(text) if _FRACTION.fullmatch(text) and "." in text else text


FACT_LINE_CONFIDENCE = 0.9
_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(\S(?:.*[^ \t])?)[ \t]*$")
_CAPITALS = re.compile(r"(?<!\S)[A-Z][A-Z0-9_]*(?!\S)")
_TIMES = re.compile(r"(?<!\s)\s*\(([^()]*)\)\s*\.?$")
_RANGE = re.compile(r"(?<!\s)\s+\.\.(?:\s+|$)|^\.\.\s+")
_EMPHASIS = " \t*_"
_PARTICLES = NAME_PARTICLES - {"bin", "do"}
"""Without English words."""
_SMALL_WORDS = _PARTICLES | frozenset("of the and in on at to for a an".split())
_MOST_WORDS = 8


class MarkdownPage(NamedTuple):
    """A text split into its front matter and its body, with the body's offset and first line."""

    front: YamlTable | None
    body: str
    offset: int
    line: int


def split_front_matter(text: str) -> MarkdownPage:
    """Split a text; without front matter all of it is body."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return MarkdownPage(None, text, 0, 1)
    front = load_yaml(text[opening.end() : closing.start()], 2)
    if front is None:
        front = YamlTable(2)
    if not isinstance(front, YamlTable):
        raise BadYaml(2, "front matter must be a table of keys")
    return MarkdownPage(front, text[closing.end() :], closing.end(), text.count("\n", 0, closing.end()) + 1)


def strip_front_matter(text: str) -> str:
    """The text without its front matter."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    return text if closing is None else text[closing.end() :]


def iter_links(page: MarkdownPage) -> Iterator[tuple[str, int]]:
    """The names that the body links to, with their lines."""
    line, counted = page.line, 0
    for link in wiki_links(page.body):
        line += page.body.count("\n", counted, link.start)
        counted = link.start
        if not link.is_embed:
            yield link.target, line


def parse_fact_lines(page: MarkdownPage, is_known: Callable[[str], bool]) -> Iterator[RelationDraft]:
    """The relations that list items state with a known relation in capitals."""
    for number, line in lines_outside_code(page.body, page.line):
        item = _ITEM.match(line)
        draft = _parse_fact_line(item[1], number, is_known) if item else None
        if draft is not None:
            yield draft


def failed_fact_lines(page: MarkdownPage, is_known: Callable[[str], bool]) -> Iterator[UnreadableItem]:
    """The list items that are written like fact lines but cannot be read as one."""
    for number, line in lines_outside_code(page.body, page.line):
        item = _ITEM.match(line)
        if item is not None and _parse_fact_line(item[1], number, is_known) is None:
            reason = _explain_failure(links_to_targets(item[1]), is_known)
            if reason is not None:
                yield UnreadableItem(number, item[1][:200], reason)


def _explain_failure(text: str, is_known: Callable[[str], bool]) -> str | None:
    said = _TIMES.sub("", text)
    for word in _CAPITALS.finditer(said):
        subject, target = said[: word.start()].strip(_EMPHASIS), said[word.end() :].strip(_EMPHASIS + ".")
        if not _is_name(subject):
            continue
        if is_known(word[0].lower()) and not target:
            return f"{word[0]} needs an object: - A {word[0]} B"
        if not is_known(word[0].lower()) and len(word[0]) > 2 and ("_" in word[0] or _is_name(target)):
            return f"{word[0]} is not a known relation; {_suggest(word[0])}"
    return None


def _is_name(text: str) -> bool:
    """Whether all words of a text but the smallest begin with a capital, as those of a name do."""
    said = text.split()
    # Di, Al and La are names, too, where there is no other word.
    words = [each for each in said if each.lower() not in _SMALL_WORDS] or [
        each for each in said if each.lower() in _PARTICLES
    ]
    return 0 < len(words) <= _MOST_WORDS and all(each[0].isupper() and not each.isupper() for each in words)


def _suggest(word: str) -> str:
    names = [name.upper() for name in relation_kinds()]
    close = get_close_matches(word, names, 3)
    own = "to use a custom relation, state it once under relations in the front matter"
    return f"did you mean {', '.join(close)}? Or, {own}" if close else own


def is_fact_line(line: str, is_known: Callable[[str], bool]) -> bool:
    item = _ITEM.match(line)
    return item is not None and _parse_fact_line(item[1], 0, is_known) is not None


def _parse_fact_line(text: str, line: int, is_known: Callable[[str], bool]) -> RelationDraft | None:
    plain = links_to_targets(text)
    times = _TIMES.search(plain)
    said = plain[: times.start()] if times else plain
    for word in _CAPITALS.finditer(said):
        subject, target = said[: word.start()].strip(_EMPHASIS), said[word.end() :].strip(_EMPHASIS)
        if subject and is_known(word[0].lower()) and (target or _allows_no_object(word[0].lower())):
            starts, ends = _parse_bounds(times[1]) if times else (None, None)
            end: DraftTarget = NameRef(target.rstrip(".")) if target else None
            return RelationDraft(
                NameRef(subject),
                word[0],
                end,
                line,
                text,
                starts,
                ends,
                FACT_LINE_CONFIDENCE,
                quote=text,
                extraction="fact_line",
            )
    return None


def _allows_no_object(word: str) -> bool:
    name = relation_from_predicate(word)
    kind = relation_kinds().get(name.name)
    return kind is not None and kind.takes == "entity or none" and not name.swapped


def _parse_bounds(text: str) -> tuple[str | None, str | None]:
    """The bounds in brackets: two times, one open side, or one time for both."""
    parts = _RANGE.split(text.strip())
    if len(parts) == 1:
        return parts[0].strip() or None, parts[0].strip() or None
    return parts[0].strip() or None, parts[1].strip() or None


_TURN = re.compile(
    r"[ \t]*(?:\[(?P<time>[^\]\n]{1,100})\][ \t]*)?"
    r"(?P<speaker>[^\s:\[\]#>|-][^:\n]{0,99}?)[ \t]*:(?:[ \t]+(?P<text>\S.*))?$"
)


class DialogueTurn(NamedTuple):
    """What one speaker says, and its position in the text."""

    speaker: str
    time: str | None
    start: int
    stop: int


def parse_turns(body: str) -> list[DialogueTurn]:
    """The turns of a dialogue; lines without a speaker continue the turn before them."""
    found: list[DialogueTurn] = []
    offset = 0
    for line in body.splitlines(keepends=True):
        turn = _TURN.match(line.rstrip("\r\n"))
        if turn is not None and turn["text"] is not None:
            speaker = " ".join(turn["speaker"].strip("*_ ").split())
            if speaker:
                found.append(DialogueTurn(speaker, turn["time"], offset, offset + len(line)))
        elif found and line.strip():
            found[-1] = found[-1]._replace(stop=offset + len(line))
        offset += len(line)
    return found


def list_speakers(turns: list[DialogueTurn]) -> list[str]:
    """Who spoke, in the order of their first turn."""
    return list(dict.fromkeys(turn.speaker for turn in turns))
