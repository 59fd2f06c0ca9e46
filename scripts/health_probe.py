"""Ask a server for its health until the standard input ends; print the seconds of each answer.

The program is one of its own, so that it waits for the server alone: in the process of the clients,
the interpreter's lock would be measured, too.
"""

import json
import select
import sys
import time
from http.client import HTTPConnection

PAUSE_S = 0.02  # between two requests


def main(host: str, path: str) -> None:
    """Ask by one connection; say when it is made."""
    connection = HTTPConnection(host)
    connection.connect()
    print("ready", flush=True)
    times = []
    while not select.select([sys.stdin], [], [], PAUSE_S)[0]:
        began = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        times.append(time.perf_counter() - began)
        if answer.status != 200:
            sys.exit(f"{path}: {answer.status} {answer.reason}")
    print(json.dumps(times))


if __name__ == "__main__":
    main(*sys.argv[1:])
