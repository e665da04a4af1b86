"""`recollect sync`: exchange transactions with other devices."""

from typing import TYPE_CHECKING

import click

from recollect.errors import NotKnown, Unavailable
from recollect.serve.cli.main import settings_of, standard_options, store_of
from recollect.serve.cli.output import show, show_json, show_rows
from recollect.settings import environment_name

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.store.replication_queries import SyncPeer


class NoSuchPeer(NotKnown):
    def __init__(self, name: str | None) -> None:
        what = "there is no peer yet" if name is None else f"there is no peer {name!r}"
        super().__init__(f"{what}; add one with: recollect sync add NAME URL|FOLDER")


class SyncGroup(click.Group):
    """A group whose name alone, or with the name of a peer, syncs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_command = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if is_command else ["now", *args])


@click.group("sync", cls=SyncGroup)
def sync_command() -> None:
    """Exchange transactions with other devices: recollect sync [NAME] [--watch]."""


@sync_command.command("now")
@click.argument("name", required=False)
@click.option("--watch", is_flag=True, help="Go on until interrupted.")
@click.option("--every", type=click.FloatRange(min=1), default=30.0, show_default=True, help="Seconds between syncs.")
@standard_options
def sync_now(ctx: click.Context, name: str | None, watch: bool, every: float, as_json: bool) -> None:
    """Sync with one peer, or with all of them."""
    from threading import Event

    from recollect.serve.sync_peers import sync_with

    pause = Event()
    with store_of(ctx) as opened:
        memory = opened.memory("sync")
        while True:
            for peer in chosen_peers(memory, name):
                try:
                    result = sync_with(memory, peer)
                except Unavailable as failure:
                    if not watch:
                        raise
                    click.echo(f"recollect: {failure}", err=True)
                    continue
                _print_result(peer.name, result._asdict(), as_json)
            if not watch or pause.wait(every):
                return


def chosen_peers(memory: "Memory", name: str | None) -> "list[SyncPeer]":
    from recollect.store import replication_queries

    with memory.read() as view:
        found = [each for each in replication_queries.peers(view) if name in (None, each.name)]
    if not found:
        raise NoSuchPeer(name)
    return found


def _print_result(name: str, result: dict[str, object], as_json: bool) -> None:
    if as_json:
        show_json({"peer": name, **result})
        return
    click.echo(f"{name}: {result['sent']} sent, {result['received']} received")
    if result["waiting"]:
        click.echo(f"  {result['waiting']} wait for transactions of another device, which must sync too")
    if result["refused"]:
        click.echo(f"  {result['refused']} rows were erased here before and stay away")
    if result["erased"]:
        click.echo(f"  {result['erased']} things were erased, as another device had erased them")
    for path in result["incomplete"] if isinstance(result["incomplete"], tuple) else ():
        click.echo(f"  {path} is incomplete; sync again later", err=True)
    for path in result["plain"] if isinstance(result["plain"], tuple) else ():
        click.echo(f"  {path} is not encrypted and was not read; sync its device with the key of this folder", err=True)
    for device in result["forked"] if isinstance(result["forked"], tuple) else ():
        click.echo(
            f"  two stores sync as device {device}, one a copy of the other, and devices lack what one of them wrote; "
            "run on both: recollect sync new-device",
            err=True,
        )


@sync_command.command("add")
@click.argument("name")
@click.argument("address")
@standard_options
def add_peer(ctx: click.Context, name: str, address: str, as_json: bool) -> None:
    """Add a peer: the URL of a `recollect serve`, or a folder that devices share."""
    from recollect.serve.sync_peers import checked_address, folder_key
    from recollect.store import replication_queries
    from recollect.store.replication_queries import SyncPeer

    with store_of(ctx) as opened, opened.memory("sync").write() as change:
        peer = SyncPeer(name, checked_address(address), None)
        replication_queries.put_peer(change, peer)
    if not peer.is_server and folder_key(settings_of(ctx), name) is None:
        setting = environment_name(f"sync.{name}.key")
        click.echo(
            f"recollect: the files in {peer.address} will NOT be encrypted: whoever can read the folder can read "
            f"this memory; set a passphrase in {setting}, the same on all devices",
            err=True,
        )
    show({"name": peer.name, "address": peer.address}, as_json)


@sync_command.command("list")
@standard_options
def list_peers(ctx: click.Context, as_json: bool) -> None:
    """The peers of this workspace."""
    from recollect.store import replication_queries
    from recollect.when.instant import format_instant

    with store_of(ctx) as opened, opened.memory("sync").read() as view:
        found = replication_queries.peers(view)
    rows = [
        {**each._asdict(), "synced_at": None if each.synced_at is None else format_instant(each.synced_at)}
        for each in found
    ]
    show_rows(rows, as_json, "no peers; add one with: recollect sync add NAME URL|FOLDER")


@sync_command.command("remove")
@click.argument("name")
@standard_options
def remove_peer(ctx: click.Context, name: str, as_json: bool) -> None:
    """Forget a peer; what came from it stays."""
    from recollect.store import replication_queries

    with store_of(ctx) as opened:
        memory = opened.memory("sync")
        chosen_peers(memory, name)
        with memory.write() as change:
            replication_queries.drop_peer(change, name)
    show({"removed": name}, as_json)


@sync_command.command("new-device")
@standard_options
def new_device(ctx: click.Context, as_json: bool) -> None:
    """Give this store a name of its own, after it was copied or restored from a backup."""
    from recollect.keep.replication.log import rename_device

    with store_of(ctx) as opened:
        show({"device": rename_device(opened.memory("sync"))}, as_json)
