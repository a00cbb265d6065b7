"""``calibrate camera``, ``read`` and ``bench vision`` as a person runs them, right and wrong."""

import json
import re
import shutil
from dataclasses import replace
from itertools import pairwise
from math import dist
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from boardctl.cli import build, calibrate
from boardctl.cli.bench.shown import shown_by
from boardctl.devices.pictures import read_picture, write_picture
from boardctl.rules import Backgammon, Seat
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import GREEN_FELT, CheckerLook, Colour
from boardctl.virtual.unseen.looks import drawn_installation, wide
from boardctl.virtual.unseen.tables import write_pictures
from boardctl.virtual.world import empty_world, set_up
from boardctl.vision.frame import FrameReader
from boardctl.vision.measuring.later_changes import Lamp
from boardctl.vision.measuring.poor_cameras import PoorCamera
from boardctl.vision.measuring.truth import read_truth
from boardctl.vision.report import as_record
from calibration import BoardGeometry, load
from calibration.light import enough as picture_light
from calibration.start.pose_fit import lens_height

SHOTS = Path(__file__).parents[1] / "data" / "vision" / "green_felt"


def run(*words: object) -> tuple[int, str, str]:
    texts = [str(word) for word in words]
    result = CliRunner().invoke(build([texts[0]]), texts)
    return result.exit_code, result.stdout, result.stderr


def installation_in(folder: Path) -> Path:
    """Makes the folder of an installation with three pictures, as ``bench vision`` takes it."""
    place = folder / "green"
    place.mkdir(parents=True)
    for frame in ("f00", "f01", "f03"):
        shutil.copy(SHOTS / f"{frame}.jpg", place)
        shutil.copy(SHOTS / f"{frame}.json", place)
    return place


def calibrated(out: Path, empty: Path = SHOTS / "f00.jpg", start: Path = SHOTS / "f01.jpg") -> tuple[int, str, str]:
    return run("calibrate", "camera", "--empty", empty, "--start", start, "--out", out)


@pytest.fixture(scope="module")
def calibration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("calibrated") / "calibration.yaml"
    code, said, _ = calibrated(out)
    assert code == 0
    assert "found the board" in said
    return out


def test_a_calibration_is_found_written_and_drawn(tmp_path: Path) -> None:
    out, drawn = tmp_path / "c.yaml", tmp_path / "found.png"
    given = ("--empty", SHOTS / "f00.jpg", "--start", SHOTS / "f01.jpg", "--out", out, "--picture", drawn)
    truth = json.loads((SHOTS / "f01.json").read_text())["field_corners_px"]
    names = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")
    corners = [f"{truth[name][0]},{truth[name][1]}" for name in names]
    code, said, _ = run("calibrate", "camera", *given, "--corners", *corners)
    assert code == 0
    assert str(out) in said
    assert out.is_file()
    picture = cv2.imread(str(drawn))
    assert picture is not None
    assert picture.shape == (720, 1280, 3)


def test_a_calibration_says_that_the_light_changed_between_its_pictures(tmp_path: Path) -> None:
    start = cv2.imread(str(SHOTS / "f01.jpg"))
    assert start is not None
    mask = np.zeros(start.shape[:2], np.float32)
    cv2.circle(mask, (620, 320), 220, 1.0, -1)
    shadowed = start * (1 - 0.4 * cv2.GaussianBlur(mask, (0, 0), 6.0))[..., None]
    cv2.imwrite(str(tmp_path / "start.png"), shadowed)
    said = [calibrated(tmp_path / "c.yaml", start=path)[1] for path in (SHOTS / "f01.jpg", tmp_path / "start.png")]
    assert ["the light changed" in each for each in said] == [False, True]
    assert not any("not of the starting position" in each for each in said)


def test_a_calibration_says_that_the_lamp_flickers(tmp_path: Path) -> None:
    lamp, rng = Lamp(bands=3.3, depth=0.25, overtone=0.2, along=0.1), np.random.default_rng(8)
    for frame in ("f00", "f01"):
        write_picture(tmp_path / f"{frame}.png", lamp.picture(read_picture(SHOTS / f"{frame}.jpg"), rng))
    code, said, _ = calibrated(tmp_path / "c.yaml", tmp_path / "f00.png", tmp_path / "f01.png")
    assert code == 0
    assert "the lamp flickers" in said
    assert "power_line_frequency=1" in said
    assert "the light changed" not in said
    _, said, _ = calibrated(tmp_path / "d.yaml")
    assert "flickers" not in said


