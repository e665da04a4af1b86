"""How far a command is, for whoever looks at it on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from recollect.model.progress import Progress, Told, tell_nobody


@contextmanager
def bar(name: str, unit: str) -> Iterator[Told]:
    """What takes the progress of a work and shows it; nothing is shown, or loaded for it, where nobody looks."""
    if not sys.stderr.isatty():
        yield tell_nobody
        return
    from tqdm import tqdm

    with tqdm(desc=name, unit=unit, unit_scale=unit == "B") as shown:

        def tell(progress: Progress) -> None:
            shown.total = progress.total
            shown.update(progress.done - shown.n)

        yield tell
