"""The panel on mock pins."""

import time
from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from pydantic import ValidationError

from boardctl.devices.faces import Press
from boardctl.devices.panel import GpioPanel, PanelError, PanelSettings, check_gpio
from boardctl.referee.facts import Role
from boardctl.rules import Seat

FULL = PanelSettings(
    buttons={Seat.A: 17, Seat.B: 27}, director=22, lamps={Seat.A: 23, Seat.B: 24}, buzzer=18, bounce_ms=0
)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = MockFactory()
    yield pins
    pins.reset()


class Clock:
    now_ms = 0

    def __call__(self) -> int:
        return self.now_ms


def test_presses_come_once_each_with_presser_and_time_in_order(factory: MockFactory) -> None:
    clock = Clock()
    with GpioPanel(FULL, clock, factory) as panel:
        for at_ms, pin in ((10, 27), (20, 17), (30, 22)):
            clock.now_ms = at_ms
            factory.pin(pin).drive_low()
            factory.pin(pin).drive_high()
        assert panel.presses() == [Press(Role.B, 10), Press(Role.A, 20), Press(Role.DIRECTOR, 30)]
        assert panel.presses() == []


def test_holding_and_letting_go_are_no_second_press(factory: MockFactory) -> None:
    with GpioPanel(FULL, Clock(), factory) as panel:
        factory.pin(17).drive_low()
        assert len(panel.presses()) == 1
        factory.pin(17).drive_high()
        assert panel.presses() == []


def test_a_lever_is_pressed_by_the_seat_to_whose_side_it_goes(factory: MockFactory) -> None:
    with GpioPanel(PanelSettings(lever=5, bounce_ms=0), Clock(), factory) as panel:
        assert panel.presses() == []
        factory.pin(5).drive_low()
        factory.pin(5).drive_high()
        assert [press.by for press in panel.presses()] == [Role.A, Role.B]


def test_a_button_that_is_held_down_at_the_start_is_no_press(factory: MockFactory) -> None:
    pin = factory.pin(17)
    pin.pull = "up"
    pin.drive_low()
    with GpioPanel(PanelSettings(director=22, bounce_ms=0), Clock(), factory) as panel:
        assert panel.presses() == []


def test_lamps_follow_their_seat(factory: MockFactory) -> None:
    with GpioPanel(FULL, Clock(), factory) as panel:
        factory.pin(23).clear_states()
        for on in (True, False, True):
            panel.light(Seat.A, on)
        factory.pin(23).assert_states([False, True, False, True])
        assert not factory.pin(24).state


def test_the_buzzer_sounds_as_often_as_asked(factory: MockFactory) -> None:
    with GpioPanel(FULL, Clock(), factory) as panel:
        factory.pin(18).clear_states()
        panel.buzz(on_ms=10, repeats=2)
        until = time.monotonic() + 2
        while len(factory.pin(18).states) < 5 and time.monotonic() < until:
            time.sleep(0.005)
        assert [state.state for state in factory.pin(18).states] == [False, True, False, True, False]


def test_a_panel_without_lamps_and_buzzer_has_nothing_to_switch(factory: MockFactory) -> None:
    with GpioPanel(PanelSettings(director=22), Clock(), factory) as panel:
        panel.light(Seat.A, True)
        panel.buzz(10)


def test_a_closed_panel_has_freed_its_pins_and_may_be_closed_again(factory: MockFactory) -> None:
    panel = GpioPanel(FULL, Clock(), factory)
    panel.close()
    panel.close()
    panel.light(Seat.A, True)
    with GpioPanel(FULL, Clock(), factory):
        assert factory.pin(23).function == "output"


def test_a_pin_in_use_is_named_and_the_others_are_freed(factory: MockFactory) -> None:
    with gpiozero.LED(18, pin_factory=factory):
        with pytest.raises(PanelError, match="buzzer: pin 18: is in use already"):
            GpioPanel(FULL, Clock(), factory)
        GpioPanel(FULL.model_copy(update={"buzzer": None}), Clock(), factory).close()


def test_a_pin_that_does_not_exist_is_named(factory: MockFactory) -> None:
    with pytest.raises(PanelError, match=r"director: pin 77: there is no such pin.*see the pins with: pinout"):
        GpioPanel(PanelSettings(director=77), Clock(), factory)


def test_a_name_of_a_pin_does_as_well(factory: MockFactory) -> None:
    with GpioPanel(PanelSettings(director="BOARD11", bounce_ms=0), Clock(), factory) as panel:
        factory.pin(17).drive_low()
        assert panel.presses() == [Press(Role.DIRECTOR, 0)]


def test_a_machine_without_gpio_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none-such")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    with pytest.raises(PanelError, match=r"no GPIO that can be used.*none-such"):
        GpioPanel(FULL, Clock())
    with pytest.raises(PanelError, match="leave the panel out of the configuration"):
        check_gpio()


def test_the_way_to_the_gpio_is_named(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    assert check_gpio() == "MockFactory"


def test_what_the_library_of_the_pins_leaves_where_it_is_imported_is_not_left_where_the_user_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lgpio makes a pipe in the current directory; that of a service may not be written."""
    made_in: list[Path] = []

    def imported() -> MockFactory:
        made_in.append(Path.cwd())
        Path(".lgd-nfy0").touch()
        return MockFactory()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", imported)
    with GpioPanel(FULL, Clock()):
        assert check_gpio() == "MockFactory"
    assert len(made_in) == 1
    assert not made_in[0].exists()
    assert (Path.cwd(), list(tmp_path.iterdir())) == (tmp_path, [])


def test_missing_rights_name_the_group(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(gpiozero, "Button", denied)
    with pytest.raises(PanelError, match="sudo usermod -aG gpio"):
        GpioPanel(FULL, Clock(), factory)


def test_errors_of_the_library_below_are_explained(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = type("error", (Exception,), {"__module__": "lgpio"})

    def fails(*_: object, **__: object) -> None:
        raise busy("GPIO busy")

    monkeypatch.setattr(gpiozero, "Button", fails)
    with pytest.raises(PanelError, match="cannot be used: GPIO busy"):
        GpioPanel(FULL, Clock(), factory)


def test_defects_are_not_explained_away(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(gpiozero, "Button", fails)
    with pytest.raises(ZeroDivisionError):
        GpioPanel(FULL, Clock(), factory)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"buttons": {"A": 17, "B": 17}}, "buttons.A and buttons.B both use pin 17"),
        ({"director": 5, "lever": 5}, "lever and director both use pin 5"),
        ({"buttons": {"A": 17}, "lever": 5}, "a lever and buttons"),
        ({"horn": 4}, "Extra inputs are not permitted"),
        ({"bounce_ms": 900}, "less than or equal to 200"),
    ],
)
def test_settings_that_contradict_themselves_are_refused(settings: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        PanelSettings.model_validate(settings)
