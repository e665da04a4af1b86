"""`python -m recollect.serve.docs [--check]`: write the pages, or fail where one is out of date."""

import sys
from pathlib import Path

import click

from recollect.serve.docs.examples import answers
from recollect.serve.docs.pages import page
from recollect.surfaces.registry import find_surface, package_names


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail when a page is out of date.")
@click.option("--folder", default="docs/surfaces", type=click.Path(path_type=Path), help="Where the pages are.")
def main(check: bool, folder: Path) -> None:
    """Write a page for each surface from its declarations."""
    stale = [path for path, text in pages(folder).items() if not path.exists() or path.read_text("utf-8") != text]
    if not check:
        folder.mkdir(parents=True, exist_ok=True)
        for path in stale:
            path.write_text(pages(folder)[path], "utf-8")
    for path in stale:
        click.echo(f"{'out of date' if check else 'written'}: {path}", err=True)
    sys.exit(1 if check and stale else 0)


def pages(folder: Path) -> dict[Path, str]:
    with answers() as answer:
        return {folder / f"{name}.md": page(find_surface(name), answer) for name in package_names()}


if __name__ == "__main__":
    main()