def drawn_with(folder: Path, first: Colour, second: Colour) -> tuple[Path, Path]:
    """Draws the pictures of a calibration with checkers of two colours."""
    colours = (CheckerLook(first, 0.5, 0.3), CheckerLook(second, 0.5, 0.3))
    renderer = Renderer(replace(GREEN_FELT, checkers=colours), BoardGeometry())
    empty = empty_world(BoardGeometry(), Random(2), cube=False)
    start = set_up(empty, Backgammon().start().placement(), Random(3))
    files = folder / "f00.png", folder / "f01.png"
    for file, world in zip(files, (empty, start), strict=True):
        write_picture(file, renderer.frame(world))
    return files


def test_where_checkers_are_about_as_light_it_is_asked_where_seat_a_sits(tmp_path: Path) -> None:
    empty, start = drawn_with(tmp_path, (150, 95, 60), (60, 105, 125))
    out = tmp_path / "c.yaml"
    code, said, _ = calibrated(out, empty, start)
    assert code == 0
    assert "look about as light" in said
    assert "(--seat-a-at)" in said
    seats = [load(out).colours]
    for side in ("top", "bottom"):
        place = ("--empty", empty, "--start", start, "--out", out, "--seat-a-at", side)
        code, said, _ = run("calibrate", "camera", *place)
        assert code == 0
        seats.append(load(out).colours)
    assert seats[1][Seat.A] == seats[2][Seat.B] != seats[1][Seat.B]
    assert seats[0] in seats[1:]
    code, _, error = run("calibrate", "camera", *place, "--corners", "1,1", "2,1", "2,2", "1,2")
    assert code == 2
    assert "leave out --seat-a-at" in error
    _, said, _ = calibrated(tmp_path / "d.yaml")
    assert "as light" not in said


def test_a_calibration_says_that_the_checkers_of_the_two_sides_look_much_alike(tmp_path: Path) -> None:
    code, said, _ = calibrated(tmp_path / "c.yaml", *drawn_with(tmp_path, (60, 60, 150), (52, 52, 130)))
    assert code == 0
    assert "the checkers of the two sides look much alike, and may be taken for each other: switch the camera's" in said
    _, said, _ = calibrated(tmp_path / "d.yaml")
    assert "alike" not in said


def test_a_calibration_says_that_its_pictures_are_out_of_focus(tmp_path: Path) -> None:
    for frame in ("f00", "f01"):
        soft = cv2.GaussianBlur(read_picture(SHOTS / f"{frame}.jpg"), (0, 0), 2.5)
        write_picture(tmp_path / f"{frame}.png", np.asarray(soft, np.uint8))
    code, said, _ = calibrated(tmp_path / "c.yaml", tmp_path / "f00.png", tmp_path / "f01.png")
    assert code == 0
    assert "the pictures are out of focus, their sharpest edges" in said
    _, said, _ = calibrated(tmp_path / "d.yaml")
    assert "focus" not in said


def test_a_calibration_says_on_which_points_checkers_are_as_white_as_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, said, _ = calibrated(tmp_path / "c.yaml")
    assert "as white as the board" not in said
    monkeypatch.setattr(calibrate, "white_points", lambda _: [2, 13])
    code, said, _ = calibrated(tmp_path / "d.yaml")
    assert code == 0
    assert "both as white as the camera can tell: 2, 13. What lies there will be told with doubt. Move" in said


def test_a_calibration_says_on_which_points_glare_hides_what_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, said, _ = calibrated(tmp_path / "c.yaml")
    assert "glare" not in said
    assert "burnt" not in said
    monkeypatch.setattr(calibrate, "glaring_points", lambda _: [6, 7])
    monkeypatch.setattr(picture_light, "MUCH_BURNT", -1.0)
    code, said, _ = calibrated(tmp_path / "d.yaml")
    assert code == 0
    assert "\n0% of the board is burnt out; white dice may not be seen there, nor pale hands: move or soften" in said
    assert "glare hides what lies on these points: 6, 7. Nothing will be told of them where no checker is seen" in said


def test_a_calibration_says_what_is_wrong_with_its_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "check_start", lambda _: ["a hand lies over the board", "the trays are full"])
    code, said, _ = calibrated(tmp_path / "c.yaml")
    assert code == 0
    assert "\na hand lies over the board\nthe trays are full\n" in said


