"""Where the processor time of a run goes, layer by layer: samples of the stack, which cost next to nothing."""

import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

_INTERVAL = 0.004


class Layer(NamedTuple):
    """A layer by a name and the files or folders of the package that it is made of."""

    name: str
    places: tuple[str, ...]


class LayerTimes:
    """Samples of a run, each counted for the innermost layer that was at work."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = layers
        self._counts: Counter[str] = Counter()
        self.seconds = 0.0

    @contextmanager
    def sampling(self) -> Iterator[None]:
        earlier, begun = signal.signal(signal.SIGPROF, self._count), time.process_time()
        signal.setitimer(signal.ITIMER_PROF, _INTERVAL, _INTERVAL)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, earlier)
            self.seconds = time.process_time() - begun

    def _count(self, _: int, frame: FrameType | None) -> None:
        while frame is not None:
            name = self._layer_of(frame.f_code.co_filename)
            if name is not None:
                self._counts[name] += 1
                return
            frame = frame.f_back
        self._counts["the rest"] += 1

    def _layer_of(self, file: str) -> str | None:
        place = file.rpartition("/recollect/")[2] if "/recollect/" in file else ""
        return next((each.name for each in self._layers if place and place.startswith(each.places)), None)

    def table(self, count: int) -> Iterator[str]:
        """A line per layer: its milliseconds for one of so many things, the most first."""
        whole = sum(self._counts.values()) or 1
        for name, samples in self._counts.most_common():
            yield f"{self.seconds * 1000 / count * samples / whole:8.2f} ms  {name}"
