"""The forms in which `recollect export` writes a workspace for other programs, and where it writes them."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from zipfile import ZIP_DEFLATED, ZipFile

from recollect.exporters.family_tree import gedcom_lines
from recollect.exporters.graph import ExportedFile, ExportedGraph, ExportRefused
from recollect.exporters.graph_formats import csv_files, graphml_lines, json_ld_lines
from recollect.exporters.vault import vault_files
from recollect.whole_file import sync_folder, whole_file


@dataclass(frozen=True, slots=True)
class ExportForm:
    """One form: it is written as lines of one file, or as several files in a folder or a ZIP."""

    description: str
    lines: Callable[[ExportedGraph], Iterator[str]] | None = None
    files: Callable[[ExportedGraph], Iterator[ExportedFile]] | None = None


EXPORT_FORMS: Mapping[str, ExportForm] = {
    "graphml": ExportForm("nodes and edges for graph programs", lines=graphml_lines),
    "json-ld": ExportForm("entities and RDF statements as linked data", lines=json_ld_lines),
    "csv": ExportForm("entities.csv and facts.csv, in a folder or a .zip", files=csv_files),
    "vault": ExportForm("a Markdown page per entity, in a folder or a .zip", files=vault_files),
    "gedcom": ExportForm("people and families, GEDCOM 5.5.1", lines=partial(gedcom_lines, version="5.5.1")),
    "gedcom7": ExportForm("people and families, GEDCOM 7.0", lines=partial(gedcom_lines, version="7.0")),
}


def write_files(target: Path, files: Iterable[ExportedFile]) -> None:
    """Write the files of an export into a new ZIP or a new or empty folder that only its owner may read."""
    if str(target) == "-":
        raise ExportRefused("this form has several files: name a folder or a .zip to write them to", field="file")
    if target.suffix.lower() == ".zip":
        _write_zip(target, files)
        return
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ExportRefused(f"{target} is not an empty folder; name a new folder or a .zip", field="file")
    _write_folder(target, files)


def _write_folder(target: Path, files: Iterable[ExportedFile]) -> None:
    """Write beside the target first, so that a failure leaves no half of a folder."""
    above = target.absolute().parent
    above.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f".{target.name}.", dir=above))
    try:
        for each in files:
            path = part / each.path
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.write_text(each.text, encoding="utf-8", newline="")
        if hasattr(os, "sync"):
            # Once for all: a vault may have more pages than a disk has time for one by one.
            os.sync()
        if target.exists():
            target.rmdir()
        part.rename(target)
    except BaseException:
        rmtree(part, ignore_errors=True)
        raise
    sync_folder(above)


def _write_zip(target: Path, files: Iterable[ExportedFile]) -> None:
    with whole_file(target) as out, ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for each in files:
            archive.writestr(each.path, each.text)
