"""Precision and recall of the sentence reader on the labelled corpus.

    python -m training.measure_reading [--held-back] [--by language|kind] [--missed ACT] [--wrong ACT] [--limit 40]

Rules are developed on the worlds whose name has an even checksum; `--held-back` measures the others.
"""

import argparse
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from recollect.ingest.extract.model_readings import read_by_model
from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context, Person, TextKind
from recollect.reading.language import detect_language
from recollect.reading.reader import read_block
from recollect.reading.sections import section_kind
from recollect.settings import Settings
from recollect.text_models.pair_model import reader_for
from recollect.text_models.sentence import SentenceReader
from training.corpus import Doc, Label, Sentence, Unit, World, load_worlds

_KINDS: dict[str, TextKind] = {
    "chat": "chat",
    "assistant": "chat",
    "mail": "mail",
    "note": "note",
    "meeting": "minutes",
}
_ALIKE = {
    "attribute": {"attribute", "event", "relation"},
    "event": {"attribute", "event", "relation", "completion"},
    "relation": {"attribute", "event", "relation"},
    "commitment": {"commitment", "decision"},
    "decision": {"decision", "commitment"},
    "completion": {"completion", "event"},
    "cancellation": {"cancellation", "event", "decision", "completion"},
    "preference": {"preference", "attribute", "decision"},
    "blocker": {"blocker", "concern", "attribute", "event"},
    "concern": {"concern", "blocker"},
    "goal": {"goal", "decision", "commitment"},
}
"""Acts that count as right in the second column: annotators draw the boundary between them differently.

The third column counts every sentence that is annotated as some act and meant."""
_FACTS = {"asserted", "habitual", "reported"}
Case = tuple[Sentence, Context, tuple[ClauseReading, ...]]


@dataclass(slots=True)
class _Tally:
    predicted: int = 0
    right: int = 0
    alike: int = 0
    meant: int = 0
    labelled: int = 0
    found: int = 0

    def row(self, name: str) -> str:
        shares = (
            (self.right, self.predicted),
            (self.alike, self.predicted),
            (self.meant, self.predicted),
            (self.found, self.labelled),
        )
        cells = " ".join(f"{part / whole:6.2f}" if whole else "     -" for part, whole in shares)
        return f"{name:34}{self.predicted:6} {cells} {self.labelled:6}"


def _print(line: object) -> None:
    print(line)  # noqa: T201


def is_held_back(world: World) -> bool:
    return zlib.crc32(world.name.encode()) % 2 == 1


def cases(worlds: Sequence[World]) -> Iterator[tuple[str, Sentence, Context]]:
    """Every labelled sentence with its document kind and its context."""
    for world in worlds:
        people = tuple(Person(name, (name.split()[0],)) for name in (each.split(":")[0] for each in world.voices))
        for doc in world.docs:
            base = Context(_KINDS[doc.kind], people=people)
            yield from _doc_cases(doc, base)


def _doc_cases(doc: Doc, base: Context) -> Iterator[tuple[str, Sentence, Context]]:
    section = None
    for unit in doc.units:
        section = section_kind(unit.sentences[0].text) or section if doc.kind in ("note", "meeting") else None
        context = replace(_unit_context(doc, unit, base), section=section)
        for sentence in unit.sentences:
            if sentence.label is not None and unit.speaker != "Assistant":
                yield doc.kind, sentence, replace(context, language=detect_language(unit.text))


def _unit_context(doc: Doc, unit: Unit, base: Context) -> Context:
    speaker = unit.speaker or doc.author
    others = tuple(each for each in base.people if each.name != speaker)
    return replace(
        base,
        anchor=date.fromisoformat(unit.day),
        speaker=Person(speaker) if speaker else None,
        addressees=others if len(others) == 1 else (),
    )


def measure(found: Sequence[Case]) -> dict[str, _Tally]:
    """By act how many facts were predicted, how many of them are right, and how many of the labelled were found."""
    tallies: dict[str, _Tally] = {}
    for sentence, _, readings in found:
        assert sentence.label is not None
        gold = _gold_act(sentence.label)
        acts = {each.act for each in readings if each.act and (each.is_fact or each.act == "question")}
        for act in acts:
            tally = tallies.setdefault(act, _Tally())
            tally.predicted += 1
            tally.right += act == gold
            tally.alike += gold in _ALIKE.get(act, {act})
            tally.meant += gold is not None or sentence.label.modality == "planned"
        if gold is not None:
            tally = tallies.setdefault(gold, _Tally())
            tally.labelled += 1
            tally.found += bool(acts & _ALIKE.get(gold, {gold}))
    return tallies


def _gold_act(label: Label) -> str | None:
    if label.act == "question":
        return "question"
    return label.act if label.act != "none" and label.modality in _FACTS else None


