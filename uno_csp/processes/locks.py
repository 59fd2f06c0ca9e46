"""Locks on files and folders, which the kernel releases when their owner ends for any reason.

Some disks have none: NFS with ``nolock``, Lustre without ``flock``, some FUSE file systems.
"""

import errno
import fcntl

_TAKEN = (errno.EWOULDBLOCK, errno.EACCES)


class Taken(Exception):
    """Another process holds the lock."""


def lock(descriptor: int, *, wait: bool = True) -> str:
    """Lock an open file or folder for this process alone; return why the disk gives no lock.

    The reason is empty if it is held now. Raises Taken if another process holds it and ``wait`` is
    False.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        if error.errno in _TAKEN:
            raise Taken from None
        return f"this disk gives no file locks ({error.strerror})"
    return ""
