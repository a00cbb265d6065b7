"""Writes the mean of two networks of one kind, number by number.

    python -m boardctl.vision.training.mean_weights ONE.onnx OTHER.onnx OUT.onnx [--share 0.5]

Of a network and one that learned on from it, the mean is often as good on what the second learned as that is, and loses
less of what the first knew (Wortsman and others, "Model soups", 2022). Where OTHER is shown more channels than ONE, the
last ones, ONE makes nothing of these. SHARE is how much OTHER counts.

Needs the package onnx, which is not part of boardctl.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from boardctl.vision.training.small_weights import BYTE, HALF, widened


def write_mean(one: Path, other: Path, out: Path, share: float = 0.5) -> None:
    """Writes the mean, of which ``other`` makes a ``share``; each number with as many bits as in that, those with eight
    with 32.

    :raises ValueError: when they have not the same layers.
    """
    first, written = (_without_bytes(onnx.load(str(each))) for each in (one, other))
    for position, (mine, theirs) in enumerate(zip(_numbers(first), _numbers(written), strict=True)):
        numbers, others = (numpy_helper.to_array(each).astype(np.float64) for each in (mine, theirs))
        if position == 0 and numbers.shape[1] < others.shape[1]:
            more = [(0, 0)] * numbers.ndim
            more[1] = (0, others.shape[1] - numbers.shape[1])
            numbers = np.pad(numbers, more)
        if numbers.shape != others.shape:
            raise ValueError(
                f"{one} and {other}: {mine.name} is {numbers.shape} in one and {others.shape} in the other"
            )
        kind = numpy_helper.to_array(theirs).dtype
        mean = (1 - share) * numbers + share * others
        theirs.CopyFrom(numpy_helper.from_array(mean.astype(kind), theirs.name))
    onnx.save(written, str(out))


def _without_bytes(network: onnx.ModelProto) -> onnx.ModelProto:
    """Gets a network with weights of which means can be taken."""
    has_bytes = any(each.name.endswith(BYTE) for each in network.graph.initializer)
    return widened(network) if has_bytes else network


def _numbers(network: onnx.ModelProto) -> Iterator[onnx.TensorProto]:
    """Gets weights and biases of all layers in the order in which they act, also those that are widened when loaded."""
    known = {each.name.removesuffix(HALF): each for each in network.graph.initializer}
    for node in network.graph.node:
        if node.op_type in ("Conv", "Gemm"):
            yield from (known[name] for name in node.input[1:])


def main() -> None:
    """Writes the mean of the two that are given."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("one", "other", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="how much of the mean is the other")
    given = parser.parse_args()
    write_mean(given.one, given.other, given.out, given.share)


if __name__ == "__main__":
    main()
