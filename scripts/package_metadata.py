"""The metadata of published artefacts: `server.json` of the MCP registry and the manifest of an MCP bundle.

The models follow the public schemas: server.json 2025-12-11, MCPB manifest 0.4. Fields we do not use are left out, so
anything else is an error.
"""

from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, StringConstraints

from recollect import __version__ as version

SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
RELEASES = "https://recollect.example/releases/download"
"""Until releases are published, a place that cannot be anybody's; on PyPI our name is another project's."""
BUNDLE = f"recollect-{version}.mcpb"
DESCRIPTION = "Memory for AI agents: a temporal knowledge graph behind an MCP server"

Text = Annotated[str, StringConstraints(min_length=1)]
ExactVersion = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.-]+)?$", max_length=255)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Transport(Strict):
    type: Literal["stdio"]


class Package(Strict):
    registry_type: Literal["mcpb"] = Field(alias="registryType")
    identifier: Annotated[str, StringConstraints(pattern=r"^https://[^/]+/.+\.mcpb$")]
    file_sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] = Field(alias="fileSha256")
    transport: Transport


class RegistryServer(Strict):
    """`server.json`."""

    schema_uri: HttpUrl = Field(alias="$schema")
    name: Annotated[str, StringConstraints(pattern=r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", min_length=3, max_length=200)]
    title: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    description: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    version: ExactVersion
    packages: Annotated[list[Package], Field(min_length=1)]


class Author(Strict):
    name: Text


class BundleCommand(Strict):
    command: Text
    args: list[str]
    env: dict[str, str]


class BundleServer(Strict):
    type: Literal["uv"]
    entry_point: Text
    mcp_config: BundleCommand


class NamedTool(Strict):
    name: Text
    description: str


class Compatibility(Strict):
    platforms: list[Literal["darwin", "win32", "linux"]]
    runtimes: dict[Literal["python"], str]


class UserSetting(Strict):
    type: Literal["string", "number", "boolean", "directory", "file"]
    title: Text
    description: Text
    required: bool
    default: str


class BundleManifest(Strict):
    """`manifest.json` of an MCP bundle."""

    manifest_version: Literal["0.4"]
    name: Text
    display_name: Text
    version: ExactVersion
    description: Text
    author: Author
    license: Text
    server: BundleServer
    tools: list[NamedTool]
    keywords: list[str]
    compatibility: Compatibility
    user_config: dict[str, UserSetting]


def registry_server(bundle: bytes, releases: str = RELEASES) -> dict[str, Any]:
    """The contents of `server.json`: where the bundle of this release is, and the hash that clients check it by."""
    found = {
        "$schema": SERVER_SCHEMA,
        "name": f"{_namespace(releases)}/recollect",
        "title": "Recollect",
        "description": DESCRIPTION,
        "version": version,
        "packages": [
            {
                "registryType": "mcpb",
                "identifier": f"{releases}/v{version}/{BUNDLE}",
                "fileSha256": sha256(bundle).hexdigest(),
                "transport": {"type": "stdio"},
            }
        ],
    }
    RegistryServer.model_validate(found)
    return found


def _namespace(releases: str) -> str:
    """Whose server it is, as the registry checks it: the owner of a repository, or else the domain."""
    _, _, host, owner, *_ = releases.split("/")
    if host in ("github.com", "gitlab.com"):
        return f"io.{host.removesuffix('.com')}.{owner}"
    return ".".join(reversed(host.split(".")))


def bundle_manifest() -> dict[str, Any]:
    """The contents of the bundle's `manifest.json`."""
    from recollect.surfaces.registry import DEFAULT, find_surface

    tools = find_surface(DEFAULT).listed_tools(may_write=True)
    found = {
        "manifest_version": "0.4",
        "name": "recollect",
        "display_name": "Recollect",
        "version": version,
        "description": DESCRIPTION,
        "author": {"name": "The Recollect authors"},
        "license": "Apache-2.0",
        "server": {
            "type": "uv",
            "entry_point": "server/main.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server/main.py"],
                "env": {
                    f"RECOLLECT_{key.upper()}": f"${{user_config.{key}}}" for key in ("db", "workspace", "surface")
                },
            },
        },
        "tools": [{"name": tool.name, "description": tool.description.split("\n")[0]} for tool in tools],
        "keywords": ["memory", "knowledge graph", "recall"],
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": ">=3.11"}},
        "user_config": {
            "db": _setting("Database", "A file or a postgresql:// address; empty for the default file"),
            "workspace": _setting("Workspace", "Empty for the default workspace"),
            "surface": _setting("Surface", "The set of tools; empty for the everyday nine"),
        },
    }
    BundleManifest.model_validate(found)
    return found


def _setting(title: str, description: str) -> dict[str, Any]:
    return {"type": "string", "title": title, "description": description, "required": False, "default": ""}
