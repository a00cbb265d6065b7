"""Writes a network that reads points from strips in the two parts in which it is used, or as one again.

    python -m boardctl.vision.training.column_parts [--beside] WRITTEN.onnx OUT_DIR
    python -m boardctl.vision.training.column_parts [--beside] --whole PARTS_DIR OUT.onnx

The other way round they become one again, from which a network can learn on. With ``--beside`` it is the one that
reads photographs from beside the board.

A network that learns is shown ten channels (``column_training``): three of the strip, three of its change from the
empty board, likeness to both seats, leaning right and down. Half of what its first layer makes of them is decided by
the empty board and the leaning, and stays the same from picture to picture. As a convolution is a sum over channels,
that is reckoned once, by a network of one layer (``columns_empty.onnx``); ``columns.onnx`` is shown strips,
likenesses, and what that one made. Together they say the same, but for rounding: large weights are kept with 16 bits.

Needs the package onnx, which is not part of boardctl.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from boardctl.vision.points.columns import FROM_ABOVE, FROM_BESIDE, STRIP_WIDTH, StripNetwork
from boardctl.vision.points.strip_reading import EMPTY_INPUT
from boardctl.vision.training.small_weights import halve_weights, widened

CHANGE_COUNTS, LIKENESS_COUNTS = 2.0, 0.25
"""So large a network that learns is shown changes and likenesses; one in use is shown them as they are."""


def write_parts(written: Path, out: Path, files: StripNetwork = FROM_ABOVE) -> None:
    """Writes both parts of a network into a folder: strips (N x 5 x L x 32) and what is made of the empty board (N x 16
    x L/2 x 16) -> the same as before; the empty board and the leaning (N x 5 x L x 32) -> what is made of it."""
    network = widened(onnx.load(str(written)))
    graph, first = network.graph, network.graph.node[0]
    weights, bias = (next(each for each in graph.initializer if each.name == name) for name in first.input[1:])
    shown, change, like, leaning = np.split(numpy_helper.to_array(weights), (3, 6, 8), axis=1)
    moving = np.concatenate([shown + CHANGE_COUNTS * change, LIKENESS_COUNTS * like], axis=1)
    still = np.concatenate([-CHANGE_COUNTS * change, leaning], axis=1)
    strips, maps = (
        [name, *sizes]
        for name, sizes in (
            ("strips", ["count", moving.shape[1], "length", STRIP_WIDTH]),
            (EMPTY_INPUT, ["count", len(moving), "half", STRIP_WIDTH // 2]),
        )
    )
    layer = helper.make_node("Conv", ["strips", weights.name, bias.name], [EMPTY_INPUT])
    layer.attribute.extend(first.attribute)
    of_empty = helper.make_graph(
        [layer],
        EMPTY_INPUT,
        [_tensor(*strips)],
        [_tensor(*maps)],
        [numpy_helper.from_array(still.astype(np.float32), weights.name), bias],
    )
    alone = helper.make_model(of_empty, opset_imports=network.opset_import, ir_version=network.ir_version)
    onnx.save(alone, str(out / files.empty_file))
    weights.CopyFrom(numpy_helper.from_array(moving.astype(np.float32), weights.name))
    graph.node.insert(1, helper.make_node("Add", ["of_strips", EMPTY_INPUT], list(first.output)))
    del first.input[2], first.output[:], graph.input[:]
    first.output.append("of_strips")
    graph.initializer.remove(bias)
    graph.input.extend([_tensor(*strips), _tensor(*maps)])
    onnx.save(network, str(out / files.file))
    halve_weights(out / files.file)


def write_whole(parts: Path, out: Path, files: StripNetwork = FROM_ABOVE) -> None:
    """Writes the network of which both parts are in a folder: the inverse of :func:`write_parts`, but for rounding."""
    network = widened(onnx.load(str(parts / files.file)))
    graph, first = network.graph, network.graph.node[0]
    alone = onnx.load(str(parts / files.empty_file)).graph
    weights = next(each for each in graph.initializer if each.name == first.input[1])
    bias = next(each for each in alone.initializer if each.name == alone.node[0].input[2])
    still = numpy_helper.to_array(next(each for each in alone.initializer if each.name == alone.node[0].input[1]))
    moving = numpy_helper.to_array(weights)
    change, leaning = -still[:, :3] / CHANGE_COUNTS, still[:, 3:]
    shown, like = moving[:, :3] - CHANGE_COUNTS * change, moving[:, 3:] / LIKENESS_COUNTS
    whole = np.concatenate([shown, change, like, leaning], axis=1)
    weights.CopyFrom(numpy_helper.from_array(whole.astype(np.float32), weights.name))
    graph.initializer.append(bias)
    joined = next(node for node in graph.node if EMPTY_INPUT in node.input)
    first.input.append(bias.name)
    first.output[:] = joined.output
    graph.node.remove(joined)
    del graph.input[:]
    graph.input.append(_tensor("strips", "count", whole.shape[1], "length", STRIP_WIDTH))
    onnx.save(network, str(out))


def _tensor(name: str, *sizes: str | int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)


def main() -> None:
    """Writes what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whole", action="store_true", help="of two parts, the network that they are")
    parser.add_argument("--beside", action="store_true", help="of the network for photographs from beside")
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    files = FROM_BESIDE if given.beside else FROM_ABOVE
    (write_whole if given.whole else write_parts)(given.source, given.out, files)


if __name__ == "__main__":
    main()
