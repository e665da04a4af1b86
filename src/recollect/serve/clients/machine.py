"""The machine a client runs on: platform, home folder, environment variables, commands on the path."""

import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from recollect.serve.clients.declarations import Client

_VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")


@dataclass(frozen=True, slots=True)
class Machine:
    """Where templates of paths are filled in."""

    home: Path
    platform: str = sys.platform
    environment: Mapping[str, str] = field(default_factory=dict)

    def path(self, template: str) -> Path:
        filled = _VARIABLE.sub(lambda found: self.environment.get(found[1]) or found[2], template)
        if filled == "~" or filled.startswith("~/"):
            return self.home / filled[2:]
        return Path(filled)

    def user_file(self, client: Client) -> Path | None:
        template = client.user_file.get(self.platform) or client.user_file.get("linux")
        return None if template is None else self.path(template)

    def which(self, command: str) -> str | None:
        return shutil.which(command, path=self.environment.get("PATH", os.defpath))

    def has(self, client: Client) -> bool:
        """Whether the client seems to be installed: its files, its folder, or its command."""
        file = self.user_file(client)
        if file is not None and (file.exists() or (file.parent != self.home and file.parent.is_dir())):
            return True
        return any(self.path(each).exists() for each in client.traces) or any(map(self.which, client.commands))


def this_machine() -> Machine:
    return Machine(Path.home(), sys.platform, os.environ)