@pytest.mark.parametrize(
    ("die_of_checker", "says", "means"),
    [
        ("0.36", "a die 17 px\n", "20 px and more are read best"),
        ("0.25", "a die 12 px\n", "at least 14 px are needed to tell what dice show"),
        ("0.6", "a die 28 px\n", ""),
        (None, "(--die-of-checker tells it)", "20 px and more are read best"),
    ],
)
def test_a_calibration_tells_how_large_checkers_and_dice_come_out_and_what_that_means(
    tmp_path: Path, die_of_checker: str | None, says: str, means: str
) -> None:
    measured = () if die_of_checker is None else ("--die-of-checker", die_of_checker)
    given = ("--empty", SHOTS / "f00.jpg", "--start", SHOTS / "f01.jpg", "--out", tmp_path / "c.yaml", *measured)
    code, said, _ = run("calibrate", "camera", *given)
    assert code == 0
    assert "a checker comes out 4" in said
    assert says in said
    assert (means or "\nwritten") in said
    assert ("px and more" in said or "px are needed" in said) == bool(means)


@pytest.mark.parametrize(("words", "has_trays"), [((), True), (("--trays",), True), (("--no-trays",), False)])
def test_a_calibration_says_where_a_board_has_no_trays(tmp_path: Path, words: tuple[str, ...], has_trays: bool) -> None:
    out = tmp_path / "c.yaml"
    given = ("--empty", SHOTS / "f00.jpg", "--start", SHOTS / "f01.jpg", "--out", out, *words)
    code, said, _ = run("calibrate", "camera", *given)
    assert code == 0
    assert ("the board has no trays" in said) is not has_trays
    assert (", trays beside it\n" in said) is has_trays
    assert load(out).geometry.has_trays is has_trays


def test_a_calibration_says_how_high_the_lens_seems_to_be_unless_somebody_has_measured_it(tmp_path: Path) -> None:
    given = ("--empty", SHOTS / "f00.jpg", "--start", SHOTS / "f01.jpg", "--out", tmp_path / "c.yaml")
    code, said, _ = run("calibrate", "camera", *given)
    assert code == 0
    told = re.search(r"the lens seems to be (\d\.\d\d) times as high above the board as the field is wide", said)
    assert told is not None
    code, said, _ = run("calibrate", "camera", *given, "--lens-height", float(told[1]) * 1.05)
    assert code == 0
    assert "--lens-height" not in said
    made = load(tmp_path / "c.yaml")
    assert lens_height(made.camera, made.geometry) == pytest.approx(float(told[1]) * 1.05, rel=0.03)
    code, _, complaint = run("calibrate", "camera", *given, "--lens-height", "62")
    assert code == 2
    assert "--lens-height" in complaint


@pytest.mark.parametrize(
    ("look", "times", "code", "says"),
    [(8, 1.3, 0, "the pictures contradict your ruler"), (2, 6.0, 1, "measure both once more (--lens-height)")],
)
def test_a_lens_that_was_measured_wrongly_is_to_be_measured_once_more(
    tmp_path: Path, look: int, times: float, code: int, says: str
) -> None:
    write_pictures(wide(drawn_installation(14001, look)), tmp_path, 0, look)  # 20 and 2 degrees off the upright
    true = read_truth(tmp_path / "f01.json")
    wrong = times * lens_height(true.camera, true.geometry)
    given = ("--empty", tmp_path / "f00.jpg", "--start", tmp_path / "f01.jpg", "--out", tmp_path / "c.yaml")
    came, said, complaint = run("calibrate", "camera", *given, "--lens-height", round(wrong, 2))
    assert came == code
    assert says in said + complaint


def test_corners_that_are_no_numbers_are_wrong_usage(tmp_path: Path) -> None:
    given = ("--empty", SHOTS / "f00.jpg", "--start", SHOTS / "f01.jpg", "--out", tmp_path / "c.yaml")
    code, _, complaint = run("calibrate", "camera", *given, "--corners", "1,2", "3,4", "5;6", "7,8")
    assert code == 2
    assert "5;6" in complaint


@pytest.mark.parametrize(
    "corners",
    [
        ("10,10", "11,11", "12,12", "13,13"),  # on one line
        ("10,10", "10,10", "10,10", "10,10"),
        ("10,500", "500,10", "500,500", "10,10"),  # crossed
        ("10,10", "500,10", "500,500", "10,500"),  # the other way round
        ("10,500", "500,500", "500,490", "10,490"),  # too flat
        ("10,500", "500,500", "inf,10", "10,10"),
    ],
)
def test_corners_that_no_camera_above_a_board_sees_are_wrong_usage(corners: tuple[str, ...]) -> None:
    code, said, complaint = run("read", SHOTS / "f03.jpg", "--corners", *corners)
    assert code == 2
    assert said == ""
    assert "--corners" in complaint
    assert "Warning" not in complaint


