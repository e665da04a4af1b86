"""Model files run by ONNX Runtime, from any thread and until the interpreter shuts down."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import onnxruntime
    from numpy.typing import NDArray


class ModelSession:
    """A model that is ready to run."""

    def __init__(self, session: onnxruntime.InferenceSession) -> None:
        self._session = session

    def run(self, inputs: Mapping[str, NDArray[np.generic]]) -> NDArray[np.float32]:
        """The first row of the only output."""
        with _RUNS:
            output: NDArray[np.float32] = self._session.run(None, inputs)[0][0]
        return output


class _RunGate:
    """Counts the threads in native code, and lets none enter once closed.

    A daemon thread that comes back from native code while the interpreter is finalized aborts the process.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._is_closed = False

    def __enter__(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed)
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.wait_for(lambda: self._count == 0)


_RUNS = _RunGate()
atexit.register(_RUNS.close)


def open_session(path: Path, threads: int) -> ModelSession:
    """A model file ready to run; `threads` is how many cores one call may use, 0 for all."""
    load_runtime()
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Idle worker threads would otherwise spin and take CPU time from the caller.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # On x86 without VNNI the 8-bit products of these weights would saturate; this trades speed for the right sum.
    options.add_session_config_entry("session.x64quantprecision", "1")
    with _RUNS:
        session = onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    return ModelSession(session)


def load_runtime() -> None:
    """Import the runtime of models with its telemetry switched off.

    When imported, it would otherwise write an id of this device and a database of events into the user's cache folder.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
