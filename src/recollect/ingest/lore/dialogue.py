"""Dialogues: turns of speakers, in their order."""

import re
from typing import NamedTuple

_TURN = re.compile(
    r"[ \t]*(?:\[(?P<time>[^\]\n]{1,100})\][ \t]*)?"
    r"(?P<speaker>[^\s:\[\]#>|-][^:\n]{0,99}?)[ \t]*:(?:[ \t]+(?P<text>\S.*))?$"
)


class Turn(NamedTuple):
    """What one speaker said, and where it stands in the text."""

    speaker: str
    time: str | None
    start: int
    stop: int


def turns(body: str) -> list[Turn]:
    """The turns of a dialogue; lines without a speaker go on with the turn before them."""
    found: list[Turn] = []
    offset = 0
    for line in body.splitlines(keepends=True):
        turn = _TURN.match(line.rstrip("\r\n"))
        if turn is not None and turn["text"] is not None:
            speaker = " ".join(turn["speaker"].strip("*_ ").split())
            if speaker:
                found.append(Turn(speaker, turn["time"], offset, offset + len(line)))
        elif found and line.strip():
            found[-1] = found[-1]._replace(stop=offset + len(line))
        offset += len(line)
    return found


def speakers(said: list[Turn]) -> list[str]:
    """Who spoke, in the order of their first turn."""
    return list(dict.fromkeys(turn.speaker for turn in said))
