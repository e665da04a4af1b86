"""How fast an mbox is taken in, on one core: `python -m benchmarks.mail [--mails N] [--ordinary] [--layers]`.

Without `--heads` rules read alone; with them the heads of the reading model that are named. With `--single N` so many
more come one by one, as a mail server delivers them.

The mails are the 585 of the worlds that the models are trained on, as messy as people write them, again and again with
other days, addressees and things: each noun behind an article is exchanged for one of another mail. What repeats is
what people repeat, greetings and thanks. With `--alike` they repeat word by word, so that a sentence without a time was
read before. In all of these nearly every sentence is an act. With `--ordinary` they are an inbox as people have it,
with newsletters, notices of programs and short replies above quoted mails (`benchmarks/ordinary_mail.py`).
"""

import argparse
import cProfile
import pstats
import re
import time
from collections.abc import Sequence
from contextlib import closing, nullcontext
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from training.corpus import Doc, load_worlds

from benchmarks.layers import Layer, LayerTimes
from benchmarks.ordinary_mail import KINDS, Earlier, OrdinaryInbox
from recollect.importers.mail import import_mail
from recollect.memory import Memory, open_memory
from recollect.settings import Settings

START = datetime(2025, 1, 6, 8, tzinfo=UTC)
SWITCHES = {"act": "reading.sentence_model", "outcome": "reading.closing_model"}
"""The setting that switches each head of the reading model off."""
SHOWN = 45
_THING = re.compile(r"\b(the|our|her|his|my|your|an?) ([a-z]{4,})\b")
LAYERS = (
    Layer("mbox, headers, MIME", ("ingest/mail/", "importers/mail")),
    Layer("screening: secrets, attacks, trust", ("text/redaction", "text/prompt_injection", "ingest/trust")),
    Layer("blocks, quotes, signatures", ("reading/blocks", "reading/task_marks", "reading/sections", "reading/tables",
          "ingest/extract/passages", "ingest/extract/mail_text", "text/quotations")),
    Layer("times", ("reading/times", "reading/clause_time", "reading/state_time", "reading/time_", "when/english/")),
    Layer("states", ("reading/state", "reading/attribute_patterns", "reading/person_patterns", "reading/tool_patterns",
          "reading/phrases", "reading/clause.py", "reading/cues", "text/contrast")),
    Layer("sentences, clauses, acts", ("reading/", "text/sentences")),
    Layer("people and companies", ("ingest/part", "ingest/extract/text_people", "ingest/extract/facts", "resolve/")),
    Layer("closing of items", ("ingest/extract/clos", "reason/")),
    Layer("drafts of facts", ("ingest/extract/",)),
    Layer("the store: SQL, indexes, cache", ("store/", "search/chunking")),
    Layer("writing: slots, assertions, names", ("write/", "model/", "memory", "ingest/", "importers/")),
)  # fmt: skip
"""Looked for from the innermost function outwards, in this order; what all use counts for who uses it."""


def write_mbox(path: Path, mails: int, *, are_alike: bool = False, first: int = 0, is_ordinary: bool = False) -> None:
    """An mbox of so many mails from a number on, which differ or are alike but for days, people and numbers."""
    docs = [doc for world in load_worlds() for doc in world.docs if doc.kind == "mail" and doc.author]
    people = sorted({doc.author for doc in docs if doc.author})
    things = sorted({found[1] for doc in docs for unit in doc.units for found in _THING.findall(unit.text)})
    random = Random(7 + first)
    inbox = OrdinaryInbox(people, things, random) if is_ordinary else None
    with path.open("wb") as out:
        for number in range(first, first + mails):
            others = things if number >= len(docs) and not are_alike else ()
            message = _message(docs, number, random.choice(people), _Rewriting(others, random), inbox)
            out.write(b"From - Mon Jan  6 08:00:00 2025\n")
            out.write(message.as_bytes().replace(b"\nFrom ", b"\n>From ") + b"\n")


