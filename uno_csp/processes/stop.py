"""An event that stops a run from another thread, with a descriptor to wait on."""

import os
import threading


class Stop:
    """An event that stops a run from another thread; it has a descriptor to wait on."""

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe()
        self._lock = threading.Lock()
        self._open = True
        self._set = False

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when the run is to stop."""
        return self._read_end

    def is_set(self) -> bool:
        """Return True if the run is to stop."""
        return self._set

    def set(self) -> None:
        """Stop the run; further calls have no effect."""
        with self._lock:
            if self._open and not self._set:
                self._set = True
                os.write(self._write_end, b".")

    def close(self) -> None:
        """Close the descriptors; call this only when no thread waits on them any more."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._read_end)
                os.close(self._write_end)
