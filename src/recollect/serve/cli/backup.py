"""`recollect backup`, `restore`, `verify`, `encrypt`, `decrypt` and `rekey`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.errors import Conflict, NotKnown, Refused, Unsupported
from recollect.serve.cli.main import settings_of, standard_options, store_of
from recollect.serve.cli.output import show, show_rows
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.keep.store_checks import WorkspaceDigest
    from recollect.serve.open_store import OpenStore
    from recollect.store.encryption import StoreKey
    from recollect.store.sqlite_file import StoreFile


PG_DUMP = (
    "recollect: tokens and vectors are not in it; a complete backup with everything: pg_dump --format=custom, "
    "see docs/backup.md"
)


class StoresDiffer(Conflict):
    code = "stores_differ"

    def __init__(self, names: list[str]) -> None:
        both = "recollect verify --db STORE, once for each, shows what it holds"
        super().__init__(f"the stores differ in {', '.join(names)}; {both}")


class NoStore(NotKnown):
    def __init__(self, path: Path) -> None:
        super().__init__(f"there is no store at {path}; pass the path or address of another store")


class NeedsFile(Unsupported):
    def __init__(self, verb: str) -> None:
        super().__init__(f"recollect {verb} works on SQLite files; the tools of PostgreSQL do this for its databases")


keep_backup = click.option("--no-backup", is_flag=True, help="Do not keep the previous file.")


class NoKey(Refused):
    code = "no_key"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}; give a key in RECOLLECT_KEY, or a file with --key-file: a missing one is created")


class NoPresentKey(Refused):
    code = "no_key"

    def __init__(self, verb: str) -> None:
        super().__init__(f"the current key is needed to {verb}; give it in RECOLLECT_KEY, or its file with --key-file")


class NothingToDecrypt(Conflict):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is not encrypted; there is nothing to decrypt")


def require_file(opened: "OpenStore", verb: str) -> "StoreFile":
    if opened.file is None:
        raise NeedsFile(verb)
    return opened.file


def other_store(settings: Settings, path: Path | str) -> Settings:
    """The same settings for another store, which has no replicas; a relative path stays one."""
    elsewhere = {"RECOLLECT_DB": str(path), "RECOLLECT_DB_REPLICAS": ""}
    return replace(settings, environment={**settings.environment, **elsewhere})


@click.command("backup")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@standard_options
def backup_command(ctx: click.Context, path: Path, as_json: bool) -> None:
    """Copy the whole store to PATH, even while servers write to it.

    The copy is a SQLite store, checked and under the same key. Of a PostgreSQL store it has every workspace with its
    history.
    """
    from recollect.keep.store_checks import copy_workspaces
    from recollect.serve.open_store import OpenStore
    from recollect.store.file_copies import FileExists, copy_store

    settings = settings_of(ctx)
    with OpenStore(settings) as opened:
        if opened.file is not None:
            opened.check()
            copy_store(opened.file, path)
        elif path.exists():
            raise FileExists(path)
        else:
            with OpenStore(other_store(settings, path)) as target:
                copy_workspaces(opened.memory("backup"), target.memory("backup"))
            click.echo(PG_DUMP, err=True)
    show({"backup": str(path), "bytes": path.stat().st_size}, as_json)


@click.command("restore")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--verify", is_flag=True, help="Compare the restored store with the backup afterwards.")
@standard_options
def restore_command(ctx: click.Context, path: Path, verify: bool, as_json: bool) -> None:
    """Replace the store with the backup at PATH; the previous store is kept next to it.

    Stop the servers that use the store first. A PostgreSQL store must be empty.
    """
    from recollect.keep.store_checks import copy_workspaces
    from recollect.serve.open_store import OpenStore
    from recollect.store.file_copies import replace_store
    from recollect.store.sqlite_file import StoreFile

    settings = settings_of(ctx)
    backup = OpenStore(other_store(settings, path))
    opened = OpenStore(settings)
    kept = None
    if opened.file is not None:
        kept = replace_store(StoreFile(str(path), opened.file.key), opened.file)
    else:
        with backup, opened:
            copy_workspaces(backup.memory("restore"), opened.memory("restore"))
    result = {"restored": str(path), "before": None if kept is None else str(kept)}
    if verify:
        compared = _compare(settings, other_store(settings, path))
        result["verified"] = f"{len(compared)} workspaces are equal"
    show(result, as_json)


@click.command("verify")
@click.argument("other", required=False)
@standard_options
def verify_command(ctx: click.Context, other: str | None, as_json: bool) -> None:
    """Counts, a digest of every row and of a sample of answers, by workspace; with OTHER, compare two stores.

    OTHER is a path or an address. Exit code 1 if the stores differ.
    """
    settings = settings_of(ctx)
    if other is None:
        show_rows([each._asdict() for each in _digests(settings)], as_json)
        return
    given = other_store(settings, other)
    file = given.database_file
    if file is not None and not file.exists():
        raise NoStore(file)
    show_rows([each._asdict() for each in _compare(settings, given)], as_json)
    click.echo("recollect: both stores are equal", err=True)


def _digests(settings: Settings) -> "list[WorkspaceDigest]":
    from recollect.keep.store_checks import digest_store
    from recollect.serve.open_store import OpenStore

    with OpenStore(settings) as opened:
        return digest_store(opened.memory("verify"))


def _compare(one: Settings, other: Settings) -> "list[WorkspaceDigest]":
    """The digests of two equal stores; anything else is refused with the workspaces that differ."""
    first, second = ({each.workspace: each for each in _digests(settings)} for settings in (one, other))
    names = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    if names:
        raise StoresDiffer(names)
    return list(first.values())


def key_in(path: Path) -> "StoreKey":
    """The key in a file, which is created with a random one if it is missing."""
    from recollect.store.encryption import create_key_file, read_key_file

    path = path.expanduser()  # a shell leaves ~ alone in --new-key-file=~/key
    if path.exists():
        return read_key_file(path)
    made = create_key_file(path)
    click.echo(f"recollect: {path} has a new key; keep a copy of it in another place", err=True)
    return made


@click.command("encrypt")
@keep_backup
@standard_options
def encrypt_command(ctx: click.Context, no_backup: bool, as_json: bool) -> None:
    """Encrypt the store in place with the key in RECOLLECT_KEY or in the file of --key-file.

    A key file that does not exist is created with a random key. Stop the servers that use the store first.
    """
    from recollect.store.encryption import key_from
    from recollect.store.file_copies import change_key
    from recollect.store.sqlite_file import StoreFile

    settings = settings_of(ctx)
    path = settings.database_file
    if path is None:
        raise NeedsFile("encrypt")
    if not path.exists():
        raise NoStore(path)

    def new_key() -> "StoreKey":
        name = settings.text("key_file")
        key = key_in(Path(name)) if name and not settings.environment.get("RECOLLECT_KEY") else key_from(settings)
        if key is None:
            raise NoKey("there is no key to encrypt with")
        return key

    kept = change_key(StoreFile(str(path)), new_key, keep_backup=not no_backup)
    _show_kept(str(path), kept, as_json, "not encrypted: delete it once the store opens")


@click.command("decrypt")
@keep_backup
@standard_options
def decrypt_command(ctx: click.Context, no_backup: bool, as_json: bool) -> None:
    """Decrypt the store in place; its current key is in RECOLLECT_KEY or in the file of --key-file."""
    from recollect.store.file_copies import change_key

    file = require_file(store_of(ctx), "decrypt")
    if file.is_plain:
        raise NothingToDecrypt(file.path)
    if file.key is None:
        raise NoPresentKey("decrypt it")
    _show_kept(file.path, change_key(file, lambda: None, keep_backup=not no_backup), as_json, "still encrypted")


@click.command("rekey")
@click.option(
    "--new-key-file",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file with the new key; a missing one is created with a random key.",
)
@keep_backup
@standard_options
def rekey_command(ctx: click.Context, new_key_file: Path, no_backup: bool, as_json: bool) -> None:
    """Encrypt the store in place with another key; its current key is in RECOLLECT_KEY or in --key-file."""
    from recollect.store.file_copies import change_key

    file = require_file(store_of(ctx), "rekey")
    if file.key is None:
        raise NoPresentKey("change it")
    kept = change_key(file, lambda: key_in(new_key_file), keep_backup=not no_backup)
    _show_kept(file.path, kept, as_json, "under the old key")


def _show_kept(path: str, kept: Path | None, as_json: bool, state: str) -> None:
    if kept is not None:
        click.echo(f"recollect: the previous file is {kept}, {state}", err=True)
    show({"store": path, "before": None if kept is None else str(kept)}, as_json)
