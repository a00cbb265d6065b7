"""Writes the mean of two networks of one kind, number by number.

    python -m boardctl.vision.training.mean_weights ONE.onnx OTHER.onnx OUT.onnx

Of a network and one that learned on from it, the mean is often as good on what the second learned as that is, and loses
less of what the first knew (Wortsman and others, "Model soups", 2022).

Needs the package onnx, which is not part of boardctl.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from boardctl.vision.training.small_weights import BYTE, HALF, widened


def write_mean(one: Path, other: Path, out: Path) -> None:
    """Writes the mean; each number with as many bits as in ``one``, those with eight with 32.

    :raises ValueError: when they have not the same layers.
    """
    written, second = (_without_bytes(onnx.load(str(each))) for each in (one, other))
    for mine, theirs in zip(_numbers(written), _numbers(second), strict=True):
        numbers, others = (numpy_helper.to_array(each).astype(np.float64) for each in (mine, theirs))
        if numbers.shape != others.shape:
            raise ValueError(
                f"{one} and {other}: {mine.name} is {numbers.shape} in one and {others.shape} in the other"
            )
        kind = numpy_helper.to_array(mine).dtype
        mine.CopyFrom(numpy_helper.from_array(((numbers + others) / 2).astype(kind), mine.name))
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
    given = parser.parse_args()
    write_mean(given.one, given.other, given.out)


if __name__ == "__main__":
    main()
