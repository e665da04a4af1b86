"""Content lines of vCard and iCalendar: unfolded, with their parameters, component by component."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from quopri import decodestring

from recollect.ingest.mail.message import decode_bytes
from recollect.model.json_limits import replace_unstorable

_LINE = re.compile(
    r"(?:(?P<group>[\w-]+)\.)?(?P<name>[A-Za-z0-9-]+)(?P<params>(?:;(?:\"[^\"]*\"|[^:;\"])*)*):(?P<value>.*)", re.DOTALL
)
_PARAM = re.compile(r";([^=;]+)(?:=((?:\"[^\"]*\"|[^;\"])*))?")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LONGEST_VALUE = 1_000_000
_BARE_PARAMS = {"QUOTED-PRINTABLE": "ENCODING", "BASE64": "ENCODING"}


@dataclass(frozen=True, slots=True)
class ContentLine:
    """One property: its name in capitals, its parameters, and its value as written."""

    name: str
    params: dict[str, str]
    value: str
    group: str = ""
    """What the lines that belong together begin with, such as `item1`."""

    @property
    def text(self) -> str:
        """The value as text, with escapes undone."""
        return _unescape(self.value)

    def parts(self, separator: str = ";") -> list[str]:
        """The components of a structured value."""
        return [_unescape(each) for each in re.split(rf"(?<!\\){separator}", self.value)]

    @property
    def kinds(self) -> list[str]:
        """The types of an address or a number, such as `home` and `cell`."""
        return [each.strip('" ').lower() for each in self.params.get("TYPE", "").split(",") if each.strip('" ')]


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], text).strip()


@dataclass(slots=True)
class ContentObject:
    """A card, an event or the like, with its properties; components inside it are dropped."""

    name: str
    lines: list[ContentLine] = field(default_factory=list)

    def all(self, name: str) -> list[ContentLine]:
        return [each for each in self.lines if each.name == name]

    def first(self, name: str) -> ContentLine | None:
        return next((each for each in self.lines if each.name == name), None)

    def label_of(self, line: ContentLine) -> str | None:
        """What the owner of a phone calls a line, such as `spouse`."""
        labels = (each.text for each in self.lines if each.name == "X-ABLABEL" and line.group == each.group != "")
        return next(labels, "").removeprefix("_$!<").removesuffix(">!$_").lower() or None

    def text(self, name: str) -> str | None:
        found = self.first(name)
        return found.text or None if found is not None else None


def read_components(raw: Iterable[bytes], names: frozenset[str], left_out: Counter[str]) -> Iterator[ContentObject]:
    """The components of these names, in the order in which they end."""
    open_components: list[ContentObject] = []
    for text in _unfold(raw):
        found = _LINE.fullmatch(text)
        if found is None:
            left_out["lines that are no properties"] += bool(text.strip())
            continue
        name, value = found["name"].upper(), found["value"].strip()
        if name == "BEGIN":
            open_components.append(ContentObject(value.upper()))
        elif name == "END" and open_components:
            component = open_components.pop()
            if component.name in names:
                yield component
        elif open_components:
            open_components[-1].lines.append(_content_line(name, found["params"], found["value"], found["group"]))
    for each in open_components:
        left_out[f"{each.name} without an end: the file is cut off, export it again"] += each.name in names


def _content_line(name: str, params: str, value: str, group: str | None) -> ContentLine:
    given: dict[str, str] = {}
    for key, setting in _PARAM.findall(params):
        # vCard 2.1 writes types without a name: TEL;CELL;WORK:…
        known = key.upper() if setting else _BARE_PARAMS.get(key.upper(), "TYPE")
        chosen = setting.strip('"') or key
        given[known] = f"{given[known]},{chosen}" if known == "TYPE" and known in given else chosen
    if given.get("ENCODING", "").upper() == "QUOTED-PRINTABLE":
        value = decode_bytes(decodestring(value.encode("utf-8")), given.get("CHARSET", "utf-8"))[0]
        value = value.replace("\r\n", "\n").replace("\n", "\\n")
    return ContentLine(name, given, replace_unstorable(value), group or "")


def _unfold(raw: Iterable[bytes]) -> Iterator[str]:
    """Whole lines: continued by a space, or in vCard 2.1 by a soft break of quoted-printable."""
    unfolded = b""
    for each in raw:
        line = each.rstrip(b"\r\n").removeprefix(b"\xef\xbb\xbf")
        is_soft = unfolded.endswith(b"=") and b"QUOTED-PRINTABLE" in unfolded.upper()
        if is_soft:
            unfolded = unfolded[:-1] + line
        elif line[:1] in (b" ", b"\t") and unfolded:
            unfolded = unfolded + line[1:] if len(unfolded) < _LONGEST_VALUE else unfolded
        else:
            if unfolded:
                yield decode_bytes(unfolded, "utf-8")[0]
            unfolded = line
    if unfolded:
        yield decode_bytes(unfolded, "utf-8")[0]
