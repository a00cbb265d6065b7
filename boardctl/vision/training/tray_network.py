"""The network that counts runs of checkers on edge: its shape, what is made of what it says, and how it is written."""

from pathlib import Path

import numpy as np
import torch
from torch import nn

from boardctl.vision.training.small_weights import halve_weights
from boardctl.vision.trays.runs import SIGNS, RunRows
from boardctl.vision.trays.strips import CHANNELS, COLUMNS, LENGTH, RUN_PX

WIDTH = 32
NEARS = (1, 2, 4, 8)
"""How far apart the rows are that each further layer looks at together; two rows are a twelfth of a checker's width."""


class TrayNetwork(nn.Module):  # type: ignore[misc]  # PyTorch is not there where types are checked
    """Runs' pictures (N x 8 x 264 x 6) -> seven signs of every row (N x 14 x 132 x 1: even rows, then odd ones)."""

    def __init__(self) -> None:
        super().__init__()

        def block(before: int, size: tuple[int, int], apart: int = 1, stride: int = 1) -> nn.Module:
            padding = (size[0] // 2 * apart, 0)
            conv = nn.Conv2d(before, WIDTH, size, (stride, 1), padding, (apart, 1), bias=False)
            return nn.Sequential(conv, nn.BatchNorm2d(WIDTH), nn.ReLU())

        self.first = block(CHANNELS, (7, COLUMNS), stride=2)
        self.further = nn.ModuleList(block(WIDTH, (5, 1), apart) for apart in NEARS)
        self.drop = nn.Dropout2d(0.1)
        self.out = nn.Conv2d(WIDTH, 2 * SIGNS, 1)

    def forward(self, shown: torch.Tensor) -> torch.Tensor:
        seen = self.first(shown)
        for layer in self.further:
            seen = seen + layer(self.drop(seen))
        return self.out(seen)


def signs_of(told: torch.Tensor) -> torch.Tensor:
    """Gets the signs of all rows (N x 7 x 264) of what the network says."""
    return told.squeeze(3).reshape(len(told), SIGNS, 2, -1).transpose(2, 3).reshape(len(told), SIGNS, LENGTH)


class Runs:
    """The rows of many trays as the scores of their runs need them."""

    def __init__(self, rows: list[RunRows]) -> None:
        def stacked(name: str) -> torch.Tensor:
            return torch.from_numpy(np.stack([getattr(each, name).reshape(-1) for each in rows]))

        self.first, self.end, self.meeting, self.within = map(stacked, ("first", "end", "meeting", "within"))
        self.side_end, self.behind = stacked("side_end"), stacked("behind")
        self.usual = stacked("usual").float()
        self._shape = rows[0].end.shape

    def counts(self, signs: torch.Tensor) -> torch.Tensor:
        """Gets the score of each number of checkers (N x 16, no run first, which is 0) by the signs of the rows."""
        start, meeting, within, end, *lying = signs.unbind(1)
        body, side, behind = (nn.functional.pad(each.cumsum(1), (1, 0)) / RUN_PX for each in lying)
        met = self._each(meeting.gather(1, self.meeting)).clone()
        met[:, 0] = 0.0
        scores = self.usual + start.gather(1, self.first) + end.gather(1, self.end)
        scores = scores + body.gather(1, self.end) - body.gather(1, self.first)
        scores = scores + side.gather(1, self.side_end) - side.gather(1, self.end)
        scores = scores + behind.gather(1, self.behind) - behind.gather(1, self.side_end)
        each = self._each(scores) + met.cumsum(1) + self._each(within.gather(1, self.within)).cumsum(1)
        runs = torch.logsumexp(each.flatten(2), dim=2)
        return torch.cat([torch.zeros_like(runs[:, :1]), runs], dim=1)

    def _each(self, flat: torch.Tensor) -> torch.Tensor:
        return flat.reshape(len(flat), *self._shape)


def write_onnx(model: TrayNetwork, out: Path) -> None:
    """Writes the network for one tray."""
    sample = torch.zeros(1, CHANNELS, LENGTH, COLUMNS)
    names = {"input_names": ["run"], "output_names": ["signs"]}
    torch.onnx.export(model.eval(), (sample,), str(out), opset_version=13, dynamo=False, **names)
    halve_weights(out)