def test_a_calibration_that_fails_says_why_and_writes_nothing(tmp_path: Path) -> None:
    code, _, complaint = calibrated(tmp_path / "c.yaml", start=SHOTS / "f00.jpg")
    assert code == 1
    assert "no board in the picture" in complaint
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    code, _, complaint = calibrated(tmp_path / "none" / "c.yaml")
    assert code == 2
    assert "no such folder" in complaint
    (tmp_path / "folder").mkdir()
    code, _, complaint = calibrated(tmp_path / "folder")
    assert code == 2
    assert "folder: is a folder; name a file" in complaint
    assert [path.name for path in tmp_path.iterdir()] == ["folder"], "no picture is left beside it"


def test_a_frame_is_read_as_one_line_of_json(calibration: Path) -> None:
    code, said, _ = run("read", SHOTS / "f06.jpg", SHOTS / "f12.jpg", "--calibration", calibration, "--json")
    records = [json.loads(line) for line in said.splitlines()]
    assert code == 0
    assert [Path(record["frame"]).stem for record in records] == ["f06", "f12"]
    truth = json.loads((SHOTS / "f06.json").read_text())
    assert records[0]["bar"] == truth["bar"]
    assert records[0]["cube"] == {
        "value": truth["cube"]["value"],
        "at": "bar" if truth["cube"]["owner"] == "center" else "A",
    }
    assert records[0]["points"] == [entry if entry[1] else [None, 0] for entry in truth["points_list"]]


def test_pictures_of_one_camera_are_read_one_after_the_other(calibration: Path) -> None:
    shots = [SHOTS / "f06.jpg", SHOTS / "f12.jpg"]
    _, said, _ = run("read", *shots, "--calibration", calibration, "--checkers", "0", "--json")
    reader = FrameReader(load(calibration))
    expected = [as_record(str(shot), reader.read(read_picture(shot)), 0.0) for shot in shots]
    assert [{**json.loads(line), "ms": 0.0} for line in said.splitlines()] == expected


def test_a_frame_is_read_in_words(calibration: Path) -> None:
    code, said, _ = run("read", SHOTS / "f06.jpg", "--calibration", calibration)
    assert code == 0
    assert "points" in said
    assert "bar    A:1 B:0" in said


def test_a_picture_of_a_camera_that_was_nudged_is_read_and_that_is_said(calibration: Path, tmp_path: Path) -> None:
    shown = cv2.imread(str(SHOTS / "f06.jpg"))
    records = []
    for name, picture in (("still", shown), ("nudged", np.roll(shown, 40, axis=1))):
        image = tmp_path / f"{name}.jpg"
        cv2.imwrite(str(image), picture)
        code, said, _ = run("read", image, "--calibration", calibration, "--json")
        assert code == 0
        records.append(json.loads(said))
    still, nudged = records
    assert nudged["points"] == still["points"]
    assert nudged["followed_px"] == pytest.approx(40, abs=1)
    assert "followed_px" not in still
    code, said, _ = run("read", tmp_path / "nudged.jpg", "--calibration", calibration)
    assert f"{nudged['followed_px']:.0f} pixels off" in said


@pytest.mark.parametrize("checkers", ["0", "15"])
@pytest.mark.parametrize(("spoilt", "complaint"), [("dark", "uncover it"), ("turned", "put it back")])
def test_of_what_is_not_seen_as_calibrated_nothing_is_told_and_why(
    calibration: Path, tmp_path: Path, spoilt: str, complaint: str, checkers: str
) -> None:
    shown = cv2.imread(str(SHOTS / "f06.jpg"))
    image = tmp_path / f"{spoilt}.jpg"
    turned = np.roll(shown, 40, axis=1)
    turned[200:600, 300:1000] = 120  # with the board itself covered, so that it cannot be followed
    cv2.imwrite(str(image), shown * 0 if spoilt == "dark" else turned)
    words = ("read", image, "--calibration", calibration, "--checkers", checkers)
    code, said, _ = run(*words)
    assert code == 0
    assert complaint in said
    assert "points not seen" in said
    record = json.loads(run(*words, "--json")[1])
    assert record["points"] == [None] * 24
    assert record["hidden"] == [*range(1, 25)]
    assert complaint in record["camera"]


def test_a_missing_picture_is_one_clear_line(calibration: Path, tmp_path: Path) -> None:
    code, _, complaint = run("read", tmp_path / "none.jpg", "--calibration", calibration)
    assert code == 1
    assert "none.jpg: " in complaint
    assert len(complaint.splitlines()) == 1


