"""What is published besides the code: container files and metadata. `make package` builds and tries the artefacts."""

import re
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from pydantic import ValidationError
from scripts.container_check import instructions as parse_instructions
from scripts.package_metadata import BundleManifest, RegistryServer, bundle_manifest, registry_server

ROOT = Path(__file__).parents[1]
HADOLINT = shutil.which("hadolint") or shutil.which("hadolint", path=str(Path(sys.executable).parent))


def instructions() -> list[tuple[str, str]]:
    return parse_instructions((ROOT / "Dockerfile").read_text("utf-8"))


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    return found


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_the_dockerfile_has_no_findings() -> None:
    ended = subprocess.run([str(HADOLINT), str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "")


def test_the_image_is_slim_runs_as_nobody_special_and_knows_its_health() -> None:
    words = dict(instructions())
    assert words["FROM"].split(":")[1].endswith("-slim")
    assert words["USER"] == "10001"
    assert "/healthz" in words["HEALTHCHECK"]
    assert (words["ENTRYPOINT"], words["CMD"]) == ('["recollect"]', '["serve"]')


def test_the_source_archive_has_the_pages_and_the_files_that_they_use() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    # Without the slash a name stands for every file of that name, wherever it is.
    assert all(each.startswith("/") and (ROOT / each[1:]).exists() for each in included)
    assert {"/docs", "/examples"} <= set(included)


def test_only_what_the_wheel_needs_is_sent_to_the_builder() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    copied = [rest.split()[:-1] for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    names = {name for group in copied for name in group}
    assert ignored[0] == "*"
    assert names == {line[1:] for line in ignored if line.startswith("!")}
    assert all((ROOT / name).exists() for name in names)


def test_the_composed_server_has_a_read_only_root_and_no_privileges() -> None:
    server = compose()["services"]["recollect"]
    assert server["read_only"] is True
    assert (server["cap_drop"], server["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])


def test_the_composed_database_has_pgvector_a_volume_and_no_written_password() -> None:
    services = compose()["services"]
    assert services["postgres"]["image"].startswith("pgvector/pgvector:pg")
    volume = services["postgres"]["volumes"][0].split(":")[0]
    assert volume in compose()["volumes"]
    assert services["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    assert services["recollect"]["depends_on"]["postgres"]["condition"] == "service_healthy"


def test_the_metadata_names_the_bundle_of_this_version_by_its_hash() -> None:
    server, manifest = registry_server(b"bundle", "https://github.com/acme/memory/releases/download"), bundle_manifest()
    [package] = server["packages"]
    version = manifest["version"]
    assert (server["name"], server["version"]) == ("io.github.acme/recollect", version)
    place = f"https://github.com/acme/memory/releases/download/v{version}/recollect-{version}.mcpb"
    assert (package["identifier"], package["fileSha256"]) == (place, sha256(b"bundle").hexdigest())
    assert len(manifest["tools"]) == 9


def test_nothing_sends_anybody_to_a_package_that_has_our_name_and_is_not_ours() -> None:
    server = registry_server(b"bundle")
    assert server["name"] == "example.recollect/recollect"
    assert [each["registryType"] for each in server["packages"]] == ["mcpb"]
    assert urlsplit(server["packages"][0]["identifier"]).hostname == "recollect.example"
    by_name = re.compile(r"(?:uvx|pipx? install|uv tool install|uv add) (?:-\S+ )*[\"']?recollect\b(?![-/.])")
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("integrations/**/*"), *ROOT.glob("src/**/*.py")]
    told = [page.name for page in pages if page.is_file() and by_name.search(page.read_text("utf-8"))]
    assert told == []


@pytest.mark.parametrize(
    "change", [{"version": "latest"}, {"name": "recollect"}, {"extra": 1}, {"description": "x" * 101}]
)
def test_invalid_registry_metadata_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RegistryServer.model_validate(registry_server(b"bundle") | change)


def test_an_invalid_manifest_is_refused() -> None:
    with pytest.raises(ValidationError):
        BundleManifest.model_validate(bundle_manifest() | {"manifest_version": "9"})
