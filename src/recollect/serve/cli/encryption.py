"""`recollect encrypt`, `decrypt` and `rekey`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.errors import Conflict, Refused
from recollect.serve.cli.backup import NeedsFile, NoStore, require_file
from recollect.serve.cli.main import settings_of, standard_options, store_of
from recollect.serve.cli.output import show

if TYPE_CHECKING:
    from recollect.store.encryption import StoreKey

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