@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff\xe0"])
def test_a_file_that_is_no_picture_is_one_clear_line(calibration: Path, tmp_path: Path, data: bytes) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(data)
    code, _, complaint = run("read", broken, "--calibration", calibration)
    assert code == 1
    assert "broken.jpg: " in complaint
    assert len(complaint.splitlines()) == 1


def test_a_missing_calibration_says_how_to_make_one(tmp_path: Path) -> None:
    code, _, complaint = run("read", SHOTS / "f06.jpg", "--calibration", tmp_path / "none.yaml")
    assert code in (1, 2)
    assert "boardctl calibrate camera" in complaint


def test_a_picture_of_another_size_is_refused(calibration: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), np.zeros((360, 640, 3), np.uint8))
    code, _, complaint = run("read", small, "--calibration", calibration)
    assert code in (1, 2)
    assert "640x360" in complaint


def test_bench_vision_prints_a_line_an_installation_and_marks_failures(tmp_path: Path) -> None:
    place = installation_in(tmp_path / "renders")
    truth = json.loads((place / "f03.json").read_text())
    truth["points"]["2"] = {**truth["points"]["2"], "color": "A", "count": 3}  # a truth that no reader can see
    (place / "f03.json").write_text(json.dumps(truth))
    failed, readings = tmp_path / "failed", tmp_path / "readings.jsonl"
    code, said, complaint = run(
        *("bench", "vision", tmp_path / "renders", "--failures", failed, "--readings", readings, "--json"),
        *("--frames", 2, "--at-rest", 2, "--runs", 2),
    )
    assert code == 0, complaint
    lines = [json.loads(line) for line in said.splitlines()]
    assert [line["installation"] for line in lines] == ["green", "total"]
    right, of = lines[0]["points right"]
    assert (right <= 23, of) == (True, 24)
    assert lines[0]["points confidently wrong"][0] >= 1
    assert lines[0]["calibrations found"] == [1, 1]
    assert 0 < lines[1]["at_rest_processor_median_ms"] <= lines[1]["at_rest_processor_p99_ms"]
    assert 0 < lines[1]["median_ms"] <= lines[1]["p99_ms"]
    assert [path.name for path in failed.iterdir()] == ["green-f03.png"]
    assert len(readings.read_text().splitlines()) == 1


def test_bench_vision_reads_as_another_camera_would_have_seen(tmp_path: Path) -> None:
    installation_in(tmp_path)
    counts = ["--json", "--only", "green"]
    said = [run("bench", "vision", tmp_path, *counts, *other)[1] for other in ((), ("--other-camera", 3))]
    as_it_is, otherwise = (json.loads(lines.splitlines()[0]) for lines in said)
    assert as_it_is["points right"] == otherwise["points right"] == [24, 24]
    assert as_it_is["calibrations found"] == otherwise["calibrations found"] == [1, 1]
    for option in ("--other-camera", "--frames"):
        code, _, complaint = run("bench", "vision", tmp_path, "--uncalibrated", option, 3)
        assert code == 2
        assert option in complaint


def test_bench_vision_lets_a_table_lie_still_with_fresh_noise_in_each_picture(tmp_path: Path) -> None:
    place = installation_in(tmp_path)
    for noise, levels in ((None, 2.0), (7, 6.0)):
        shown = shown_by(place, None, None, None, (), {}, noise_number=noise)
        first, second, third = (shown(place / "f03.jpg", frame).astype(np.float32) for frame in range(3))
        assert np.std(second - first) > 0.9 * levels
        assert np.std(third - first) == pytest.approx(np.std(second - first), rel=0.1), "all have as much of it"
        assert np.abs(third - second).max() > levels


@pytest.mark.parametrize("poor", PoorCamera)
def test_bench_vision_takes_all_pictures_with_a_poor_camera(tmp_path: Path, poor: PoorCamera) -> None:
    place = installation_in(tmp_path)
    taken = shown_by(place, None, None, None, (), {}, poor=poor)
    least = 0.02 if poor is PoorCamera.DAZZLED else 0.3  # a mirrored lamp is seen at one place only
    for name in ("f00.jpg", "f03.jpg"):
        as_it_is = read_picture(place / name)
        assert (taken(place / name, 0) != as_it_is).mean() > least
        assert (taken(place / name, 0) == taken(place / name, 0)).all()
    code, said, _ = run("bench", "vision", tmp_path, "--json", "--only", "green", "--poor-camera", poor)
    assert code == 0
    assert json.loads(said.splitlines()[0])["calibrations found"] == [1, 1]
    code, _, complaint = run("bench", "vision", tmp_path, "--uncalibrated", "--poor-camera", poor)
    assert code == 2
    assert "--poor-camera" in complaint


