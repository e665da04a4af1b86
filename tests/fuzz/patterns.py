"""`make patterns`: every regular expression of ours on texts made to slow it down."""

import argparse
import importlib
import re
import signal
import sys
from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any, NamedTuple

from tests.fuzz.pattern_sources import PatternSource, collect_sources

codes: Any = importlib.import_module("re._constants")
parser: Any = importlib.import_module("re._parser")
SHORT, LONG = 800, 3_200
NOTICEABLE = 0.008
"""Seconds of processor time for the long text below which growth cannot be told from noise."""
STEEPEST = 8
"""Four times the text takes four times as long, and sixteen times if the work grows with the square."""
SLOWEST = 0.1
"""Seconds of processor time that an expression may take for the longest text it is given, where that is bounded."""
MOST_SECONDS = 0.25
TAILS = ("", "\0")
LONGEST_TEXTS = {
    "recollect.reading.language_table.": 1_500,
    "recollect.reading.clause.": 1_500,
    "recollect.reading.clause_time.": 1_500,
    "recollect.reading.reader.": 1_500,
    "recollect.reading.state_reader.": 1_500,
    "recollect.reading.state_patterns._CUE": 1_500,
    "recollect.reading.state_patterns.": 400,
    "recollect.reading.verb_patterns.": 400,
    "recollect.reading.ending_patterns.": 400,
    "recollect.reading.attribute_patterns.": 400,
    "recollect.reading.person_patterns.": 400,
    "recollect.reading.tool_patterns.": 400,
    "recollect.reading.sections._TRAILING": 300,
    "recollect.ingest.notes.": 1_500,
    "recollect.ingest.extract.clause_acts.": 1_500,
    "recollect.ingest.extract.text_facts.": 1_500,
    "recollect.ingest.extract.sentence_splitter._ATTRIBUTION_LINE": 500,
    "recollect.ingest.lore.clauses.": 140,
    "recollect.ingest.lore.named_times.": 200,
    "recollect.ingest.lore.prose_dates.": 200,
    "recollect.ingest.lore.time_phrases.": 200,
    "recollect.ingest.parties.": 1_000,
    "recollect.ingest.gedcom.dates.": 500,
    "recollect.when.parse.": 400,
    "recollect.text.verbatim._OPENS": 40,
    "recollect.text.sentences._ABBREVIATION": 14,
    "recollect.search.": 2_000,
    "recollect.reason.": 2_000,
    "recollect.resolve.": 500,
    "recollect.importers.document_files._START": 4_096,
    "recollect.importers.note_exports._PART": 255,
    "recollect.ingest.chats.export_file.": 255,
    "recollect.ingest.chats.whatsapp._CHAT_NAME": 255,
    "recollect.ingest.document_text._NAMESPACE": 200,
    "recollect.keep.snapshot_store.": 300,
    "recollect.serve.workspace_settings.": 100,
}
"""The longest text that expressions of a place are given, by the readers before them, in characters."""
OUR_OWN = ("recollect.exporters.", "recollect.serve.clients.", "recollect.serve.web.", "recollect.llm.answers.")
"""Places whose texts are our own, the user's settings or a model's answer."""


class SlowPattern(NamedTuple):
    """An expression, the text that slows it down, the seconds it takes and how steeply they grow."""

    source: PatternSource
    unit: str
    seconds: float
    ratio: float

    def __str__(self) -> str:
        shown = f"{self.seconds * 1000:.0f} ms, ×{self.ratio:.0f} for a text four times as long"
        return f"{self.source.place}: {shown}, {self.unit[:120]}, {self.source.pattern[:120]!r}"


class _TooLong(Exception):
    """Nobody waits for the end of this match."""


