"""A real headless Chromium for tests of pages: Debian's chromium with chromium-driver, driven by selenium.

Fixture `browser`; `browser.open(url)` gives a fresh tab's content, `errors()` what its console complained about and
`requests()` the addresses it asked for beside its own.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

REQUIRED = "TTR_SIM_BROWSER"  # set where these tests must run, not be skipped
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
)
WIDE, NARROW = (1440, 900), (390, 844)


class Browser:
    """One browser, a page at a time."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self._address = ""

    def open(self, address: str | Path, size: tuple[int, int] = WIDE) -> None:
        """Load a page (a file or an address) as if for the first time, at a size in CSS pixels."""
        self._address = address.as_uri() if isinstance(address, Path) else address
        self.driver.get("about:blank")  # else only the fragment may change
        self.resize(size)
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(self._address)

    def resize(self, size: tuple[int, int]) -> None:
        """Make the page so wide and high, as on a phone where it is narrow."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript in the page and return its value."""
        return self.driver.execute_script(script, *arguments)

    def text(self, selector: str) -> str:
        """The text of an element as the page holds it."""
        text: str = self.run("return document.querySelector(arguments[0]).textContent", selector)
        return text

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements of a selector."""
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
        texts: list[str] = self.run(script, selector)
        return texts

    def press(self, *keys: str) -> None:
        """Press keys, one after another, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        actions = ActionChains(self.driver, duration=0)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def wait(self, script: str, seconds: float = 10) -> Any:
        """Wait until a JavaScript expression is true and return its value."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(
            lambda driver: driver.execute_script(f"return {script}")
        )

    def errors(self) -> list[str]:
        """What the console complained about since the page was opened."""
        bad = ("SEVERE", "WARNING")
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in bad]

    def requests(self) -> list[str]:
        """The addresses that were asked for since the page was opened, without its own and inline data."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if url.split("#")[0] != self._address.split("#")[0] and not url.startswith("data:"):
                    found.append(url)
        return found

    def picture(self, path: Path, full: bool = False) -> None:
        """Take a picture of what is seen, or of the whole page."""
        import base64

        shot = {"format": "png", "captureBeyondViewport": full}
        if full:
            size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
            shot["clip"] = {**size, "scale": 1}
        path.write_bytes(
            base64.b64decode(self.driver.execute_cdp_cmd("Page.captureScreenshot", shot)["data"])
        )


def start(folder: Path) -> Browser:
    """Start a browser whose profile lies in an empty folder; `driver.quit()` ends it."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # The path is given, so that selenium looks for no driver in the network.
    return Browser(webdriver.Chrome(options, Service(shutil.which("chromedriver"))))


def missing() -> str:
    """What is not installed, as one line; "" when all is there."""
    programs = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return (
        f"no {' and no '.join(programs)}: apt-get install chromium chromium-driver runs these tests"
        if programs
        else ""
    )


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if reason := missing():
        assert not os.environ.get(REQUIRED), reason
        pytest.skip(reason)
    started = start(tmp_path_factory.mktemp("chromium"))
    yield started
    started.driver.quit()
