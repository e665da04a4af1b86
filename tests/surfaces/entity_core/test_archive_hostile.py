"""Archives that are broken or mean harm: refused whole, with nothing written."""

import io
import json
import stat
import zipfile
from base64 import b64decode, b64encode
from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.test_archive import MANIFEST, graph, zipped


def _with(name: str, text: Any = "x", **attributes: Any) -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(MANIFEST))
        archive.writestr("entity-core/identity/user/user_life.md", "fine")
        info = zipfile.ZipInfo(name)
        for key, value in attributes.items():
            setattr(info, key, value)
        archive.writestr(info, text, zipfile.ZIP_DEFLATED)
    return b64encode(packed.getvalue()).decode()


GOOD = zipped({"entity-core/identity/user/user_life.md": "fine " * 40})
RAW = b64decode(GOOD)
PLACE = "entity-core/identity/user/"


def _spoiled() -> str:
    at = RAW.index(b"user_life.md") + 14
    return b64encode(RAW[:at] + bytes([RAW[at] ^ 0xFF]) + RAW[at + 1 :]).decode()


def _twice() -> str:
    """The second entry gets the name of the first behind the packer's back."""
    data = b64decode(zipped({f"{PLACE}a.md": "one", f"{PLACE}b.md": "two"}))
    return b64encode(data.replace(b"user/b.md", b"user/a.md")).decode()


HOSTILE = {
    "not base64": "?",
    "not a zip": b64encode(b"hello").decode(),
    "truncated": b64encode(RAW[:-30]).decode(),
    "cut in the middle": b64encode(RAW[: len(RAW) // 2]).decode(),
    "bomb": _with(f"{PLACE}a.md", "a" * (1 << 20)),
    "absolute": _with("/entity-core/identity/user/a.md"),
    "climbing": _with("entity-core/../../a.md"),
    "climbing in a foreign place": _with("entity-core/other/../a"),
    "backslash": _with("entity-core\\identity\\user\\a.md"),
    "drive": _with("C:/entity-core/a.md"),
    "link": _with(f"{PLACE}a.md", "/etc/passwd", external_attr=(stat.S_IFLNK | 0o777) << 16),
    "not utf-8": _with(f"{PLACE}a.md", b"\xff\xfe"),
    "nul": _with(f"{PLACE}a.md", "a\0b"),
    "unknown category": _with("entity-core/identity/other/a.md"),
    "bad filename": _with(f"{PLACE}a b.md"),
    "nested filename": _with(f"{PLACE}a/b.md"),
    "line break": _with(f"{PLACE}a\n.md"),
    "bad date": _with("entity-core/memories/daily/2026-02-30_psy.md"),
    "bad instance": _with("entity-core/memories/daily/2026-02-03_..md"),
    "bad slug": _with("entity-core/memories/significant/2026-02-03_a.b.md"),
    "suffix on a week": _with("entity-core/memories/weekly/2026-W05_x.md"),
    "blank memory": _with("entity-core/memories/weekly/2026-W05.md", " \n"),
    "outside": _with("other/a.md"),
    "other schema": zipped({}, {"schema_version": 2, "parts": {"entity_core": {"identity": True}}}),
    "no parts": zipped({}, {"schema_version": 1}),
    "bad info": _with("entity-core/memories/info.json", "[]"),
    "bad label": _with("entity-core/identity-meta.json", '{"user/user_life.md": "xml-x"}'),
    "bad node": graph([{"id": "1", "type": "person", "label": 5}], []),
    "bad weight": graph(
        [{"id": "1", "type": "person", "label": "A"}], [{"from_id": "1", "to_id": "1", "type": "x", "weight": 2}]
    ),
}


@pytest.mark.parametrize("mode", ["merge", "overwrite"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_broken_or_hostile_archive_is_refused_whole(entity: Entity, name: str, mode: str) -> None:
    said = entity.assert_fails("entity_import", "invalid_input", data=HOSTILE[name], mode=mode)
    assert said["field"] == "data"
    assert entity.tx == 0
    assert entity.ok("snapshot_list", category="all")["total"] == 0


def test_a_wrong_checksum_and_a_doubled_entry_are_refused(entity: Entity) -> None:
    for data in (_spoiled(), _twice()):
        entity.assert_fails("entity_import", "invalid_input", data=data, mode="merge")


def test_texts_beyond_the_limit_are_too_large(entity: Entity) -> None:
    text = "".join(f"{number:07}\n" for number in range(140_000))
    entity.assert_fails("entity_import", "too_large", data=_with(f"{PLACE}a.md", text), mode="merge")
    entity.assert_fails("entity_import", "too_large", data="A" * ((48 << 20) + 4), mode="merge")
