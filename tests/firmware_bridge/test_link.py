"""The link on real ports: opening, refusing, losing, logging, and what each error tells to do."""

import errno
import logging
import os
import pty
import socket
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import ports
from firmware_bridge.board import BoardDown, BoardMissed, BoardUp, ChannelEvent, SensorBoard
from firmware_bridge.errors import (
    LinkDownError,
    LinkError,
    NoAnswerError,
    NotABoardError,
    NotAPortError,
    PermanentLinkError,
    PortBusyError,
    PortDeniedError,
    PortMissingError,
    PortUnusableError,
    TransientLinkError,
    VersionRefusedError,
)
from firmware_bridge.leds import LedFrame, Light
from firmware_bridge.ports import ByteStream, open_port
from firmware_bridge.protocol import ChannelClass
from firmware_bridge.standin import StandInBoard
from firmware_bridge.standin_firmware import StandInMake
from firmware_bridge.timings import LinkTimings

QUICK = LinkTimings(hello_give_up_s=0.3, back_off_first_s=0.05, back_off_last_s=0.1)


@pytest.fixture
def standin() -> Iterator[StandInBoard]:
    with StandInBoard() as made:
        yield made


def test_missing_port_says_to_plug_it_in_and_is_tried_again(tmp_path: Path) -> None:
    with pytest.raises(PortMissingError, match=r"no such port.*Plug the board in") as caught:
        open_port(str(tmp_path / "usb-board"))
    assert isinstance(caught.value, TransientLinkError | FileNotFoundError)
    with SensorBoard(str(tmp_path / "usb-board"), timings=QUICK) as board:
        time.sleep(0.1)
        with StandInBoard(link_path=tmp_path / "usb-board"):
            board.wait_connected(5)


def test_denied_port_names_the_group_to_join(monkeypatch: pytest.MonkeyPatch, standin: StandInBoard) -> None:
    def denied(*args: object, **settings: object) -> None:
        raise ports.serial.SerialException(errno.EACCES, "could not open port: Permission denied")

    monkeypatch.setattr(ports.serial, "serial_for_url", denied)
    with pytest.raises(PortDeniedError, match="usermod -aG dialout"):
        SensorBoard(standin.path, wait_s=5, timings=QUICK)


def test_port_that_another_program_holds_is_busy(standin: StandInBoard) -> None:
    with SensorBoard(standin.path, wait_s=5), pytest.raises(PortBusyError, match="fuser"):
        open_port(standin.path)
    open_port(standin.path).close()


@pytest.mark.parametrize("kind", ["file", "folder", "url"])
def test_what_is_no_port_is_refused_for_good(tmp_path: Path, kind: str) -> None:
    path = {"file": str(tmp_path / "board.txt"), "folder": str(tmp_path), "url": "nonsense://board"}[kind]
    if kind == "file":
        Path(path).write_text("no port")
    with pytest.raises(NotAPortError) as caught:
        SensorBoard(path, wait_s=5, timings=QUICK)
    assert isinstance(caught.value, PermanentLinkError)


def test_terminal_that_talks_garbage_is_named_so() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    stop = threading.Event()

    def talk() -> None:
        while not stop.wait(0.01):
            os.write(master, b"$GPGGA,123519,4807.038,N\r\n\0")

    talker = threading.Thread(target=talk)
    talker.start()
    try:
        with pytest.raises(NotABoardError, match="right port and the right speed"):
            SensorBoard(os.ttyname(slave), wait_s=1, timings=QUICK)
    finally:
        stop.set()
        talker.join()
        os.close(master)
        os.close(slave)


def test_silent_port_asks_for_power_and_firmware(standin: StandInBoard) -> None:
    standin.pause()
    with pytest.raises(NoAnswerError, match="powered"):
        SensorBoard(standin.path, wait_s=1, timings=QUICK)


def test_older_firmware_is_refused_for_good() -> None:
    with StandInBoard(make=StandInMake(protocol=(0, 3))) as old:
        with pytest.raises(VersionRefusedError, match="firmware is older"):
            SensorBoard(old.path, wait_s=5)
        with SensorBoard(old.path) as board:
            (down,) = board.reports(timeout_s=5)
            assert isinstance(down, BoardDown)
            assert down.permanent
            assert board.reports(timeout_s=0.3) == []


def test_board_behind_a_socket_works_the_same(standin: StandInBoard) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    bridge = threading.Thread(target=carry, args=(server, standin.path), daemon=True)
    bridge.start()
    with SensorBoard(f"socket://127.0.0.1:{server.getsockname()[1]}", wait_s=5) as board:
        standin.set_channel(3, ChannelClass.DARK)
        assert [event.number for event in board.events(timeout_s=5)] == [0]
    bridge.join(5)
    server.close()


def carry(server: socket.socket, path: str) -> None:
    """Joins one connection to the port until the connection ends."""
    connection, _ = server.accept()
    connection.settimeout(0.005)
    port = open_port(path)
    try:
        while True:
            try:
                data = connection.recv(4096)
                if not data:
                    return
                port.write(data)
            except TimeoutError:
                pass
            connection.sendall(port.read())
    except ConnectionError:
        return
    finally:
        port.close()
        connection.close()


