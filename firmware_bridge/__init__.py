"""The wire to the sensor board: messages and frames, the link over a serial port, the board as an object, its stand-in.

It knows nothing of backgammon; channels get their places by :class:`SlotMap`, LEDs theirs by :class:`ChainLayout`.
"""

from firmware_bridge.board import (
    BoardDown,
    BoardMissed,
    BoardRepaired,
    BoardReport,
    BoardUp,
    ButtonEvent,
    ChannelEvent,
    SensorBoard,
    SensorEvent,
)
from firmware_bridge.leds import ALWAYS, NO_HOST_FRAME, ChainLayout, LedFrame, Light
from firmware_bridge.protocol import CHANNEL_COUNT, LED_COUNT, ChannelClass
from firmware_bridge.slots import Slot, SlotKind, SlotMap
from firmware_bridge.standin import StandInBoard

__all__ = [
    "ALWAYS",
    "CHANNEL_COUNT",
    "LED_COUNT",
    "NO_HOST_FRAME",
    "BoardDown",
    "BoardMissed",
    "BoardRepaired",
    "BoardReport",
    "BoardUp",
    "ButtonEvent",
    "ChainLayout",
    "ChannelClass",
    "ChannelEvent",
    "LedFrame",
    "Light",
    "SensorBoard",
    "SensorEvent",
    "Slot",
    "SlotKind",
    "SlotMap",
    "StandInBoard",
]
