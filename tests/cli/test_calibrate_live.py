"""``calibrate camera --camera``: a running camera, a person who clears and sets up the board, and what may go wrong."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import run

from boardctl.cli.guided.live_pictures import EMPTY, MOVES, MOVES_BESIDE, ONCE_MORE, START, still_picture
from boardctl.cli.reporting import UsageError
from boardctl.devices.faces import Frame, Picture
from boardctl.devices.pictures import read_picture
from boardctl.vision.measuring.later_changes import Lamp
from calibration import load

SHOTS = Path(__file__).parents[1] / "data" / "vision" / "green_felt"
NOISE_LEVELS = 2.0
FRAME_S = 0.05
CHECKER_PX = 47
"""How wide a checker comes out in these pictures."""


def true_corners() -> list[tuple[float, float]]:
    truth = json.loads((SHOTS / "f01.json").read_text())["field_corners_px"]
    return [truth[name] for name in ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")]


class Table:
    """What a network camera sees: the board as a person left it last, with the noise of a camera."""

    def __init__(self) -> None:
        self.scenes = {name: read_picture(SHOTS / f"{name}.jpg") for name in ("f00", "f01", "f03")}
        self.shows = "f03"  # a game lies there
        self.url = ""

    def pictures(self) -> Iterator[bytes]:
        rng = np.random.default_rng(3)
        while True:
            scene = self.scenes[self.shows]
            noise = rng.normal(0, NOISE_LEVELS, scene.shape).astype(np.float32)
            noisy = np.clip(scene + noise, 0, 255).astype(np.uint8)
            yield cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()

    class Stream(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                for data in table.pictures():
                    self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + data + b"\r\n")
                    time.sleep(FRAME_S)
            except OSError:
                return  # who looked has gone

        def log_message(self, *_: object) -> None:
            """Keeps the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Stream) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        table.url = f"http://127.0.0.1:{server.server_address[1]}/board"
        yield table
        server.shutdown()