def test_bench_vision_lets_bands_of_a_lamp_wander_while_a_table_lies_still(tmp_path: Path) -> None:
    place = installation_in(tmp_path)
    still, flickering = (shown_by(place, None, lamp, None, (), {}) for lamp in (None, 3))
    bands = [
        (flickering(place / "f03.jpg", frame).mean(axis=(1, 2)) / still(place / "f03.jpg", frame).mean(axis=(1, 2)))
        for frame in range(3)
    ]
    assert all(np.ptp(each) > 0.05 for each in bands)
    assert all(np.abs(one - other).max() > 0.03 for one, other in pairwise(bands))


CHANGES = ("--shadow", "--sunlight", "--other-hour", "--nudge", "--nudge-between", "--exposure-between")


@pytest.mark.parametrize(
    ("change", "number"),
    [
        *((change, 3) for change in (*CHANGES, "--shadow-between", "--flicker", "--focus", "--noise")),
        ("--tones", 4),  # which gives levels a bow that is not undone to the last digit
        ("--black", 3),
        ("--veil", 3),
        ("--saturation", 5),  # which makes colours fainter, though not so faint that they are brought back
    ],
)
def test_bench_vision_changes_pictures_and_not_those_that_it_calibrates_by(
    tmp_path: Path, change: str, number: int
) -> None:
    installation_in(tmp_path)
    words = ("bench", "vision", tmp_path, "--json", "--only", "green")
    failed = [tmp_path / name for name in ("light", "shadow", "again")]
    for folder, more in zip(failed, ((), (change, number), (change, number)), strict=True):
        code, said, _ = run(*words, *more, "--readings", folder)
        assert code == 0
        assert json.loads(said.splitlines()[0])["calibrations found"] == [1, 1]
    light, shadow, again = ([json.loads(line) for line in folder.read_text().splitlines()] for folder in failed)
    assert [one["confidence"] for one in light] != [one["confidence"] for one in shadow]
    assert [one["confidence"] for one in shadow] == [one["confidence"] for one in again]
    code, _, complaint = run("bench", "vision", tmp_path, "--uncalibrated", change, 3)
    assert code == 2
    assert change in complaint


def test_bench_vision_lays_other_boards_beside_one(tmp_path: Path) -> None:
    place = installation_in(tmp_path)
    words = ("bench", "vision", tmp_path, "--json", "--only", "green", "--beside", 3)
    code, _, complaint = run(*words)
    assert code == 2
    assert "no board to lay beside green" in complaint
    other = shutil.copytree(place, tmp_path / "other")
    truth = json.loads((other / "f03.json").read_text())
    (other / "f03.json").write_text(json.dumps({**truth, "geometry_cm": {}}))
    code, _, complaint = run(*words)
    assert (code, "f03.json: has no 'point_width'" in complaint, "leave out --beside" in complaint) == (2, True, True)
    shutil.copy(place / "f03.json", other)
    code, said, complaint = run(*words, "--failures", tmp_path / "failed")
    assert code == 0, complaint
    assert json.loads(said.splitlines()[0])["calibrations found"] == [1, 1]
    assert json.loads(said.splitlines()[0])["points right"] == [24, 24]


def test_bench_vision_refuses_a_folder_without_truth(tmp_path: Path) -> None:
    code, _, complaint = run("bench", "vision", tmp_path)
    assert code == 2
    assert "holds no installation" in complaint


def test_a_photograph_is_read_from_its_corners_alone() -> None:
    truth = json.loads((SHOTS / "f03.json").read_text())
    names = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")
    corners = ["{},{}".format(*truth["field_corners_px"][name]) for name in names]
    home = "right" if truth["home_side_is_A_right"] else "left"
    code, said, _ = run("read", SHOTS / "f03.jpg", "--corners", *corners, "--home", home, "--json")
    record = json.loads(said)
    assert code == 0
    assert sum(read == true for read, true in zip(record["points"], truth["points_list"], strict=True)) >= 20
    assert record["off"] is None


