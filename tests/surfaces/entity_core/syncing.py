"""What embodiments push and pull, for the tests of sync."""

from typing import Any

from tests.surfaces.entity_core.asking import Entity

DESK = {"id": "psy-desk", "type": "psycheros"}
ATTIC = {"id": "st-attic", "type": "sillytavern", "name": "The attic", "version": 1}
BASE = "one\ntwo\nthree\nfour\nfive\n"
EARLIER, NOW, LATER = "2026-05-14T08:00:00Z", "2026-05-14T09:30:00Z", "2026-05-14T10:00:00Z"


def file(key: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    category, filename = key.split("/")
    return {"category": category, "filename": filename, **({} if content is None else {"content": content}), **more}


def daily(content: str | None = None, date: str = "2026-05-12", **more: Any) -> dict[str, Any]:
    said = {} if content is None else {"content": content}
    return {"granularity": "daily", "date": date, "sourceInstance": "psy-desk", **said, **more}


def weekly(content: str | None = None, **more: Any) -> dict[str, Any]:
    said = {} if content is None else {"content": content}
    return {"granularity": "weekly", "date": "2026-W19", "sourceInstance": "psy-desk", **said, **more}


def push(entity: Entity, *changes: dict[str, Any], **more: Any) -> dict[str, Any]:
    files = [each for each in changes if "category" in each]
    memories = [each for each in changes if "granularity" in each]
    return entity.ok("sync_push", instance=ATTIC, identityChanges=files, memoryChanges=memories, **more)


def status(entity: Entity, *changes: dict[str, Any], **more: Any) -> str:
    [result] = push(entity, *changes, **more)["results"]
    return str(result["status"])


def pull(entity: Entity, **more: Any) -> dict[str, Any]:
    return entity.ok("sync_pull", instanceId="psy-desk", **more)


def names(said: dict[str, Any]) -> list[str]:
    files = [f"{each['category']}/{each['filename']}" for group in said["identityFiles"].values() for each in group]
    return files + [each["id"] for each in said["memories"]]