class TextMaker:
    """Draws texts that a parsed expression matches, and notes what stands before and in each loop."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.loops: list[tuple[str, str]] = []
        self._groups: dict[int, str] = {}

    def sample(self, parsed: Any, before: str = "") -> str:
        made = ""
        for code, given in parsed:
            made += self._one(code, given, before + made)
        return made

    def _one(self, code: Any, given: Any, before: str) -> str:
        match code:
            case codes.LITERAL:
                return chr(given)
            case codes.NOT_LITERAL:
                return "a" if given != ord("a") else "b"
            case codes.ANY:
                return self._random.choice("a .<")
            case codes.IN:
                return self._of_class(given)
            case codes.BRANCH:
                return self.sample(self._random.choice(given[1]), before)
            case codes.SUBPATTERN:
                made = self.sample(given[3], before)
                if given[0] is not None:
                    self._groups[given[0]] = made
                return made
            case codes.ATOMIC_GROUP:
                return self.sample(given, before)
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                return self._repeated(given, before)
            case codes.GROUPREF:
                return self._groups.get(given, "")
            case codes.ASSERT if given[0] == 1:
                self.sample(given[1], before)
                return ""
            case _:
                return ""

    def _repeated(self, given: tuple[int, int, Any], before: str) -> str:
        least, most, body = given
        one = self.sample(body, before)
        if most == codes.MAXREPEAT or most >= 200:
            self.loops.append((before, one))
        if least == 0 and self._random.random() < 0.5:
            return ""
        return one * max(1, min(least, 50))

    def _of_class(self, members: list[Any]) -> str:
        allowed = [chr(each) for each in _CANDIDATES if _in_class(chr(each), members)]
        return self._random.choice(allowed or ["a"])


_CANDIDATES = [ord(each) for each in " aA0.,-_:;\n\t\"'`*#<>[](){}/\\&=@!?|~+%$^éß»“…—"]


def _in_class(letter: str, members: list[Any]) -> bool:
    negated = bool(members) and members[0][0] is codes.NEGATE
    return negated != any(_is_member(letter, *each) for each in members)


def _is_member(letter: str, code: Any, given: Any) -> bool:
    match code:
        case codes.LITERAL:
            return bool(ord(letter) == given)
        case codes.RANGE:
            return bool(given[0] <= ord(letter) <= given[1])
        case codes.CATEGORY:
            name = str(given)
            is_in = {"DIGIT": letter.isdigit(), "SPACE": letter.isspace(), "WORD": letter.isalnum() or letter == "_"}
            kind = name.rpartition("_")[2]
            return bool(is_in[kind] != ("NOT" in name))
        case _:
            return False


def hostile_units(source: PatternSource, draws: int) -> Iterator[tuple[str, str]]:
    """Pairs of a beginning and a unit to repeat, each once."""
    parsed = parser.parse(source.pattern, source.flags)
    pairs: dict[tuple[str, str], None] = {}
    for draw in range(draws):
        maker = TextMaker(Random(draw))
        whole = maker.sample(parsed)
        for before, one in maker.loops:
            pairs |= dict.fromkeys(((before, one), ("", one), ("", before), ("", before + one)))
        pairs |= dict.fromkeys((("", whole), ("", whole[:-1])))
    return (each for each in pairs if 0 < len(each[1]) <= 200)


def judge(source: PatternSource, draws: int) -> SlowPattern | None:
    """The first text that takes the expression too long; none if there is none."""
    compiled = re.compile(source.pattern, source.flags)
    limit = next((most for place, most in LONGEST_TEXTS.items() if source.place.startswith(place)), None)

    def run(text: str) -> object:
        return compiled.fullmatch(text) if source.is_anchored else sum(1 for _ in compiled.finditer(text))

    for begin, unit in hostile_units(source, draws):
        for tail in TAILS:
            found = _growth(run, begin, unit, tail) if limit is None else slowness(run, begin, unit, tail, limit)
            if found is not None:
                return SlowPattern(source, f"{begin!r} {unit!r} {tail!r}", *found)
    return None


def slowness(run: Callable[[str], object], begin: str, unit: str, tail: str, length: int) -> tuple[float, float] | None:
    """The seconds that the text of this length takes, if they are too many, and no ratio."""
    seconds = min(_cost(run, begin, unit, tail, length) for _ in range(2))
    return (seconds, 0.0) if seconds > SLOWEST else None


def _growth(run: Callable[[str], object], begin: str, unit: str, tail: str) -> tuple[float, float] | None:
    ratio = long = 0.0
    for _ in range(3):
        long = _cost(run, begin, unit, tail, LONG)
        if long < NOTICEABLE:
            return None
        ratio = long / max(_cost(run, begin, unit, tail, SHORT), 1e-6)
        if ratio < STEEPEST and long < MOST_SECONDS:
            return None
    return long, ratio


def _cost(run: Callable[[str], object], begin: str, unit: str, tail: str, length: int) -> float:
    text = begin + unit * (length // len(unit) + 1) + tail
    earlier, begun = signal.signal(signal.SIGVTALRM, _stop), process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        run(text)
    except _TooLong:
        return MOST_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier)
    return process_time() - begun


def _stop(*_: object) -> None:
    raise _TooLong


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=6, help="texts drawn from each expression")
    options.add_argument("--only", default="", help="expressions whose place has this in it")
    given = options.parse_args()
    sources = [each for each in collect_sources() if given.only in each.place and not each.place.startswith(OUR_OWN)]
    slow = 0
    for source in sources:
        found = judge(source, given.draws)
        if found is not None:
            slow += 1
            sys.stdout.write(f"{found}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(sources)} expressions, {slow} slow\n")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