def test_a_photograph_is_read_with_its_field_found_and_shown(tmp_path: Path) -> None:
    truth = json.loads((SHOTS / "f03.json").read_text())
    home, shown = "right" if truth["home_side_is_A_right"] else "left", tmp_path / "field.png"
    code, said, _ = run("read", SHOTS / "f03.jpg", "--home", home, "--picture", shown, "--json")
    record = json.loads(said)
    assert code == 0
    names = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")
    true = [truth["field_corners_px"][name] for name in names]
    assert max(dist(seen, corner) for seen, corner in zip(record["corners"], true, strict=True)) < 15
    assert sum(read == true for read, true in zip(record["points"], truth["points_list"], strict=True)) >= 20
    assert shown.read_bytes().startswith(b"\x89PNG")


def test_found_corners_are_said_as_they_can_be_given() -> None:
    code, said, _ = run("read", SHOTS / "f03.jpg")
    assert code == 0
    corners = said.split("--corners ")[1].split("\n")[0].split()
    code, again, _ = run("read", SHOTS / "f03.jpg", "--corners", *corners)
    assert code == 0
    assert again.splitlines()[1] in said


def test_a_table_without_a_board_is_refused_with_what_to_do(tmp_path: Path) -> None:
    table = tmp_path / "table.png"
    noise = np.random.default_rng(1).normal(120, 6, (480, 640, 3))
    cv2.imwrite(str(table), np.clip(noise, 0, 255).astype(np.uint8))
    code, said, complaint = run("read", table)
    assert (code, said) == (1, "")
    assert "table.png: no backgammon board found" in complaint
    assert "--corners" in complaint


def test_a_picture_of_the_field_needs_one_that_is_found(tmp_path: Path) -> None:
    shots = (SHOTS / "f03.jpg", SHOTS / "f06.jpg")
    corners = ("10,500", "500,500", "500,10", "10,10")
    for given in ((*shots, "--picture", tmp_path / "p.png"), (shots[0], "--picture", tmp_path / "no" / "p.png")):
        assert run("read", *given)[0] == 2
    code, _, complaint = run("read", shots[0], "--corners", *corners, "--picture", tmp_path / "p.png")
    assert code == 2
    assert "--picture" in complaint
    assert not list(tmp_path.iterdir())


def test_a_bench_with_found_corners_counts_them(tmp_path: Path) -> None:
    installation_in(tmp_path)
    code, said, _ = run("bench", "vision", tmp_path, "--uncalibrated", "--find", "--json")
    counts = json.loads(said.splitlines()[0])
    assert code == 0
    assert (counts["calibrations found"], counts["found wrongly"]) == ([1, 1], [0, 1])
    assert counts["points right"][0] >= 20
    code, _, complaint = run("bench", "vision", tmp_path, "--find")
    assert code == 2
    assert "--uncalibrated" in complaint


def test_bench_vision_lets_lights_burn_but_while_it_calibrates(tmp_path: Path) -> None:
    place = installation_in(tmp_path)
    dark, burning, again = (shown_by(place, None, None, number, (), {}) for number in (None, 3, 3))
    for frame in ("f00", "f01"):
        assert np.array_equal(dark(place / f"{frame}.jpg"), burning(place / f"{frame}.jpg"))
    path = place / "f03.jpg"
    assert (burning(path).astype(int) - dark(path) > 60).any(axis=2).sum() > 100
    assert np.array_equal(burning(path), again(path))
    code, said, _ = run("bench", "vision", tmp_path, "--json", "--lights", 3)
    told = json.loads(said.splitlines()[0])
    assert code == 0
    assert told["points whose likeliest is right"] == [24, 24]
    assert told["of frames, wrongly"] == [0, 1], "no hand is seen"
    truth = json.loads((place / "f03.json").read_text())
    (place / "f03.json").write_text(json.dumps({name: value for name, value in truth.items() if name != "camera"}))
    code, _, complaint = run("bench", "vision", tmp_path, "--lights", 3)
    assert (code, "f03.json: has no 'camera'" in complaint, "leave out --lights" in complaint) == (2, True, True)
    code, _, complaint = run("bench", "vision", tmp_path, "--uncalibrated", "--lights", 3)
    assert (code, "leave out --uncalibrated" in complaint) == (2, True)


