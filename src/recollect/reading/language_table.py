"""The tables of a language: cues of acts, guards and words for times, loaded when the language is first read."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from recollect.reading.act_cue import ActCue
from recollect.reading.cues import Modality
from recollect.reading.english_verbs import verb_fragments
from recollect.reading.state_lexicon import PEOPLE_NOUNS
from recollect.text.negation import CLAUSE_NEGATORS, VERB_NEGATORS, negator_pattern
from recollect.text.patterns import PatternGroup, lazy_pattern

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "pl")
_FRAGMENT = re.compile(r"(?<!\?P)<([a-z_]+)>")


@dataclass(frozen=True, slots=True)
class ModalityGuard:
    """A pattern, the modality it shows, and the acts that are meant even so."""

    modality: Modality
    pattern: re.Pattern[str]
    spared: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Condition:
    """Words that make a sentence depend on something, and the verbs after which `if` only means whether."""

    pattern: re.Pattern[str]
    whether: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Negation:
    """Words of negation, and where they deny what a cue shows: at the end of what stands before it, or after it."""

    words: re.Pattern[str]
    before: re.Pattern[str]
    by_nobody: re.Pattern[str]
    after: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class OtherDoers:
    """Words of the writer (`first`), and what shows that somebody else is to do something.

    `person` matches somebody described at the start of a clause, `subject` also other subjects than the writer; `verb`
    matches anywhere, and counts where no word of the writer stands.
    """

    first: re.Pattern[str]
    person: re.Pattern[str]
    subject: re.Pattern[str]
    verb: re.Pattern[str] | None = None
    does: frozenset[str] = frozenset()
    """Forms of verbs of doing with he or she; those of English are in english_verbs.py."""


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """What is known of a language; `idle` matches words that are no act at all."""

    cues: PatternGroup[ActCue]
    guards: PatternGroup[ModalityGuard]
    time: Mapping[str, Any]
    negation: Negation
    another: OtherDoers
    idle: re.Pattern[str] | None = None
    condition: Condition | None = None
    own_deed: re.Pattern[str] | None = None
    """What the writer has done, so that nothing is promised or asked."""
    clause_openers: re.Pattern[str] | None = None
    """Words after which a clause may only be supposed, told by somebody or still to come."""
    others_words: re.Pattern[str] | None = None
    """Words that give those after a colon to somebody else; `own` is there if they speak of themselves."""


@cache
def language_table(language: str) -> LanguageTable | None:
    """The tables of a language; none of one that is not read."""
    if language not in LANGUAGES:
        return None
    source = resources.files("recollect.reading") / "language_tables" / f"{language}.toml"
    given = tomllib.loads(source.read_text("utf-8"))
    fragments = given.get("fragments", {}) | (_english_fragments() if language == "en" else _doing(given))
    cues = tuple(_cue(row, fragments) for row in given["cue"])
    guards = tuple(_guard(row, fragments) for row in given.get("guard", ()))
    return LanguageTable(
        PatternGroup(cues, lambda each: each.pattern),
        PatternGroup(guards, lambda each: each.pattern),
        given["time"],
        _negation(given["negation"], fragments),
        _another(given["another"], fragments),
        _idle(given),
        _condition(given),
        _pattern([given["deed"]["own"]], fragments),
        _clause_openers(given),
        _others_words(given),
    )


@cache
def names_of_days_and_months() -> frozenset[str]:
    """Weekdays, months and words such as tomorrow in all languages."""
    found: set[str] = set()
    for language in LANGUAGES:
        table = language_table(language)
        assert table is not None
        names = " ".join((table.time["months"], table.time["weekdays"], *table.time["days"]))
        found.update(names.replace("/", " ").split())
    return frozenset(found)


def _english_fragments() -> dict[str, str]:
    return {
        **verb_fragments(),
        "people": "|".join(sorted(PEOPLE_NOUNS)),
        "negator": negator_pattern(CLAUSE_NEGATORS),
        "not": negator_pattern(VERB_NEGATORS),
        # Behind a deed a contraction mostly denies another one: *he fell and can't walk*.
        "negating_word": "|".join(sorted(CLAUSE_NEGATORS - {"cannot"})),
    }


def _clause_openers(given: Mapping[str, Any]) -> re.Pattern[str] | None:
    found = given.get("clauses")
    return lazy_pattern(rf"(?<![\w'])(?:{found['openers']})(?!\w)") if found else None


def _others_words(given: Mapping[str, Any]) -> re.Pattern[str] | None:
    speech = given.get("speech")
    if speech is None:
        return None
    return re.compile(rf"\b(?:{speech['saying']})\s*:\s*(?P<own>(?:{speech['own']})\b)?")


def _pattern(alternatives: list[str], fragments: Mapping[str, str], behind: str = "") -> re.Pattern[str]:
    joined = "|".join(alternatives)
    whole = _FRAGMENT.sub(lambda found: fragments.get(found[1], found[0]), joined)
    return lazy_pattern(rf"(?:{whole}){behind}" if behind else whole)


def _cue(row: Mapping[str, Any], fragments: Mapping[str, str]) -> ActCue:
    except_after, unless = row.get("except_after"), row.get("unless")
    return ActCue(
        row["name"],
        row["act"],
        row.get("doer"),
        _pattern(row["patterns"], fragments),
        row["confidence"],
        frozenset(row["kinds"]) if "kinds" in row else None,
        _pattern(except_after, fragments, r"\W*$") if except_after else None,
        _pattern(unless, fragments) if unless else None,
        row.get("survives", False),
        row.get("fact_type"),
        row.get("needs_time", False),
    )


def _guard(row: Mapping[str, Any], fragments: Mapping[str, str]) -> ModalityGuard:
    return ModalityGuard(row["modality"], _pattern(row["patterns"], fragments), frozenset(row.get("spared", ())))


def _idle(given: Mapping[str, Any]) -> re.Pattern[str] | None:
    found = given.get("small_talk")
    if found is None:
        return None
    idle, weather = "|".join(found["idle"]), "|".join(found["weather"])
    return lazy_pattern(rf"\b(?:{idle})\b|{weather}")


def _doing(given: Mapping[str, Any]) -> dict[str, str]:
    """What others do, for patterns to use."""
    return {"does": f"(?:{given['another']['does']})"} if "does" in given["another"] else {}


def _another(given: Mapping[str, Any], fragments: Mapping[str, str]) -> OtherDoers:
    first = lazy_pattern(rf"(?<![\w'])(?:{given['first']})(?:(?<=')|(?!\w))")
    lead = rf"^\W*(?:(?:{given['lead']})\W+)*"
    person = _pattern([rf"{lead}(?:{given['person']})"], fragments)
    subject = _pattern([rf"{lead}(?:{'|'.join((given['person'], *given['subject']))})"], fragments)
    verb = _pattern(given["verb"], fragments) if given["verb"] else None
    return OtherDoers(first, person, subject, verb, frozenset(given.get("does", "").split("|")))


def _negation(given: Mapping[str, str], fragments: Mapping[str, str]) -> Negation:
    """The negation of a language; without a pattern of its own it reaches as far as its part of the sentence."""
    by_nobody = lazy_pattern(rf"\b(?:{given['by_nobody']})\b")
    if "before" in given:
        return Negation(_pattern([given["words"]], fragments), _pattern([given["before"]], fragments), by_nobody)
    word = rf"(?<![\w'])(?!(?:{given['only']})\b)(?:{given['words']})(?:(?<=')|(?!\w))"
    inside = rf"(?:(?![;:!?]|,(?! (?:{given['that']})\b)|\b(?:{given['because']})\b).)*"
    return Negation(
        lazy_pattern(word), lazy_pattern(rf"{word}{inside}$"), by_nobody, lazy_pattern(rf"{inside}?(?P<not>{word})")
    )


def _condition(given: Mapping[str, Any]) -> Condition | None:
    found = given.get("condition")
    return Condition(lazy_pattern("|".join(found["patterns"])), lazy_pattern(found["whether"][0])) if found else None
