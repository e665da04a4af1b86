"""`recollect trust`: how far senders, mail domains, folders and tools are trusted."""

import click

from recollect.serve.cli.main import standard_options, store_of
from recollect.serve.cli.output import show, show_rows

_KINDS = ("sender", "domain", "folder", "tool")
_LEVELS = ("owner", "known", "unknown", "untrusted")


@click.group("trust")
def trust_command() -> None:
    """How far sources are trusted. A less trusted source never replaces what a more trusted one said."""


@trust_command.command("list")
@standard_options
def list_rules(ctx: click.Context, as_json: bool) -> None:
    """The rules of this workspace."""
    from recollect.write.trust_rules import RULE_SETTINGS, trust_rules

    with store_of(ctx) as opened:
        memory = opened.memory("trust")
        with memory.read() as view:
            settings = memory.settings_in(view)
    rows = [
        {"kind": kind, "name": name, "trust": level}
        for kind in RULE_SETTINGS
        for name, level in sorted(trust_rules(settings, kind).items())
    ]
    show_rows(rows, as_json, "no rules; senders are known by the owner's contacts, downloads and web pages untrusted")


@trust_command.command("set")
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("name")
@click.argument("level", type=click.Choice((*_LEVELS, "default")))
@standard_options
def set_rule(ctx: click.Context, kind: str, name: str, level: str, as_json: bool) -> None:
    """Trust a sender, mail domain, folder or tool at a LEVEL; `default` removes the rule.

    It applies to what is taken in from now on. A tool is named SURFACE or SURFACE.TOOL.
    """
    from recollect.serve.workspace_settings import put_setting
    from recollect.write.trust_rules import changed_rules, rule_kind

    with store_of(ctx) as opened, opened.memory("trust").write() as change:
        key, rules = changed_rules(change, rule_kind(kind), name, level)
        put_setting(change, key, rules or None)
        show({"kind": kind, "name": name, "trust": level, "tx": change.last_tx}, as_json)
