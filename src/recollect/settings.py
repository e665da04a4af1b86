"""Settings, read once and handed down.

A setting has a dotted key, `section.key`. The environment (`RECOLLECT_SECTION_KEY`) wins over the workspace's own
value, which wins over `recollect.toml`; a few have an older environment name, read if none of these is set.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from recollect.errors import Refused

FILE = "recollect.toml"
TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"", "0", "false", "no", "off"})
OLDER = {
    "entity_core.snapshot_retention_days": "ENTITY_CORE_SNAPSHOT_RETENTION_DAYS",
    "llm.key": "ENTITY_CORE_LLM_API_KEY",
    "llm.url": "ENTITY_CORE_LLM_BASE_URL",
    "llm.model": "ENTITY_CORE_LLM_MODEL",
}

SECRET_NAMES = ("key", "api_key", "token", "secret", "password")
MASK = "(secret)"

SERVER_SECTIONS = frozenset({"audit", "db", "limits", "oauth", "serve"})
"""What holds for all workspaces of a server, so that none of them decides it."""
DEFAULT_WORKSPACE = "default"
DEFAULT_SURFACE = "recollect"


def is_server_wide(key: str) -> bool:
    return key.partition(".")[0] in SERVER_SECTIONS


class BadSetting(Refused):
    code = "bad_setting"

    def __init__(self, key: str, value: object, expected: str) -> None:
        super().__init__(f"setting {key} should be {expected}, not {value!r}", field=key)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of one process and one workspace."""

    environment: Mapping[str, str] = field(default_factory=dict)
    workspace: Mapping[str, Any] = field(default_factory=dict)
    file: Mapping[str, Any] = field(default_factory=dict)

    def get(self, key: str) -> Any:
        """The value as it was written, or None."""
        from_environment = self.environment.get(environment_name(key))
        if from_environment is not None:
            return from_environment
        own = {} if is_server_wide(key) else self.workspace
        found = own.get(key, self.file.get(key))
        return self.environment.get(OLDER.get(key, "")) if found is None else found

    def text(self, key: str, default: str | None = None) -> str | None:
        value = self.get(key)
        return default if value is None or value == "" else str(value)

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.get(key)
        if value is None:
            return default
        word = str(value).strip().lower()
        if word not in TRUE | FALSE:
            raise BadSetting(key, value, "true or false")
        return word in TRUE

    def integer(self, key: str, default: int) -> int:
        value = self.get(key)
        try:
            return default if value is None else int(value)
        except (TypeError, ValueError):
            raise BadSetting(key, value, "a whole number") from None

    def table(self, key: str) -> Mapping[str, Any]:
        """A nested setting; JSON if it comes from the environment."""
        value = self.get(key)
        try:
            found = json.loads(value) if isinstance(value, str) else value or {}
        except ValueError:
            raise BadSetting(key, value, "a JSON object") from None
        if not isinstance(found, Mapping):
            raise BadSetting(key, value, "an object")
        return found

    def for_workspace(self, values: Mapping[str, Any]) -> "Settings":
        """These settings with those of a workspace, which the environment overrides."""
        return Settings(self.environment, values, self.file)

    @property
    def database(self) -> str:
        """A path or an address; a file in the user's data folder unless one is set."""
        return self.text("db") or default_database()

    @property
    def database_file(self) -> Path | None:
        """The file of the database; none for a server or a database in memory."""
        path = self.database.removeprefix("sqlite:///")
        return None if "://" in path or path == ":memory:" else Path(path).expanduser()

    @property
    def replicas(self) -> tuple[str, ...]:
        """Addresses of replicas of the database: a list, or a text with spaces between them."""
        value = self.get("db.replicas") or ()
        return tuple(value.split() if isinstance(value, str) else map(str, value))

    @property
    def workspace_name(self) -> str:
        return self.text("workspace") or DEFAULT_WORKSPACE

    @property
    def surface(self) -> str:
        return self.text("surface") or DEFAULT_SURFACE

    @property
    def now(self) -> str | None:
        """The instant at which the clock is fixed, if any."""
        return self.text("now")


@lru_cache(256)
def environment_name(key: str) -> str:
    return "RECOLLECT_" + key.replace(".", "_").replace("-", "_").upper()


def is_secret(key: str) -> bool:
    """Whether the value of a setting is a secret: it is neither shown nor exported."""
    name = key.rpartition(".")[2]
    return "." in key and (name in SECRET_NAMES or name.endswith(tuple(f"_{each}" for each in SECRET_NAMES)))


def default_database() -> str:
    from platformdirs import user_data_path

    return str(user_data_path("recollect") / "memory.db")


def read_settings(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """The settings of this process: its environment, and the `recollect.toml` of the folder it runs in."""
    variables = os.environ if environment is None else environment
    ours = {name: value for name, value in variables.items() if name.startswith("RECOLLECT_") or name in OLDER.values()}
    path = Path(ours["RECOLLECT_CONFIG"]) if "RECOLLECT_CONFIG" in ours else (folder or Path.cwd()) / FILE
    return Settings(environment=ours, file=read_file(path))


def read_file(path: Path) -> dict[str, Any]:
    """The file's values under dotted keys; empty if there is no file."""
    if not path.is_file():
        return {}
    import tomllib

    try:
        return dict(_flatten(tomllib.loads(path.read_text("utf-8"))))
    except tomllib.TOMLDecodeError as problem:
        raise BadSetting(path.name, str(problem), "readable TOML") from None


def _flatten(table: Mapping[str, Any], within: str = "") -> Mapping[str, Any]:
    """Sections become dotted keys; a table inside a section is a value, and its entries have keys as well."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{within}{key}"
        if isinstance(value, dict):
            flat |= _flatten(value, f"{name}.")
        if within or not isinstance(value, dict):
            flat[name] = value
    return flat