def _print_table(title: str, found: Sequence[Case]) -> None:
    tallies = measure(found)
    _print(f"{title:34}{'facts':>6} {'right':>6} {'alike':>6} {'meant':>6} {'recall':>6} {'labels':>6}")
    for act in sorted(tallies):
        _print(tallies[act].row(act))
    narrow = [tally for act, tally in tallies.items() if act not in ("attribute", "event", "relation", "question")]
    _print(_sum(narrow).row("all but states"))


def _sum(tallies: Sequence[_Tally]) -> _Tally:
    total = _Tally()
    for each in tallies:
        for name in _Tally.__slots__:
            setattr(total, name, getattr(total, name) + getattr(each, name))
    return total


def _print_rules(found: Sequence[Case]) -> None:
    """By rule how many facts it made and the share of those that are right."""
    tallies: dict[str, _Tally] = {}
    for sentence, _, readings in found:
        assert sentence.label is not None
        gold = _gold_act(sentence.label)
        for each in readings:
            if each.is_fact and each.act is not None:
                tally = tallies.setdefault(f"{each.act}: {each.decided_by}", _Tally())
                tally.predicted += 1
                tally.right += each.act == gold
                tally.alike += gold in _ALIKE.get(each.act, {each.act})
                tally.meant += gold is not None or sentence.label.modality == "planned"
    for name in sorted(tallies):
        _print(tallies[name].row(name))


def _print_times(found: Sequence[Case]) -> None:
    """How many of the annotated deadlines and times the reader found in the sentence, and could read."""
    counts: Counter[str] = Counter()
    for sentence, _, readings in found:
        assert sentence.label is not None
        for slot in ("due", "time", "from", "until"):
            phrase = sentence.label.slots.get(slot)
            facts = [each for each in readings if each.is_fact and each.act == sentence.label.act]
            if phrase and facts:
                counts[slot] += 1
                counts[
                    f"{slot} {max((each.time.status for each in facts), key=('none', 'pending', 'read').index)}"
                ] += 1
    _print({key: counts[key] for key in sorted(counts)})


def _print_examples(found: Sequence[Case], act: str, limit: int, stride: int, *, missed: bool, unmeant: bool) -> None:
    shown = 0
    for sentence, context, readings in found:
        assert sentence.label is not None
        gold = _gold_act(sentence.label)
        acts = [each for each in readings if each.is_fact and each.act]
        has = any(act in (each.act, each.decided_by) for each in acts)
        act_of = next((each.act for each in acts if act in (each.act, each.decided_by)), act)
        is_missed = gold == act and not {each.act for each in acts} & _ALIKE.get(act, {act})
        if is_missed if missed else (has and gold not in _ALIKE.get(act_of, {act_of}) and not (unmeant and gold)):
            shown += 1
            if shown % stride == 0:
                rules = ", ".join(f"{each.act}:{each.decided_by}" for each in readings if each.act or each.decided_by)
                label = f"{sentence.label.act}/{sentence.label.modality}"
                _print(
                    f"[{context.language} {context.kind} {context.section or ''}] {sentence.text[:230]}\n"
                    f"     = {label}   << {rules}"
                )
        if shown >= limit * stride:
            return


def _read(text: str, context: Context, model: SentenceReader | None) -> tuple[ClauseReading, ...]:
    found = read_block(text, context)
    return found if model is None else read_by_model(found, context, model)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--held-back", action="store_true")
    parser.add_argument("--by", choices=("language", "kind"))
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--model", action="store_true", help="with the sentence model, which was trained on the corpus")
    parser.add_argument("--missed")
    parser.add_argument("--wrong")
    parser.add_argument("--unmeant", action="store_true", help="of the wrong ones those that are annotated as no act")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--stride", type=int, default=1)
    asked = parser.parse_args()
    worlds = [world for world in load_worlds() if is_held_back(world) == asked.held_back]
    given = list(cases(worlds))
    model = reader_for(Settings()) if asked.model else None
    started = time.perf_counter()
    found: list[Case] = [(sentence, context, _read(sentence.text, context, model)) for _, sentence, context in given]
    spent = time.perf_counter() - started
    if asked.missed or asked.wrong:
        _print_examples(
            found,
            asked.missed or asked.wrong,
            asked.limit,
            asked.stride,
            missed=bool(asked.missed),
            unmeant=asked.unmeant,
        )
        return
    if asked.rules:
        _print_rules(found)
        return
    _print_table("all", found)
    for name in sorted({_group(kind, case, asked.by) for (kind, _, _), case in zip(given, found, strict=True)} - {""}):
        part = [case for (kind, _, _), case in zip(given, found, strict=True) if _group(kind, case, asked.by) == name]
        _print_table(name, part)
    _print_times(found)
    _print(f"{len(found)} sentences, {1000 * spent / len(found):.3f} ms each")


def _group(kind: str, case: Case, by: str | None) -> str:
    return kind if by == "kind" else case[1].language if by == "language" else ""


if __name__ == "__main__":
    main()
