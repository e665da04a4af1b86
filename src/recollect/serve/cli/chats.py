"""What `recollect ingest` can be told about chat exports, and how it reports them."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import click

from recollect.errors import Refused

if TYPE_CHECKING:
    from recollect.ingest.taken import Taken
    from recollect.keep.chats.options import Options

Command = TypeVar("Command", bound=Callable[..., Any])
META = "recollect.chats"
NOTHING_READ = 1


class BadOption(Refused):
    def __init__(self, option: str, why: str) -> None:
        super().__init__(f"{option} {why}", field=option)


def chat_options(command: Command) -> Command:
    """The options that only chat exports have."""
    options: tuple[tuple[str, dict[str, Any]], ...] = (
        ("--dry-run", {"is_flag": True, "help": "Chats: only report what would be done."}),
        ("--since", {"help": "Chats: leave out messages before this day."}),
        ("--memories", {"type": click.Choice(["daily", "none"]), "help": "Chats: make daily memories, or none."}),
        ("--assistant", {"help": "Chats: who the assistant is, where an export does not say."}),
        ("--tz", {"help": "Chats: the zone of times without one."}),
        ("--instance", {"help": "Chats: the embodiment whose daily memories they become."}),
    )
    for flag, more in options:
        command = click.option(flag, expose_value=False, callback=_note, **more)(command)
    return command


def _note(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value:
        ctx.meta.setdefault(META, {})[str(option.name)] = value


def options_of(ctx: click.Context) -> "Options":
    """How the command line wants chats to be taken in."""
    from recollect.keep.chats.options import Options
    from recollect.when.instant import read_zone

    given = ctx.meta.get(META, {})
    return Options(
        _instance(given["instance"]) if "instance" in given else None,
        read_zone(given["tz"]) if "tz" in given else None,
        given.get("assistant"),
        given.get("memories", "daily"),
        _day(given["since"]) if "since" in given else None,
        given.get("dry_run", False),
    )


def _instance(name: str) -> str:
    from recollect.keep.forms import INSTANCE, is_form

    if not is_form(INSTANCE, name):
        raise BadOption("--instance", "should be letters, digits, dots, dashes and underscores, at most 64")
    return name


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadOption("--since", "should be a day such as 2026-05-14") from None


def report_of(taken: "Sequence[Taken]") -> dict[str, Any] | None:
    """One report for all chat exports, if there is nothing else to report."""
    shown = [each.shown for each in taken if each.shown is not None]
    return _all(shown) if shown and len(shown) == len(taken) else None


def _all(reports: list[dict[str, Any]]) -> dict[str, Any]:
    from recollect.intake.chats import joined

    first, *rest = reports
    for each in rest:
        first = joined(first, each)
    return first


def in_words(report: dict[str, Any]) -> dict[str, Any]:
    """A report for people: counts as words, without those that are nothing."""
    counted = {
        key: ", ".join(f"{count} {name}" for name, count in report[key].items() if count) or "none"
        for key in ("conversations", "memories")
    }
    return {**report, **counted, "skipped": len(report["skipped"])}


def is_nothing_read(report: dict[str, Any]) -> bool:
    counts = report["conversations"]
    return counts["skipped"] > 0 and not any(count for name, count in counts.items() if name != "skipped")
