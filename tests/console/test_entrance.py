"""Secrets, tries and sessions."""

import pytest

from boardctl.console.audience import Audience
from boardctl.console.entrance import (
    MOST_SESSIONS,
    MOST_WRONG,
    MOST_WRONG_IN_ALL,
    SESSION_S,
    WINDOW_S,
    Entrance,
    TooManyTriesError,
)
from boardctl.console.secrets_kept import hashed, matches, new_password, new_pin
from config import PageSettings

DIRECTOR = Audience.DIRECTOR


class Watch:
    """A clock that goes on when it is told to."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture(scope="module")
def kept() -> dict[Audience, str]:
    return {DIRECTOR: hashed("right"), Audience.TABLE: hashed("123456")}


def test_a_hash_tells_its_secret_and_no_other() -> None:
    first, second = hashed("pässword"), hashed("pässword")
    assert first != second
    assert "pässword" not in first
    assert matches("pässword", first)
    assert not matches("password", first)
    assert not matches("", first)


def test_a_hash_fits_the_settings() -> None:
    assert PageSettings(director=hashed("x")).director is not None


def test_a_hash_that_would_cost_more_than_this_machine_has_is_refused() -> None:
    with pytest.raises(ValueError, match="write a new one"):
        matches("x", "scrypt:1073741824:8:1:" + "0" * 32 + ":" + "0" * 64)


def test_new_secrets_are_new_each_time() -> None:
    assert len({new_password() for _ in range(50)}) == 50
    assert all(len(new_pin()) == 6 and new_pin().isdecimal() for _ in range(50))


def test_a_session_ends_by_itself(kept: dict[Audience, str]) -> None:
    watch = Watch()
    entrance = Entrance(kept, watch)
    key = entrance.enter(DIRECTOR, "right", "a")
    visit = entrance.visit(key)
    assert visit is not None
    assert visit.audience is DIRECTOR
    watch.now_s += SESSION_S
    assert entrance.visit(key) is None


def test_one_secret_does_not_open_for_another_role(kept: dict[Audience, str]) -> None:
    entrance = Entrance(kept)
    assert entrance.enter(Audience.TABLE, "right", "a") is None
    assert entrance.enter(Audience.EVERYBODY, "", "a") is None
    assert entrance.visit("") is None
    assert entrance.visit("made up") is None


def test_wrong_tries_are_forgotten_after_a_while_and_right_ones_never_count(kept: dict[Audience, str]) -> None:
    watch = Watch()
    entrance = Entrance(kept, watch)
    for _ in range(MOST_WRONG + 1):
        assert entrance.enter(DIRECTOR, "right", "a")
    for _ in range(MOST_WRONG):
        assert entrance.enter(DIRECTOR, "wrong", "a") is None
    with pytest.raises(TooManyTriesError) as refused:
        entrance.enter(DIRECTOR, "right", "a")
    assert refused.value.wait_s == WINDOW_S
    assert entrance.enter(DIRECTOR, "right", "b"), "another address is not to suffer for it"
    watch.now_s += WINDOW_S
    assert entrance.enter(DIRECTOR, "right", "a")


def test_many_addresses_together_may_not_try_for_ever(kept: dict[Audience, str]) -> None:
    entrance = Entrance({DIRECTOR: "scrypt:2:1:1:" + "0" * 32 + ":" + "0" * 64}, Watch())
    for number in range(MOST_WRONG_IN_ALL):
        assert entrance.enter(DIRECTOR, "wrong", f"address {number}") is None
    with pytest.raises(TooManyTriesError):
        entrance.enter(DIRECTOR, "wrong", "one more address")


def test_the_first_to_come_make_room_for_more(kept: dict[Audience, str]) -> None:
    entrance = Entrance({DIRECTOR: kept[DIRECTOR]})
    keys = [entrance.enter(DIRECTOR, "right", "a") for _ in range(MOST_SESSIONS + 1)]
    assert entrance.visit(keys[0]) is None
    assert all(entrance.visit(key) for key in keys[1:])
