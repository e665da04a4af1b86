"""Notes of basic-memory: `- [category] text #tag (context)` and `- relation [[Target]] (context)` as facts.

What is which follows basic-memory 0.24.1, compared with its own parser.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from recollect.ingest.line_parts import LITERAL_LIMIT
from recollect.ingest.lore.entities import to_json_value
from recollect.model.entity import NAME_LIMIT, PROPERTY_LIMIT
from recollect.model.names import clean
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import PREDICATE_LIMIT, built_in_predicates
from recollect.text.markdown_lines import LIST_MARK, lines_outside_code

NO_VALUE = "–"
"""What stands for the value in an observation that has none."""
OBSERVATION = "observation"
PAGE_KEYS = frozenset("title type permalink tags tag aliases alias created modified updated date source_at".split())
"""Front matter about the page; other keys are properties of what it is about."""
_ITEM = rf"\s*{LIST_MARK}\s++"
_OBSERVATION = re.compile(_ITEM + r"\[(?P<category>[^\[\]()]+)\]\s+(?P<text>\S(?:.*\S)?)\s*$")
_TAGGED = re.compile(_ITEM + r"(?P<category>)(?P<text>[^\s\[](?:[^\n\[]*\s)?#[\w/-](?:.*\S)?)\s*$")
"""An item that has a tag is an observation too, of no category."""
_RELATION = re.compile(
    _ITEM + r"""(?P<type>"[^"\[\]]++"|'[^'\[\]]++'|[^\s\[\]]++)"""
    r"\s*+\[\[(?P<target>[^\[\]]+)\]\]\s*+(?P<context>\(.*\))?\s*$"
)
"""Several words before a link are a relation only in quotation marks, else a sentence."""
_TASK = re.compile(r"[ xX/>?!*<-]")
_CONTEXT = re.compile(r"^(?P<text>.*\S)\s+\((?P<context>[^()]*)\)$")
_TIMES = re.compile(r"(?:from (?P<start>\S.*?))?(?:(?:^| )until (?P<end>\S.*))?")
_TIME = re.compile(r"[0-9._]")
"""What a date, or a time of a world, has and a name such as that in *(from Hoffmann)* has not."""
_TAG = re.compile(r"(?<!\S)#([\w/-]+)")
_LINK = re.compile(r"\[\[([^\[\]]+)\]\]")
_CODE = re.compile(r"`[^`]*`")
_LINKS_TO = "links_to"


class PageEntity(NamedTuple):
    """What a page is about, as an entity of a bundle."""

    name: str
    type: str
    aliases: tuple[str, ...]
    properties: Mapping[str, Any]

    @property
    def line(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "type": self.type,
            "aliases": list(self.aliases),
            "properties": dict(self.properties),
        }


def page_entity(front: Mapping[str, Any], title: str) -> PageEntity:
    """The entity of a page: its title, its type and the keys of its front matter that are its own."""
    given = front.get("aliases") or front.get("alias") or ()
    aliases = given if isinstance(given, list) else [given]
    names = tuple(name for each in aliases if isinstance(each, str) and (name := clean(each)[:NAME_LIMIT]))
    properties = {
        str(key)[:PROPERTY_LIMIT]: to_json_value(value)
        for key, value in front.items()
        if key not in PAGE_KEYS and value is not None
    }
    return PageEntity(clean(title)[:NAME_LIMIT], str(front.get("type") or "note"), names, properties)


def page_facts(name: str, body: str) -> Iterator[dict[str, Any]]:
    """The facts that the lines of a page state about its entity, as facts of a bundle."""
    for _, line in lines_outside_code(body):
        relation, observation = _RELATION.match(line), _OBSERVATION.match(line) or _TAGGED.match(line)
        if relation is not None:
            yield _relation_fact(name, relation, line)
            continue
        if observation is not None and not _TASK.fullmatch(observation["category"]):
            yield _observation_fact(name, observation, line)
        for found in _LINK.finditer(_CODE.sub("", line)):
            yield {"from": name, "to": _target(found[1]), "predicate": _LINKS_TO, "quote": line.strip()}


def _relation_fact(name: str, found: re.Match[str], line: str) -> dict[str, Any]:
    predicate = to_snake_case(found["type"].strip(" \"'"))[:PREDICATE_LIMIT] or _LINKS_TO
    context = (found["context"] or "").strip("()").strip()
    fact = {"from": name, "to": _target(found["target"]), "predicate": predicate, "quote": line.strip()}
    return {**fact, **_note_in_parentheses(context)}


def _observation_fact(name: str, found: re.Match[str], line: str) -> dict[str, Any]:
    text, context = found["text"], ""
    ending = _CONTEXT.match(text)
    if ending is not None:
        text, context = ending["text"], ending["context"].strip()
    category = to_snake_case(found["category"])[:PREDICATE_LIMIT]
    known = built_in_predicates().get(category)
    # A category such as `request` is a label here, and opens no item; without a value it is from a vault of ours.
    is_own = bool(category) and (known is None or known.label == "AFFILIATED" or text == NO_VALUE)
    said = _note_in_parentheses(context)
    attributes = {
        **said.pop("attributes", {}),
        **({"category": found["category"]} if found["category"] and not is_own else {}),
    }
    attributes |= {"tags": tags} if (tags := _TAG.findall(text)) else {}
    target = None if text == NO_VALUE else {"literal": text[:LITERAL_LIMIT]}
    fact = {"from": name, "to": target, "predicate": category if is_own else OBSERVATION, "quote": line.strip()}
    return {**fact, **said, **({"attributes": attributes} if attributes else {})}


def _target(text: str) -> str:
    """The name that a link leads to: without its label, its heading and its folders."""
    return clean(text.split("|")[0].split("#")[0].split("/")[-1])[:NAME_LIMIT] or clean(text)[:NAME_LIMIT]


def _note_in_parentheses(context: str) -> dict[str, Any]:
    """What the parentheses at the end of a line say: when it holds, or anything else."""
    if not context:
        return {}
    times = _TIMES.fullmatch(context)
    bounds = {} if times is None else {"valid_from": times["start"], "valid_until": times["end"]}
    stated = {key: value for key, value in bounds.items() if value}
    if not stated or not all(map(_TIME.search, stated.values())):
        return {"attributes": {"context": context}}
    return stated
