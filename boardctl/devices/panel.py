"""The panel on the Raspberry Pi's GPIO: the seats' buttons or lever, the director's button, lamps and a buzzer."""

import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

import gpiozero
from gpiozero.pins import Factory
from pydantic import BaseModel, ConfigDict, Field, model_validator

from boardctl.devices.faces import Press
from boardctl.referee.facts import Role
from boardctl.rules import Seat

Pin = int | str
"""A GPIO number (17), or a name that gpiozero knows ("GPIO17", "BOARD11")."""


class PanelError(OSError):
    """A panel that cannot be used; the message says which pin, why, and what to do next."""


class PanelSettings(BaseModel):
    """Which pin does what. A pin that is not named is not used. Contacts close to ground, against the Pi's pull-ups."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    buttons: Mapping[Seat, Pin] = Field(default_factory=dict)
    lever: Pin | None = None
    """One lever between the seats, as on a chess clock: closed by A's press, opened by B's."""
    director: Pin | None = None
    lamps: Mapping[Seat, Pin] = Field(default_factory=dict)
    buzzer: Pin | None = None
    bounce_ms: int = Field(default=20, ge=0, le=200)

    def pins(self) -> Iterator[tuple[str, Pin]]:
        """Gets every pin with the key that names it."""
        yield from ((f"buttons.{seat}", pin) for seat, pin in self.buttons.items())
        yield from ((f"lamps.{seat}", pin) for seat, pin in self.lamps.items())
        for key, pin in (("lever", self.lever), ("director", self.director), ("buzzer", self.buzzer)):
            if pin is not None:
                yield key, pin

    @model_validator(mode="after")
    def _each_pin_once(self) -> "PanelSettings":
        users: dict[Pin, str] = {}
        for key, pin in self.pins():
            if pin in users:
                raise ValueError(f"panel: {users[pin]} and {key} both use pin {pin}; give one of them another pin")
            users[pin] = key
        if self.lever is not None and self.buttons:
            raise ValueError("panel: has a lever and buttons for the seats; keep the one that is built in")
        return self


class GpioPanel:
    """The panel as a device: :class:`~boardctl.devices.faces.Panel`, with lamps and a buzzer.

    ``clock`` gets milliseconds since the session began. ``pin_factory`` None: gpiozero's own choice, lgpio on a Pi.

    >>> panel = GpioPanel(PanelSettings(buttons={Seat.A: 17, Seat.B: 27}), clock)
    >>> panel.presses()
    [Press(by=<Role.A: 'A'>, at_ms=5210)]
    """

    def __init__(self, settings: PanelSettings, clock: Callable[[], int], pin_factory: Factory | None = None) -> None:
        """Takes the pins.

        :raises PanelError: when there is no GPIO, or a pin does not exist, is in use or may not be used. Every pin
            that was taken is then free again.
        """
        self._clock = clock
        self._factory = pin_factory or _default_factory()
        self._lock = threading.Lock()
        self._presses: list[Press] = []
        self._lamps: dict[Seat, Any] = {}
        self._buzzer: Any = None
        with ExitStack() as taken:
            self._take(settings, taken)
            self._devices = taken.pop_all()

    def presses(self) -> list[Press]:
        """Gets the presses since the last call, oldest first."""
        with self._lock:
            found, self._presses = self._presses, []
            return found

    def light(self, seat: Seat, on: bool) -> None:
        """Switches the lamp of a seat; a seat without a lamp has nothing to switch."""
        if seat in self._lamps:
            self._lamps[seat].value = on

    def buzz(self, on_ms: int, repeats: int = 1) -> None:
        """Sounds the buzzer ``repeats`` times for ``on_ms``, as long off, without waiting."""
        if self._buzzer is not None:
            self._buzzer.beep(on_ms / 1000, on_ms / 1000, n=repeats, background=True)

    def close(self) -> None:
        """Lets every pin go. May be called again."""
        self._lamps.clear()
        self._buzzer = None
        self._devices.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self, settings: PanelSettings, taken: ExitStack) -> None:
        bounce_s = settings.bounce_ms / 1000 or None
        for seat, pin in settings.buttons.items():
            button = self._device(taken, f"buttons.{seat}", pin, gpiozero.Button, bounce_time=bounce_s)
            button.when_pressed = self._presser(Role(seat.value))
        if settings.lever is not None:
            lever = self._device(taken, "lever", settings.lever, gpiozero.Button, bounce_time=bounce_s)
            lever.when_pressed, lever.when_released = self._presser(Role.A), self._presser(Role.B)
        if settings.director is not None:
            button = self._device(taken, "director", settings.director, gpiozero.Button, bounce_time=bounce_s)
            button.when_pressed = self._presser(Role.DIRECTOR)
        for seat, pin in settings.lamps.items():
            self._lamps[seat] = self._device(taken, f"lamps.{seat}", pin, gpiozero.LED)
        if settings.buzzer is not None:
            self._buzzer = self._device(taken, "buzzer", settings.buzzer, gpiozero.Buzzer)

    def _device(self, taken: ExitStack, key: str, pin: Pin, kind: Callable[..., Any], **options: object) -> Any:
        with _explained(key, pin):
            device = kind(pin, pin_factory=self._factory, **options)
        taken.callback(device.close)
        return device

    def _presser(self, by: Role) -> Callable[[], None]:
        def pressed() -> None:
            with self._lock:
                self._presses.append(Press(by, self._clock()))

        return pressed


def check_gpio() -> str:
    """Gets which way leads to the GPIO of this machine, such as ``LGPIOFactory``.

    :raises PanelError: when there is none.
    """
    return type(_default_factory()).__name__


def _default_factory() -> Factory:
    """Gets gpiozero's own choice, made once.

    On import lgpio makes a pipe in the current directory, which may be one that may not be written (a service's, say),
    and leaves it there. So that is done in a directory of its own, which is gone afterwards: the pipe is open then.

    :raises PanelError: when this machine has no GPIO.
    """
    if gpiozero.Device.pin_factory is None:
        # gpiozero warns of each library that does not work here; what counts is whether one does.
        with warnings.catch_warnings(record=True) as tried:
            warnings.simplefilter("always")
            try:
                with TemporaryDirectory() as folder, chdir(folder):
                    gpiozero.Device.pin_factory = gpiozero.Device._default_pin_factory()
            except (gpiozero.BadPinFactory, ImportError, OSError) as error:
                why = "; ".join(str(each.message) for each in tried) or str(error)
                raise PanelError(
                    f"panel: this machine has no GPIO that can be used ({why}). On a Raspberry Pi run: "
                    ".venv/bin/pip install '.[pi]', and: sudo usermod -aG gpio $USER; elsewhere leave the panel out of "
                    "the configuration"
                ) from error
    return gpiozero.Device.pin_factory


@contextmanager
def _explained(key: str, pin: Pin) -> Iterator[None]:
    """Turns what gpiozero and the libraries below it raise into :class:`PanelError`."""
    where = f"{key}: pin {pin}"
    try:
        yield
    except (gpiozero.PinInvalidPin, gpiozero.PinNoPins) as error:
        raise PanelError(f"{where}: there is no such pin ({error}); see the pins with: pinout") from error
    except gpiozero.GPIOPinInUse as error:
        raise PanelError(
            f"{where}: is in use already ({error}); end the other program, or choose another pin"
        ) from error
    except PermissionError as error:
        raise PanelError(f"{where}: may not be used; run: sudo usermod -aG gpio $USER, then log in again") from error
    except (gpiozero.GPIOZeroError, OSError) as error:
        raise PanelError(f"{where}: cannot be used: {error}; check the wiring and the other programs") from error
    except Exception as error:
        # lgpio is there on a Pi only, and so is the type of its errors, which derives from nothing but Exception.
        if type(error).__module__ != "lgpio":
            raise
        raise PanelError(f"{where}: cannot be used: {error}; end other programs that use this pin") from error
