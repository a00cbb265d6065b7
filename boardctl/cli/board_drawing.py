"""The sensor board in letters: frames by name, and the channels as they lie on the board."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from enum import IntEnum, IntFlag

from rich.text import Text

from firmware_bridge import BoardDown, BoardMissed, BoardReport, BoardUp, ChannelClass, SlotMap
from firmware_bridge.protocol import DecodeFault, EventRecord, Events, Leds, Log, Message, Raw, State
from firmware_bridge.wiretap import Direction, Heard

_CLASS_STYLES = {
    ChannelClass.EMPTY: "dim",
    ChannelClass.LIGHT: "bold yellow",
    ChannelClass.DARK: "bold blue",
    ChannelClass.UNKNOWN: "bold magenta",
}
_SIGNS = {ChannelClass.EMPTY: "·", ChannelClass.LIGHT: "○", ChannelClass.DARK: "●", ChannelClass.UNKNOWN: "?"}
_ASCII_SIGNS = {ChannelClass.EMPTY: ".", ChannelClass.LIGHT: "o", ChannelClass.DARK: "x", ChannelClass.UNKNOWN: "?"}
_WORST_FRAME_BYTES = 24  # of bytes that are no message, as many as fit beside the reason

Cell = Callable[[int], Text]
"""Gets what to show for a channel."""


def class_cells(classes: Sequence[ChannelClass], encoding: str) -> Cell:
    """Gets cells with a sign for what each channel sees; terminals without the signs get letters."""
    signs = _SIGNS if encoding.lower().replace("-", "") == "utf8" else _ASCII_SIGNS
    return lambda channel: Text(signs[classes[channel]], _CLASS_STYLES[classes[channel]])


def raw_cells(values: Sequence[int], classes: Sequence[ChannelClass]) -> Cell:
    """Gets cells with the analogue value of each channel, coloured by what the board takes it for."""
    return lambda channel: Text(str(values[channel]), _CLASS_STYLES[classes[channel]])


def channel_lines(cell: Cell, slots: SlotMap, width: int) -> Iterator[Text]:
    """Gets the board's channels from seat A's side: points as columns of ``width`` letters, bars and trays below."""
    far, near = range(13, 25), range(12, 0, -1)
    deepest = max((len(slots.point(number)) for number in range(1, 25)), default=0)
    yield _row("point", [Text(str(number), "bold") for number in far], width)
    for index in range(deepest):
        yield _row(f"slot {index + 1}", [_at(slots.point(number), index, cell) for number in far], width)
    yield Text()
    for index in reversed(range(deepest)):
        yield _row(f"slot {index + 1}", [_at(slots.point(number), index, cell) for number in near], width)
    yield _row("point", [Text(str(number), "bold") for number in near], width)
    yield Text()
    for name, channels_of in (("bar", slots.bar), ("tray", slots.tray)):
        row = Text()
        for seat in ("A", "B"):
            row.append_text(_beside(f"{name} {seat}", channels_of(seat), cell))
        yield row


def _beside(name: str, channels: Sequence[int], cell: Cell) -> Text:
    return Text.assemble(name.ljust(8), Text(" ").join(cell(channel) for channel in channels), "    ")


def _at(channels: Sequence[int], index: int, cell: Cell) -> Text:
    return cell(channels[index]) if index < len(channels) else Text()


def _row(head: str, cells: Sequence[Text], width: int) -> Text:
    row = Text.assemble((head.ljust(8), "dim"))
    for entry in cells:
        padded = Text(" " * (width - len(entry)))
        padded.append_text(entry)
        row.append_text(padded)
    return row


def frame_line(heard: Heard, slots: SlotMap) -> str:
    """Gets a frame in one line: who speaks, its name, its sequence, and what it says."""
    what = heard.what
    if isinstance(what, DecodeFault):
        raw = what.raw[:_WORST_FRAME_BYTES].hex(" ") + (" ..." if len(what.raw) > _WORST_FRAME_BYTES else "")
        return f"{heard.direction} NO FRAME      {what.kind}: {what.detail}; {raw}"
    return f"{heard.direction} {frame_name(what):<13} {what.sequence:>3}  {_says(what, slots)}".rstrip()


def frame_name(message: Message) -> str:
    """Gets a message's name as the wire's description has it, such as ``STATE_REQUEST``."""
    name = type(message).__name__
    return "".join(f"_{letter}" if letter.isupper() and at else letter for at, letter in enumerate(name)).upper()


def frame_values(heard: Heard) -> dict[str, object]:
    """Gets a frame as plain values, as JSON has them."""
    what = heard.what
    speaker = "host" if heard.direction is Direction.TO_BOARD else "board"
    if isinstance(what, DecodeFault):
        return {"from": speaker, "fault": what.kind.value, "detail": what.detail, "raw": what.raw.hex()}
    return {"from": speaker, "frame": frame_name(what), **_plain_fields(what)}


def report_line(report: BoardReport) -> str:
    """Gets what happened to the link in one line."""
    if isinstance(report, BoardUp):
        again = "started again, or not known before" if report.restarted else "the same start as before"
        return f"-- board {report.ident.board_id} is connected ({again})"
    if isinstance(report, BoardDown):
        return f"-- the board is not connected. {report.reason}"
    if isinstance(report, BoardMissed):
        return f"-- {report.count} changes came and went while the board's memory was full"
    return f"-- {len(report.changed)} channels changed without an event"


def _says(message: Message, slots: SlotMap) -> str:
    if isinstance(message, Events):
        told = "; ".join(_event(record, slots) for record in message.records)
        return f"from {message.first_number}: {told}" + _if(message.overflow_count, ", {} lost to a full memory")
    if isinstance(message, State):
        counts = Counter(message.classes)
        told = ", ".join(f"{counts[kind]} {kind.name.lower()}" for kind in ChannelClass if counts[kind])
        return f"{told}; next event {message.next_event}, buttons {message.buttons:02b}, at {message.device_ms} ms"
    if isinstance(message, Leds):
        leds = sum(run.led_count for run in message.runs)
        return f"{leds} LEDs from {message.first} in {len(message.runs)} runs" + (", show" if message.show else "")
    if isinstance(message, Raw):
        return f"{len(message.values)} values from channel {message.first}"
    if isinstance(message, Log):
        return f"at {message.device_ms} ms: {message.text}"
    return ", ".join(f"{name} {_short(value)}" for name, value in _plain_fields(message).items() if name != "sequence")


def _event(record: EventRecord, slots: SlotMap) -> str:
    if record.source >= EventRecord.BUTTON_BASE:
        where = f"button {record.source - EventRecord.BUTTON_BASE}"
        now = "down" if record.value else "up"
    else:
        slot = slots.get(record.source)
        where = f"channel {record.source}" if slot is None else str(slot)
        now = _class_name(record.value)
    return f"{where} {now} at {record.device_ms} ms"


def _class_name(value: int) -> str:
    return next((kind.name.lower() for kind in ChannelClass if kind == value), f"class {value}")


def _if(count: int, text: str) -> str:
    return text.format(count) if count else ""


def _short(value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    return (" + " if any(isinstance(entry, str) for entry in value) else ".").join(map(str, value))


def _plain_fields(message: Message | EventRecord) -> dict[str, object]:
    return {entry.name: _plain(getattr(message, entry.name)) for entry in fields(message)}


def _plain(value: object) -> object:
    if isinstance(value, IntFlag):
        return [flag.name.lower() for flag in type(value) if flag in value and flag.name]
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, EventRecord):
        return _plain_fields(value)
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    return value