class _Rewriting(NamedTuple):
    """Tells a text of other things; without any it stays as it is."""

    things: Sequence[str]
    random: Random

    def of(self, text: str) -> str:
        if not self.things:
            return text
        return _THING.sub(lambda found: f"{found[1]} {self.random.choice(self.things)}", text)


def _message(
    docs: Sequence[Doc], number: int, addressee: str, rewriting: _Rewriting, inbox: OrdinaryInbox | None
) -> EmailMessage:
    doc, at = docs[number % len(docs)], START + timedelta(minutes=37 * number)
    author = doc.author or ""
    message = EmailMessage()
    message["From"] = f"{author} <{_address(author)}>"
    message["To"] = f"{addressee} <{_address(addressee)}>"
    kind = KINDS[number % len(KINDS)] if inbox is not None else "own"
    if kind == "own":
        message["Subject"] = f"{doc.title or 'news'} {number // len(docs) or ''}".strip()
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{number}@bench.example>"
    if inbox is not None and kind != "own":
        inbox.fill(message, kind, number, at)
        return message
    body = rewriting.of("\n\n".join(unit.text for unit in doc.units))
    message.set_content(f"{body}\n\nNumber {number}.\n" if number >= len(docs) else f"{body}\n")
    if inbox is not None:
        inbox.note(Earlier(str(message["Message-ID"]), author, _address(author), body, at))
    return message


def _address(name: str) -> str:
    plain = "".join(letter if letter.isalnum() and letter.isascii() else "." for letter in name.lower())
    return f"{plain}@bench.example"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mail", description="Mails a second from an mbox.")
    parser.add_argument("--mails", type=int, default=10_000)
    parser.add_argument("--alike", action="store_true", help="mails that repeat, but for days, people and numbers")
    parser.add_argument("--ordinary", action="store_true", help="an inbox of newsletters, notices and short replies")
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    parser.add_argument("--layers", action="store_true", help="show the milliseconds of each layer for a mail")
    parser.add_argument("--heads", nargs="*", choices=sorted(SWITCHES), default=[], help="read with these, too")
    parser.add_argument("--store", type=Path, help="keep the store here, to compare what two versions read")
    parser.add_argument("--single", type=int, default=0, help="then add so many mails one by one")
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        run(Path(folder), asked)


def run(folder: Path, asked: argparse.Namespace) -> None:
    box = folder / "inbox.mbox"
    write_mbox(box, asked.mails, are_alike=asked.alike, is_ordinary=asked.ordinary)
    profile = cProfile.Profile(time.process_time) if asked.profile else None
    layers = LayerTimes(LAYERS if asked.layers else ())
    settings = {"embedding.model": "none", **{key: "none" for head, key in SWITCHES.items() if head not in asked.heads}}
    with closing(open_memory(str(asked.store or folder / "mail.db"), settings=Settings(file=settings))) as memory:
        begun, clock = time.process_time(), time.perf_counter()
        with layers.sampling() if asked.layers else nullcontext():
            result = profile.runcall(import_mail, memory, box) if profile else import_mail(memory, box)
        taken, wall = time.process_time() - begun, time.perf_counter() - clock
        single = [_add_one(memory, folder / "single.mbox", asked.mails + number) for number in range(asked.single)]
    size = box.stat().st_size / asked.mails
    speed = f"{asked.mails / taken:.0f} a second of processor time, {asked.mails / wall:.0f} by the clock"
    memory_used = getrusage(RUSAGE_SELF).ru_maxrss // 1024
    print(f"{asked.mails} mails of {size:.0f} bytes, {result.tally.facts} facts: {speed}; {memory_used} MB at most")  # noqa: T201
    if single:
        print(f"one more: {median(single) * 1000:.0f} ms of processor time, median of {asked.single}")  # noqa: T201
    for line in layers.table(asked.mails):
        print(line)  # noqa: T201
    if profile is not None:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(SHOWN)


def _add_one(memory: Memory, box: Path, number: int) -> float:
    """The processor seconds that one more mail takes."""
    write_mbox(box, 1, first=number)
    begun = time.process_time()
    import_mail(memory, box)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