def test_a_bench_with_corners_that_are_off_reads_them_alike_each_time(tmp_path: Path) -> None:
    installation_in(tmp_path)
    words = ("bench", "vision", tmp_path, "--uncalibrated", "--json")
    readings = [tmp_path / name for name in ("exact", "off", "again")]
    for file, more in zip(readings, ((), ("--corners-off", 0.2), ("--corners-off", 0.2)), strict=True):
        code, said, _ = run(*words, *more, "--readings", file)
        assert code == 0
        assert json.loads(said.splitlines()[0])["points whose likeliest is right"][0] >= 23
    exact, off, again = ([json.loads(line) for line in file.read_text().splitlines()] for file in readings)
    assert [one["confidence"] for one in exact] != [one["confidence"] for one in off]
    assert [one["confidence"] for one in off] == [one["confidence"] for one in again]
    for more in (("--corners-off", 0.1), ("--uncalibrated", "--find", "--corners-off", 0.1)):
        code, _, complaint = run("bench", "vision", tmp_path, *more)
        assert code == 2
        assert "--corners-off" in complaint


def test_dice_without_a_board_are_read_alone() -> None:
    dice = SHOTS.parent / "dice" / "d003.jpg"
    code, said, _ = run("read", dice, "--dice-only", "--json")
    record = json.loads(said)
    assert code == 0
    assert sorted(die["value"] for die in record["dice"]) == [3, 6]
    assert "points" not in record
    code, said, _ = run("read", dice, "--dice-only")
    assert code == 0
    six = next(die for die in record["dice"] if die["value"] == 6)
    assert f"die    6 at {six['center_px'][0]:.0f},{six['center_px'][1]:.0f} px (90%)" in said


def test_dice_alone_and_a_board_at_once_is_wrong_usage(calibration: Path) -> None:
    code, _, complaint = run("read", SHOTS / "f03.jpg", "--dice-only", "--calibration", calibration)
    assert code == 2
    assert "--dice-only" in complaint


def test_photographs_of_dice_are_measured_by_their_labels(tmp_path: Path) -> None:
    (tmp_path / "dice" / "felt").mkdir(parents=True)
    shutil.copy(SHOTS.parent / "dice" / "d003.jpg", tmp_path / "dice" / "felt" / "one.jpg")
    entry = {"file": "dice/felt/one.jpg", "kind": "dice", "labels": [3, 5]}
    (tmp_path / "manifest.json").write_text(json.dumps([entry]))
    code, said, _ = run("bench", "photographs", tmp_path, "--each")
    assert code == 0
    assert "dice/felt/one.jpg: 3 5, read 3 6 and 0 ?" in said
    assert "felt  pictures 1  values 1/2 50.00 %  wrong 1/2 50.00 %  not told 0  pictures all right 0/1" in said


def test_photographs_are_measured_by_their_labels(tmp_path: Path) -> None:
    truth = json.loads((SHOTS / "f03.json").read_text())
    low_left, low_right, up_right, up_left = (
        truth["field_corners_px"][name] for name in ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")
    )
    names = {"A": "white", "B": "black"}
    labels = [{"c": names.get(seat), "n": count} for seat, count in truth["points_list"]]
    shutil.copy(SHOTS / "f03.jpg", tmp_path / "shot.jpg")
    field = {"whole": [up_left, up_right, low_right, low_left]}
    board = {"file": "shot.jpg", "kind": "board", "field": field, "labels": {"points": labels}}
    (tmp_path / "manifest.json").write_text(json.dumps([board, {"file": "cards.jpg", "kind": "cards", "labels": [1]}]))
    code, said, _ = run("bench", "photographs", tmp_path)
    assert code == 0
    assert "pictures 1, refused 0" in said
    assert int(said.split("points ")[1].split("/24")[0]) >= 20
    assert "dice -  wrong -  said to lean -  no dice 0" in said  # no label tells of any
    first, second = ({"value": d["value"], "x": d["center_px"][0], "y": d["center_px"][1]} for d in truth["dice"])
    elsewhere = {"value": first["value"], "x": first["x"], "y": first["y"] + 30}
    for dice, told in (
        ([first, second], "dice 2/2 100.00 %  wrong 0/2 0.00 %  said to lean 0/2 0.00 %  no dice 0"),
        ([first, second | {"value": 7 - second["value"]}, elsewhere], "dice 1/3 33.33 %  wrong 1/3 33.33 %"),
        ([elsewhere], "dice 0/1 0.00 %  wrong 0/1 0.00 %  said to lean 0/1 0.00 %  no dice 2"),
    ):
        (tmp_path / "manifest.json").write_text(json.dumps([board | {"dice": dice}]))
        code, said, _ = run("bench", "photographs", tmp_path)
        assert (code, told in said) == (0, True), said


def test_a_folder_without_a_manifest_is_wrong_usage(tmp_path: Path) -> None:
    code, _, complaint = run("bench", "photographs", tmp_path)
    assert code == 2
    assert "manifest.json" in complaint
