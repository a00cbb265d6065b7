"""Keeps the large weights of a network's ONNX file with 16 bits each, or with eight, and widens them again.

    python -m boardctl.vision.training.small_weights FILE.onnx [--halved NAME ...]

writes FILE anew with a byte for each of its large weights, and with 16 bits for those that are named. That makes a file
half or a quarter as large. OpenCV widens them when it loads it; what a network tells hardly differs.
Needs the package onnx, which is not part of boardctl.
"""

import argparse
from collections.abc import Collection
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HALVED_FROM = 500
"""Weights of so many numbers and more are written with 16 bits each, or eight."""
HALF = "_half"
"""What the name of halved weights ends with."""
BYTE, STEP, STEPS = "_byte", "_step", "_steps"
"""What the names end with of weights as bytes, of the size of their steps, and of the same bytes widened."""
MOST_STEPS = 127


def halve_weights(path: Path) -> None:
    """Writes an ONNX file anew with its large weights at half precision; they are widened when it is loaded."""
    written = onnx.load(str(path))
    graph = written.graph
    casts = [_halved(weights) for weights in _large(graph)]
    _put_first(graph, casts)
    onnx.save(written, str(path))


def _large(graph: onnx.GraphProto) -> list[onnx.TensorProto]:
    """Gets the weights at full precision that are worth a smaller form."""
    return [
        each for each in graph.initializer if each.data_type == TensorProto.FLOAT and np.prod(each.dims) >= HALVED_FROM
    ]


def _halved(weights: onnx.TensorProto) -> onnx.NodeProto:
    """Keeps weights at half precision; gets what widens them."""
    name, numbers = weights.name, numpy_helper.to_array(weights)
    weights.CopyFrom(numpy_helper.from_array(numbers.astype(np.float16), name + HALF))
    return helper.make_node("Cast", [name + HALF], [name], to=TensorProto.FLOAT)


def _put_first(graph: onnx.GraphProto, nodes: list[onnx.NodeProto]) -> None:
    nodes = [*nodes, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def widened(written: onnx.ModelProto) -> onnx.ModelProto:
    """Gets a network with all weights at full precision, with or without some that are halved, or bytes."""
    network = onnx.ModelProto()
    network.CopyFrom(written)
    graph = network.graph
    _widen_bytes(graph)
    halved = {each.name: each for each in graph.initializer if each.name.endswith(HALF)}
    for node in [each for each in graph.node if each.op_type == "Cast" and each.input[0] in halved]:
        weights = halved[node.input[0]]
        numbers = numpy_helper.to_array(weights).astype(np.float32)
        weights.CopyFrom(numpy_helper.from_array(numbers, node.output[0]))
        graph.node.remove(node)
    return network


def weights_as_bytes(path: Path, halved: Collection[str] = ()) -> None:
    """Writes an ONNX file anew with a byte for each of its large weights, in steps of a size for each of a layer's
    outputs, of which it takes 127 to the largest; they are widened when it is loaded.

    ``halved``: weights that are kept with 16 bits each instead, by their names.

    :raises ValueError: when a name is that of no large weights of the file.
    """
    written = widened(onnx.load(str(path)))
    graph, nodes = written.graph, list[onnx.NodeProto]()
    large = _large(graph)
    unknown = set(halved) - {weights.name for weights in large}
    if unknown:
        raise ValueError(f"{path}: no large weights named {', '.join(sorted(unknown))}")
    for weights in large:
        if weights.name in halved:
            nodes.append(_halved(weights))
            continue
        name, numbers = weights.name, numpy_helper.to_array(weights)
        each = (-1, *(1,) * (numbers.ndim - 1))
        largest = np.abs(numbers).reshape(len(numbers), -1).max(axis=1)
        step = np.where(largest > 0, largest / MOST_STEPS, 1.0).reshape(each)
        weights.CopyFrom(numpy_helper.from_array(np.round(numbers / step).astype(np.int8), name + BYTE))
        graph.initializer.append(numpy_helper.from_array(step.astype(np.float32), name + STEP))
        nodes += [
            helper.make_node("Cast", [name + BYTE], [name + STEPS], to=TensorProto.FLOAT),
            helper.make_node("Mul", [name + STEPS, name + STEP], [name]),
        ]
    _put_first(graph, nodes)
    onnx.save(written, str(path))


def _widen_bytes(graph: onnx.GraphProto) -> None:
    numbers = {each.name: each for each in graph.initializer}
    made = {node.output[0]: node for node in graph.node}
    for name in [name.removesuffix(BYTE) for name in numbers if name.endswith(BYTE)]:
        weights, step = numbers[name + BYTE], numbers[name + STEP]
        widened_weights = numpy_helper.to_array(weights).astype(np.float32) * numpy_helper.to_array(step)
        weights.CopyFrom(numpy_helper.from_array(widened_weights, name))
        graph.initializer.remove(step)
        graph.node.remove(made[name + STEPS])
        graph.node.remove(made[name])


def main() -> None:
    """Writes what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--halved", nargs="*", default=[], help="weights that are kept with 16 bits, by their names")
    given = parser.parse_args()
    try:
        weights_as_bytes(given.file, given.halved)
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
