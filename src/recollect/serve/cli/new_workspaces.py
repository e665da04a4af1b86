"""Workspaces that a command creates for what it stores."""

from typing import TYPE_CHECKING, Self

import click

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.serve.open_store import OpenStore


class NewWorkspaces:
    """Creates workspaces; those that nothing was stored in are removed when the command ends, however it ends."""

    def __init__(self, opened: "OpenStore") -> None:
        self._opened = opened
        self._began_at: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for name, began_at in self._began_at.items():
            if _last_tx(self._opened.workspace(name)) == began_at:
                self._remove(name)

    def create(self, name: str) -> "Memory":
        from recollect.memory import create_workspace
        from recollect.serve.workspace_settings import check_name

        create_workspace(self._opened.engine, check_name(name), self._opened.clock)
        memory = self._opened.workspace(name)
        self._began_at[name] = _last_tx(memory)
        click.echo(f"created the workspace {name!r}; use it with --workspace {name}", err=True)
        return memory

    def _remove(self, name: str) -> None:
        from recollect.store.workspaces import delete_workspace

        delete_workspace(self._opened.engine, self._opened.workspace(name).workspace)
        self._opened.release(name)
        click.echo(f"removed the workspace {name!r} again: nothing was stored in it", err=True)


def _last_tx(memory: "Memory") -> int:
    with memory.read() as view:
        return view.last_tx
