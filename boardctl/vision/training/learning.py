"""How the networks that read dice and the cube learn: from batches that other processes make, on a processor or on a
graphics card, for so many steps or for so long."""

import argparse
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.dice.patch import SPREAD_ADDED
from boardctl.vision.training.dice_weights import running_mean

LOG = logging.getLogger(__name__)

WARMING, FIRST_RATE = 0.08, 0.04
"""In the first part of the learning steps grow from such a part of the largest to the largest; then they shrink to
nothing."""
SAVED_EVERY = 1000

Batch = tuple[NDArray[np.generic], ...]
Tensors = tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Learning:
    """How long to learn (by ``minutes`` of the clock, where they are given, else by steps), how large steps are at
    most, how fast weights decay, where, and how many processes make the batches."""

    steps: int
    rate: float
    weight_decay: float
    minutes: float | None = None
    device: str = "cpu"
    makers: int = 1

    def given(self, given: argparse.Namespace) -> "Learning":
        """Gets the same with what was given on the command line (:func:`add_options`)."""
        steps = self.steps if given.steps is None else given.steps
        rate = self.rate if given.rate is None else given.rate
        return Learning(steps, rate, self.weight_decay, given.minutes, given.device, given.makers)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds what says how long to learn, and where."""
    parser.add_argument("--steps", type=int)
    parser.add_argument("--minutes", type=float, help="learn so long, instead of so many steps")
    parser.add_argument("--rate", type=float, help="how large steps are at most")
    parser.add_argument("--batch", type=int, help="examples in a step")
    parser.add_argument("--device", default="cpu", help="cpu, or cuda")
    parser.add_argument("--makers", type=int, default=1, help="processes that make the examples")


def halved_where_faster(device: str) -> torch.autocast:
    """Gets the context in which networks reckon with 16 bits (bfloat16) where that is faster: on a graphics card, and
    on processors that have it. On one that has not a step of ``column_training`` took twice as long as with 32 bits."""
    faster = device != "cpu" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.autocast(device, torch.bfloat16, enabled=faster)


def learn(
    model: nn.Module,
    batches: Iterable[Batch],
    value_of: Callable[[nn.Module, Tensors], torch.Tensor],
    how: Learning,
    save: Path,
) -> nn.Module:
    """Lets a network learn from batches; gets the running mean of its weights, which goes to ``save`` now and then.

    ``value_of``: what is to become small, of the network and one batch. Raises ValueError where the batches end before.
    """
    model = model.to(how.device, memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=how.rate, weight_decay=how.weight_decay)
    kept, mean, step, began = running_mean(model), torch.zeros((), device=how.device), 0, time.monotonic()
    for batch in batches:
        done = _done(how, step, time.monotonic() - began)
        if done >= 1:
            torch.save(kept.module.state_dict(), save)
            return kept.module.cpu().eval()
        for group in optimiser.param_groups:
            group["lr"] = how.rate * rate_part(done)
        value = value_of(model, tuple(torch.from_numpy(part).to(how.device) for part in batch))
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        kept.update_parameters(model)
        mean += (value.detach() - mean) / min(step + 1, 100)
        if step % 100 == 0:
            LOG.info("step %d, %.0f %%: loss %.4f", step, 100 * done, mean.item())
        step += 1
        if step % SAVED_EVERY == 0:
            torch.save(kept.module.state_dict(), save)
    raise ValueError(f"the batches ended after {step} steps, before the learning did")


def _done(how: Learning, step: int, seconds: float) -> float:
    return step / how.steps if how.minutes is None else seconds / 60 / how.minutes


def rate_part(done: float) -> float:
    """Gets how large steps are, as a part of the largest, when such a part of the learning is done."""
    warm = min(1.0, FIRST_RATE + done / WARMING)
    return warm * (0.5 + 0.5 * cos(pi * max(0.0, done - WARMING) / (1 - WARMING)))


def shown_of(patches: torch.Tensor, views: torch.Tensor) -> torch.Tensor:
    """Gets what a network of dice is shown (N x 4 x H x W) of patches (N x H x W x 3 bytes) and each one's obliqueness:
    the same as :func:`boardctl.vision.dice.patch.network_input`, with the columns beside each other."""
    colours = patches.float()
    spread, mean = torch.std_mean(colours, dim=(1, 2, 3), keepdim=True, correction=0)
    colours = ((colours - mean) / (spread + SPREAD_ADDED)).permute(0, 3, 1, 2)
    view = views[:, None, None, None].expand(-1, 1, *patches.shape[1:3])
    return torch.cat([colours, view], dim=1).contiguous(memory_format=torch.channels_last)
