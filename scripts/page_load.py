"""Measure how the pages load: layout shift, requests, bytes, and the time until they can be used.

The browser is slowed to a phone on a slow network: 1.6 Mbit/s, 150 ms, and a processor four times
slower. Other work on this machine counts in the time; requests, bytes and, for the most part, the
seconds in which scripts ran do not depend on it. With ``--url`` a running server is measured, else
one is started on a free port.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.support.browsing import CHROMIUM, QUIET
from tests.support.serving import free_port, served

USABLE = {
    "": "#fan li:nth-child(7) button",
    "game": ".seat.mover button.card:not([aria-disabled])",
    "puzzle?date=2026-11-23&level=medium": "#hand li button",
    "graph": "#find",
    "docs": "#requests td",
}
"""The elements of each page that show once it can be used."""

NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 200_000,
    "uploadThroughput": 200_000,
}
SLOWDOWN = 4
SETTLED_MS = 2500  # after a page can be used, layout may still shift

OBSERVE = """
window.shifted = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
LOADED = """
() => performance.getEntries().filter(each => each.transferSize).map(each => each.transferSize)
"""


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """Yield the address of a server."""
    if url:
        yield url
        return
    with TemporaryDirectory() as folder:
        port = free_port()
        with served(Path(folder) / "data", port):
            yield f"http://127.0.0.1:{port}/"


def measured(browser: Browser, url: str, sign: str, width: int) -> dict[str, Any]:
    """Return what a visitor without a cache has to wait for."""
    context = browser.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    page.add_init_script(OBSERVE)
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Performance.enable")
    tools.send("Network.emulateNetworkConditions", NETWORK)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.goto(url, wait_until="commit")
    page.wait_for_selector(sign, state="attached")
    usable_s = page.evaluate("performance.now() / 1000")
    spent = {
        each["name"]: each["value"] for each in tools.send("Performance.getMetrics")["metrics"]
    }
    page.wait_for_timeout(SETTLED_MS)
    sizes = page.evaluate(LOADED)
    found = {
        "usable_s": usable_s,
        "script_s": spent["ScriptDuration"],
        "shift": page.evaluate("window.shifted"),
        "requests": len(sizes),
        "kB": sum(sizes) / 1000,
    }
    context.close()
    return found


def main() -> None:
    """Print a line for each page and width."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="a running server, with a slash at its end")
    parser.add_argument(
        "--times", type=int, default=1, help="measurements, of which the quickest counts"
    )
    asked = parser.parse_args()
    print("page width usable_s script_s shift requests kB")
    with server(asked.url) as base, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        for path, sign in USABLE.items():
            for width in (390, 1440):
                found = min(
                    (measured(browser, base + path, sign, width) for _ in range(asked.times)),
                    key=lambda each: each["usable_s"],
                )
                seconds = f"{found['usable_s']:.2f} {found['script_s']:.2f} {found['shift']:.3f}"
                sizes = f"{found['requests']} {found['kB']:.0f}"
                print(path.partition("?")[0] or "home", width, seconds, sizes)
        browser.close()


if __name__ == "__main__":
    main()
