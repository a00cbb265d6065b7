"""The page in a real browser, beside a game at the virtual table."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from needs_browser import CHROMIUM, DRIVER, needs_browser
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from boardctl.cli.reporting import STOPPED
from boardctl.records import Journal
from boardctl.referee.facts import Decision, DirectorRuled, Resigned, Role

pytestmark = needs_browser

WAIT_S = 90  # a busy machine of two cores renders, sees and referees beside the browser
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
)


@dataclass
class Demo:
    """A demo that runs: where its page is, and its secrets."""

    process: subprocess.Popen[str]
    url: str
    password: str
    pin: str
    journal: Path

    def stop(self) -> int:
        """Ends it as Ctrl-C does, and gets its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    """A match of many games with many faults, its page open."""
    journal = tmp_path / "demo.journal"
    words = ["demo", "--page", "0", "--match", "25", "--cube", "--faults", "many", "--journal", str(journal)]
    process = subprocess.Popen(
        [sys.executable, "-c", "from boardctl.cli import main; main()", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        said = "".join(process.stderr.readline() for _ in range(3))
        found = [re.search(rf"{name}.*: (\S+)", said) for name in ("page", "password", "PIN")]
        url, password, pin = (one[1] for one in found if one is not None)
        yield Demo(process, url, password, pin, journal)
    finally:
        process.kill()
        process.wait()


class Window:
    """A browser's window."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def one(self, selector: str) -> WebElement:
        """Gets an element, once it is there."""
        return self.until(lambda: next(iter(self.all(selector)), None), selector)

    def all(self, selector: str) -> list[WebElement]:
        """Gets the elements that are there now."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def until(self, what: Callable[[], WebElement | None], said: str) -> WebElement:
        """Waits for something."""
        found = WebDriverWait(self.driver, WAIT_S).until(lambda _: what(), f"waited for {said}")
        assert found is not None
        return found

    def until_says(self, selector: str, pattern: str) -> re.Match[str]:
        """Waits until an element's text has a pattern."""

        def says() -> re.Match[str] | None:
            # The page renews its elements all the while: all at once, as the page itself has it now.
            script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent).join('\\n')"
            return re.search(pattern, str(self.driver.execute_script(script, selector)))

        found = WebDriverWait(self.driver, WAIT_S).until(lambda _: says(), f"waited for {pattern} in {selector}")
        assert isinstance(found, re.Match)
        return found

    def press_at_once(self, selector: str) -> None:
        """Presses a button of a list that is renewed while one looks for it."""
        self.one(selector)
        self.driver.execute_script("document.querySelector(arguments[0]).click()", selector)

    def enter(self, audience: str, secret: str) -> None:
        """Comes in as somebody."""
        self.one(".part summary").click()
        form = f"form[action=login]:has(input[value={audience}])"
        self.one(f"{form} input[name=secret]").send_keys(secret)
        self.one(f"{form} button").click()
        self.one(f"body[data-audience={audience}]")

    @property
    def complaints(self) -> list[str]:
        """What the browser complained of: refused scripts and styles, errors, files that are not there."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]


@contextmanager
def window(folder: Path) -> Iterator[Window]:
    """Opens a browser with nothing in it from before."""
    assert CHROMIUM is not None, "under CI: apt-get install chromium chromium-driver"
    assert DRIVER is not None, "under CI: apt-get install chromium chromium-driver"
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={folder / 'browser'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    try:
        yield Window(driver)
    finally:
        driver.quit()


def test_a_director_comes_in_rules_and_it_stands_in_the_record(demo: Demo, tmp_path: Path) -> None:
    name, reason = "<b>Dora</b>", "<img src=x onerror=\"document.title='broken in'\">"
    with window(tmp_path) as page:
        page.driver.get(demo.url)
        page.until_says("#phase", "to move|to roll|may double|has moved|Opening|On hold")
        # As many as are seen: while a checker is moved, now and then one more or less.
        assert 26 <= len(page.all("#board .checker")) <= 34
        page.enter("director", demo.password)
        page.until_says("#findings li", r"Entry \d+")
        page.press_at_once("#findings li button")
        about = page.one("#rule input[name=entry]").get_property("value")
        page.one("#rule textarea").send_keys(reason)
        page.one("#rule input[name=name]").send_keys(name)
        page.one("#rule button").click()
        entry = int(page.until_says("#answer", r"Recorded as entry (\d+)")[1])
        page.until_says("#said", re.escape(f"Ruled by director {name}: noted"))
        assert page.all("#said b, img[src=x], #findings b") == []

        page.one("#rule input[name=entry]").send_keys("999999")
        page.one("#rule textarea").send_keys("again")
        page.one("#rule button").click()
        page.until_says("#answer.refused", "Entry 999999 does not exist: the record's entries are 1 to")
        assert page.one("#rule textarea").get_property("value") == "again"

        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
        assert page.driver.execute_script("return document.documentElement.scrollWidth") == PHONE["width"]
        assert page.driver.title == "boardctl: the table"
        loaded = page.driver.execute_script("return performance.getEntriesByType('resource').map((one) => one.name)")
        assert loaded
        assert all(str(address).startswith(demo.url) for address in loaded)
        assert [one for one in page.complaints if "409 (Conflict)" not in one] == []
        assert demo.stop() == STOPPED
        page.until_says("#note", "cannot be reached")
    with Journal.open(demo.journal) as journal:
        ruling = dict(journal.facts())[entry]
        assert isinstance(ruling, DirectorRuled)
        assert (ruling.name, ruling.reason, ruling.decision) == (name, reason, Decision.NOTE)
        assert str(ruling.entry) == about
        assert journal.first_altered() is None


def test_the_screen_at_the_table_resigns_for_a_player(demo: Demo, tmp_path: Path) -> None:
    with window(tmp_path) as page:
        page.driver.get(demo.url)
        page.enter("table", demo.pin)
        assert page.all("#rule, #findings") == []
        page.until_says("#phase", "to move|to roll|may double|has moved|On hold")
        page.one("form[data-do=resign][data-seat=B] button").click()
        page.driver.switch_to.alert.dismiss()
        page.one("form[data-do=resign][data-seat=B] option[value='2']").click()
        page.one("form[data-do=resign][data-seat=B] button").click()
        page.driver.switch_to.alert.accept()
        page.until_says("#answer", "It is taken up")
        assert page.complaints == []
        demo.stop()
    with Journal.open(demo.journal) as journal:
        resigned = [fact for _, fact in journal.facts() if isinstance(fact, Resigned)]
    assert [(fact.by, fact.level) for fact in resigned] == [(Role.B, 2)]