def test_socket_that_nobody_serves_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"socket://127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(LinkError, match="cannot be opened"):
        SensorBoard(address, wait_s=1, timings=QUICK)


def test_down_and_up_are_logged_once_each(standin: StandInBoard, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "firmware_bridge"), SensorBoard(standin.path, timings=QUICK) as board:
        board.wait_connected(5)
        standin.unplug()
        time.sleep(0.6)  # a dozen tries
        standin.replug()
        reports: list[object] = []
        while sum(isinstance(report, BoardUp) for report in reports) < 2:
            reports += board.reports(timeout_s=5)
    assert [type(report) for report in reports] == [BoardUp, BoardDown, BoardUp]
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING", "INFO"]
    assert "Is the cable plugged in?" in caplog.records[1].message
    assert "back" in caplog.records[2].message


def test_frame_shown_while_the_board_is_away_is_lit_when_it_comes(tmp_path: Path) -> None:
    path = tmp_path / "usb-board"
    with SensorBoard(str(path), timings=QUICK) as board:
        board.show(LedFrame.of({1: Light(1, 1, 1)}))
        with StandInBoard(link_path=path) as standin:
            give_up = time.monotonic() + 5
            while standin.led_frame[1] != Light(1, 1, 1):
                assert time.monotonic() < give_up
                time.sleep(0.01)


def test_request_while_away_is_refused_and_not_kept(tmp_path: Path) -> None:
    with SensorBoard(str(tmp_path / "none")) as board, pytest.raises(LinkDownError):
        board.beep()


def test_request_that_the_cable_cuts_off_is_answered(standin: StandInBoard) -> None:
    with SensorBoard(standin.path, wait_s=5) as board:
        standin.pause()
        threading.Timer(0.1, standin.unplug).start()
        with pytest.raises(LinkDownError, match="went down"):
            board.stats()


def test_closing_twice_and_waiting_after_closing_end_at_once(standin: StandInBoard) -> None:
    board = SensorBoard(standin.path, wait_s=5)
    board.close()
    board.close()
    assert board.events(timeout_s=60) == []
    assert not board.connected
    with pytest.raises(LinkDownError):
        board.wait_connected(60)


def test_constructor_that_fails_leaves_the_port_free(standin: StandInBoard) -> None:
    standin.pause()
    with pytest.raises(NoAnswerError):
        SensorBoard(standin.path, wait_s=0.5, timings=QUICK)
    open_port(standin.path).close()


def test_listener_hears_everything_in_order(standin: StandInBoard) -> None:
    heard: list[object] = []
    with SensorBoard(standin.path, wait_s=5, listen=heard.append) as board:
        standin.set_channel(0, ChannelClass.LIGHT)
        board.events(timeout_s=5)
        time.sleep(0.05)
    assert [type(entry).__name__ for entry in heard] == ["BoardUp", "ChannelEvent"]


def test_any_stream_will_do_in_place_of_a_port(standin: StandInBoard) -> None:
    class OneByteAtATime:
        def __init__(self, inner: ByteStream) -> None:
            self.inner, self.kept = inner, b""

        def read(self) -> bytes:
            self.kept += self.inner.read() if not self.kept else b""
            first, self.kept = self.kept[:1], self.kept[1:]
            return first

        def write(self, data: bytes) -> None:
            for byte in data:
                self.inner.write(bytes((byte,)))

        def close(self) -> None:
            self.inner.close()

    with SensorBoard(standin.path, wait_s=5, opener=lambda path: OneByteAtATime(open_port(path))) as board:
        standin.set_channel(9, ChannelClass.LIGHT)
        assert len(board.events(timeout_s=5)) == 1


def test_port_that_vanishes_while_writing_is_unusable(standin: StandInBoard) -> None:
    stream = open_port(standin.path)
    standin.unplug()
    with pytest.raises(PortUnusableError, match="cable"):
        stream.write(b"x" * 100_000)
    stream.close()


def test_what_came_and_went_while_the_board_was_away_is_counted(standin: StandInBoard) -> None:
    with SensorBoard(standin.path, wait_s=5, timings=QUICK) as board:
        standin.unplug()
        for kind in (ChannelClass.LIGHT, ChannelClass.EMPTY):
            standin.set_channels(dict.fromkeys(range(40), kind))
            time.sleep(0.1)
        standin.replug()
        missed: list[BoardMissed] = []
        give_up = time.monotonic() + 5
        while not missed:
            assert time.monotonic() < give_up
            missed = [report for report in board.reports(timeout_s=0.5) if isinstance(report, BoardMissed)]
        assert missed == [BoardMissed(8)]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_listener_that_raises_ends_the_link_loudly(standin: StandInBoard, caplog: pytest.LogCaptureFixture) -> None:
    def listen(entry: object) -> None:
        if isinstance(entry, ChannelEvent):
            raise RuntimeError("the table is broken")

    with SensorBoard(standin.path, wait_s=5, listen=listen) as board:
        standin.set_channel(0, ChannelClass.LIGHT)
        give_up = time.monotonic() + 5
        while board.connected:
            assert time.monotonic() < give_up
            time.sleep(0.01)
        assert isinstance(board.error, PermanentLinkError)
    assert "the table is broken" in caplog.text