@pytest.fixture
def person(table: Table, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Lets a person do in turn what is given: what then lies on the board, or an answer; gets what was asked."""

    def acts(*does: str) -> list[str]:
        asked: list[str] = []
        left = iter(does)

        def answer(text: str) -> str:
            asked.append(text)
            done = next(left)
            if done not in table.scenes:
                return done
            table.shows = done
            return ""

        monkeypatch.setattr("boardctl.cli.calibrate.ask_person", answer)
        return asked

    return acts


def test_a_person_is_guided_through_both_pictures_and_confirms(
    table: Table, person: Callable[..., list[str]], tmp_path: Path
) -> None:
    asked = person("f00", "f01", "")
    out = tmp_path / "c.yaml"
    ran = run("calibrate", "camera", "--camera", table.url, "--out", out)
    assert ran.code == 0, ran.output
    assert asked[:2] == [EMPTY, START]
    drawn = tmp_path / "c.found.png"
    assert str(drawn) in asked[2]
    assert read_picture(drawn).shape == table.scenes["f01"].shape
    made = load(out)
    found = made.camera.project([(x, y, 0.0) for x, y in made.geometry.corners])
    assert np.abs(found - true_corners()).max() < CHECKER_PX / 5


def test_a_start_that_is_none_is_refused_with_a_reason_and_taken_anew(
    table: Table, person: Callable[..., list[str]], tmp_path: Path
) -> None:
    asked = person("f00", "f00", "", "f01", "y")
    out = tmp_path / "c.yaml"
    ran = run("calibrate", "camera", "--camera", table.url, "--out", out)
    assert ran.code == 0, ran.output
    assert "not found: " in ran.output
    assert asked[:4] == [EMPTY, START, ONCE_MORE, START]
    assert out.is_file()


def test_who_does_not_confirm_gets_both_pictures_and_goes_on_by_hand(
    table: Table, person: Callable[..., list[str]], tmp_path: Path
) -> None:
    person("f00", "f01", "n")
    out = tmp_path / "c.yaml"
    ran = run("calibrate", "camera", "--camera", table.url, "--out", out)
    assert (ran.code, out.exists()) == (1, False), ran.output
    kept = [tmp_path / f"c.shot-{name}.png" for name in ("empty", "start")]
    assert f"--empty {kept[0]} --start {kept[1]}" in ran.output
    corners = [f"{x},{y}" for x, y in true_corners()]
    by_hand = run("calibrate", "camera", "--empty", kept[0], "--start", kept[1], "--out", out, "--corners", *corners)
    assert by_hand.code == 0, by_hand.output


def test_who_leaves_it_after_a_refusal_keeps_the_pictures_and_an_older_calibration(
    table: Table, person: Callable[..., list[str]], tmp_path: Path
) -> None:
    out = tmp_path / "c.yaml"
    given = ("--empty", SHOTS / "f00.jpg", "--start", SHOTS / "f01.jpg")
    assert run("calibrate", "camera", *given, "--out", out).code == 0
    before = out.read_bytes(), (tmp_path / "c.start.png").read_bytes()
    person("f00", "f00", "e", "f00", "f00", "q")
    ran = run("calibrate", "camera", "--camera", table.url, "--out", out)
    assert ran.code == 1, ran.output
    assert "no calibration was written; the pictures are kept" in ran.output
    assert "--seat-a-at SIDE" in ran.output
    assert (out.read_bytes(), (tmp_path / "c.start.png").read_bytes()) == before
    load(out)  # its pictures are those that it names


def test_stopping_writes_nothing(table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stops(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("boardctl.cli.calibrate.ask_person", stops)
    ran = run("calibrate", "camera", "--camera", table.url, "--out", tmp_path / "c.yaml")
    assert (ran.code, list(tmp_path.iterdir())) == (130, []), ran.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "name a running camera by --camera, or two pictures by --empty and --start"),
        (("--empty", SHOTS / "f00.jpg"), "two pictures by --empty and --start"),
        (("--camera", "0", "--empty", SHOTS / "f00.jpg"), "leave out --empty and --start"),
        (("--camera", SHOTS), "is no running camera"),
    ],
)
def test_what_cannot_be_calibrated_by_is_wrong_usage(words: tuple[object, ...], says: str, tmp_path: Path) -> None:
    ran = run("calibrate", "camera", *map(str, words), "--out", tmp_path / "c.yaml")
    assert ran.code == 2
    assert says in " ".join(ran.output.split())


def test_a_camera_that_is_not_there_is_told_before_anything_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("boardctl.cli.calibrate.ask_person", lambda text: pytest.fail(text))
    ran = run("calibrate", "camera", "--camera", "/dev/video97", "--out", tmp_path / "c.yaml")
    assert ran.code == 1
    assert "no such camera; plug it in" in ran.output


# -- when a picture is still


def frames(pictures: Iterator[Picture], every_ms: int) -> Iterator[Frame]:
    for number, picture in enumerate(pictures):
        yield Frame(picture, number * every_ms, f"cam#{number}")


def noisy(scene: Picture, rng: np.random.Generator) -> Picture:
    return np.clip(scene + rng.normal(0, 4.0, scene.shape), 0, 255).astype(np.uint8)


def test_a_picture_is_taken_when_the_hand_has_been_gone_for_long_enough() -> None:
    board = read_picture(SHOTS / "f00.jpg")
    rng = np.random.default_rng(5)

    def with_a_hand(number: int) -> Picture:
        picture = noisy(board, rng)
        if number < 20:
            at = 400 + 20 * number
            cv2.circle(picture, (at, 300), 25, (120, 150, 210), -1)  # a fingertip, moving
        return picture

    said: list[str] = []
    still = still_picture(frames((with_a_hand(number) for number in range(60)), 100), said.append)
    assert np.abs(still[300, 780:800].astype(int) - board[300, 780:800]).max() < 30
    assert said == []
    taken = still_picture(frames((noisy(board, rng) for _ in range(60)), 100), said.append)
    assert taken.shape == board.shape


def test_a_picture_that_is_taken_has_little_noise_and_nothing_of_what_went_before() -> None:
    board, rng = read_picture(SHOTS / "f00.jpg"), np.random.default_rng(5)
    before, said = read_picture(SHOTS / "f03.jpg"), list[str]()
    shown = (np.clip(scene + rng.normal(0, 12.0, board.shape), 0, 255) for scene in [before] * 5 + [board] * 25)
    taken = still_picture(frames((each.astype(np.uint8) for each in shown), 66), said.append)
    inside = (board > 50) & (board < 205)
    off = taken[inside].astype(int) - board[inside]
    assert np.std(off) < 12.0 / 3.5
    assert abs(np.mean(off)) < 1.0
    assert said == []


def test_bands_of_a_lamp_that_flickers_are_evened_out() -> None:
    board, rng = read_picture(SHOTS / "f00.jpg"), np.random.default_rng(5)
    lamp = Lamp(bands=3.3, depth=0.25, overtone=0.2, along=0.1)
    pictures = [lamp.picture(board, rng) for _ in range(25)]
    taken = still_picture(frames(iter(pictures), 66), lambda _: None)
    bands = [np.std(picture.mean(axis=(1, 2)) / board.mean(axis=(1, 2))) for picture in (pictures[0], taken)]
    assert bands[1] < bands[0] / 2


def test_a_lamp_that_flickers_is_nothing_that_moves() -> None:
    board, said = read_picture(SHOTS / "f00.jpg"), list[str]()
    lamp, rng = Lamp(bands=3.3, depth=0.25, overtone=0.2, along=0.1), np.random.default_rng(5)
    still_picture(frames((noisy(lamp.picture(board, rng), rng) for _ in range(40)), 100), said.append)
    assert said == []


@pytest.mark.parametrize(("shown", "told"), [(True, MOVES_BESIDE), (False, MOVES)])
def test_where_something_moves_on_and_on_people_are_told_what_is_in_the_way(shown: bool, told: str) -> None:
    board = read_picture(SHOTS / "f00.jpg")
    picture = board if shown else cv2.GaussianBlur(board, (0, 0), 40)

    def waving() -> Iterator[Picture]:
        for number in range(52):
            yield np.roll(picture, 30 * (number % 2), axis=1) + np.uint8(20) * np.uint8(number % 2)

    said: list[str] = []
    with pytest.raises(UsageError, match="before its picture was still"):
        still_picture(frames(waving(), 250), said.append)
    assert said == [told]


def test_who_moves_on_and_on_beside_the_board_is_not_waited_for() -> None:
    board = read_picture(SHOTS / "f00.jpg")

    def played_beside(moving_at: tuple[int, int]) -> Iterator[Picture]:
        for number in range(64):
            picture = board.copy()
            cv2.circle(picture, moving_at, 60 + 40 * (number % 2), (120, 150, 210), -1)  # an arm that comes and goes
            yield picture

    said: list[str] = []
    taken = still_picture(frames(played_beside((1180, 300)), 250), said.append)
    assert said == [MOVES_BESIDE]
    assert np.array_equal(taken[:, :1000], board[:, :1000])
    with pytest.raises(UsageError, match="before its picture was still"):
        still_picture(frames(played_beside((700, 300)), 250), said.append)
