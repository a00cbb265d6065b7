"""The network that reads points from strips: its shape, and how it is written as ONNX."""

from pathlib import Path

import torch
from torch import nn

from boardctl.vision.points.columns import STRIP_LENGTH, STRIP_WIDTH
from boardctl.vision.training.column_data import LAYERS

CLASSES = 1 + 2 * LAYERS

CHANNELS = 10
"""Three of the strip, three of its change from the empty board, likeness to both seats, leaning right and down."""


class ColumnNetwork(nn.Module):  # type: ignore[misc]  # PyTorch is not there where types are checked
    """Strips (N x 10 x 168 x 32) -> for each slot seven logits of what lies there and one of a hand (N x 8 x 7)."""

    def __init__(self) -> None:
        super().__init__()

        def block(before: int, after: int, size: int, stride: int) -> list[nn.Module]:
            conv = nn.Conv2d(before, after, size, stride, size // 2, bias=False)
            return [conv, nn.BatchNorm2d(after), nn.ReLU()]

        self.body = nn.Sequential(
            *block(CHANNELS, 16, 3, 2), *block(16, 32, 3, 2), *block(32, 48, 3, 2), *block(48, 48, 3, 1)
        )
        self.drop = nn.Dropout(0.2)
        self.slot = nn.Conv2d(48, 96, (7, 4), (3, 1), (2, 0))
        self.out = nn.Conv2d(96, CLASSES + 1, 1)

    def forward(self, strips: torch.Tensor) -> torch.Tensor:
        slots = torch.relu(self.slot(self.drop(self.body(strips))))
        return self.out(self.drop(slots)).squeeze(3)


def write_onnx(model: ColumnNetwork, out: Path) -> None:
    """Writes the network for any number of strips, and for shorter ones: of those whose end looks as on the empty board
    less is shown."""
    sample = torch.zeros(2, CHANNELS, STRIP_LENGTH, STRIP_WIDTH)
    axes = {"strips": {0: "count", 2: "length"}, "slots": {0: "count", 2: "slots"}}
    torch.onnx.export(
        model.to(memory_format=torch.contiguous_format),
        (sample,),
        str(out),
        input_names=["strips"],
        output_names=["slots"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
