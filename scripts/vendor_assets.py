"""Refresh the vendored web assets from npm: `python scripts/vendor_assets.py [NAME ...]`.

The lists are `assets.json` in `src/recollect/serve/web/static/vendor` and, for tests only, in `tests/browser/vendor`.
To add or update an asset, edit its `package`, `version` and `path` there and run this script: it fetches the package
with `npm pack`, copies the file and its licence, and writes the SHA-256 of both into the list.
`tests/serve/web/test_assets.py` checks the sums.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "src/recollect/serve/web/static/vendor", ROOT / "tests/browser/vendor")


def main(names: list[str]) -> None:
    for folder in FOLDERS:
        path = folder / "assets.json"
        listed: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
        for asset in listed:
            if not names or asset["file"] in names or asset["package"] in names:
                refresh(asset, folder)
                print(f"{asset['file']}: {asset['package']} {asset['version']}, {asset['bytes']} bytes")  # noqa: T201
        path.write_text(json.dumps(listed, indent=2) + "\n", "utf-8")


def refresh(asset: dict[str, Any], vendor: Path) -> None:
    """Copy the file and the licence of an asset out of its package, and note their sums."""
    with TemporaryDirectory() as folder:
        archive = fetch(f"{asset['package']}@{asset['version']}", Path(folder))
        with tarfile.open(archive) as package:
            content = read(package, asset["path"])
            licence = read(package, asset["licence_path"])
    (vendor / asset["file"]).write_bytes(content)
    (vendor / asset["licence_file"]).write_bytes(licence)
    asset.update(bytes=len(content), sha256=digest(content), licence_sha256=digest(licence))


def fetch(package: str, folder: Path) -> Path:
    subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.tgz"))


def read(package: tarfile.TarFile, path: str) -> bytes:
    member = package.extractfile(f"package/{path}")
    assert member is not None, f"{path} is not a file of the package"
    return member.read()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    main(sys.argv[1:])
