"""Options of `recollect ingest` for chat exports, and the report about them."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import click

from recollect.errors import InvalidField

if TYPE_CHECKING:
    from recollect.importers.import_run import ImportResult
    from recollect.keep.chats.importer import ChatImportOptions

Command = TypeVar("Command", bound=Callable[..., Any])
OPTIONS_KEY = "recollect.chats"
NOTHING_READ = 1


def chat_options(command: Command) -> Command:
    """The options that only chat exports have."""
    options: tuple[tuple[str, dict[str, Any]], ...] = (
        ("--dry-run", {"is_flag": True, "help": "Report what would be done, with a sample, and store nothing."}),
        ("--since", {"help": "Chats: skip messages before this day."}),
        ("--memories", {"type": click.Choice(["daily", "none"]), "help": "Chats: create daily memories, or none."}),
        ("--assistant", {"help": "Chats: the name of the assistant if the export has none."}),
        ("--tz", {"help": "Chats: the time zone of times without one."}),
        ("--instance", {"help": "Chats: the embodiment that the daily memories belong to."}),
    )
    for flag, more in options:
        command = click.option(flag, expose_value=False, callback=_store_option, **more)(command)
    return command


def _store_option(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value:
        ctx.meta.setdefault(OPTIONS_KEY, {})[str(option.name)] = value


def options_of(ctx: click.Context) -> "ChatImportOptions | None":
    """The chat options of the command line; none if it has none, so that the chat importer need not be loaded."""
    given = ctx.meta.get(OPTIONS_KEY)
    if given is None:
        return None
    from recollect.keep.chats.importer import ChatImportOptions
    from recollect.when.instant import read_zone

    return ChatImportOptions(
        _instance(given["instance"]) if "instance" in given else None,
        read_zone(given["tz"]) if "tz" in given else None,
        given.get("assistant"),
        given.get("memories", "daily"),
        _day(given["since"]) if "since" in given else None,
        given.get("dry_run", False),
    )


def _instance(name: str) -> str:
    from recollect.keep.memory_formats import INSTANCE, matches_format

    if not matches_format(INSTANCE, name):
        raise InvalidField("--instance", "should be letters, digits, dots, dashes and underscores, at most 64")
    return name


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidField("--since", "should be a day such as 2026-05-14") from None


def report_of(taken: "Sequence[ImportResult]") -> dict[str, Any] | None:
    """One report for all chat exports, if only chat exports were imported."""
    shown = [each.chat_report for each in taken if each.chat_report is not None]
    return _sum_reports(shown) if shown and len(shown) == len(taken) else None


def _sum_reports(reports: list[dict[str, Any]]) -> dict[str, Any]:
    from recollect.importers.chat_exports import merge_reports

    first, *rest = reports
    for each in rest:
        first = merge_reports(first, each)
    return first


def format_report(report: dict[str, Any]) -> dict[str, Any]:
    """A report for people: counts as words, without zeros."""
    counted = {
        key: ", ".join(f"{count} {name}" for name, count in report[key].items() if count) or "none"
        for key in ("conversations", "memories")
    }
    return {**report, **counted, "skipped": len(report["skipped"])}


def is_nothing_read(report: dict[str, Any]) -> bool:
    counts = report["conversations"]
    return counts["skipped"] > 0 and not any(count for name, count in counts.items() if name != "skipped")
