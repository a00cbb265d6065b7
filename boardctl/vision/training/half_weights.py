"""Keeps the large weights of a network's ONNX file with 16 bits each, and widens them again.

That makes a file half as large. OpenCV widens them when it loads it; what a network tells hardly differs. Needs the
package onnx, which is not part of boardctl.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HALVED_FROM = 500
"""Weights of so many numbers and more are written with 16 bits each."""
HALF = "_half"
"""What the name of halved weights ends with."""


def halve_weights(path: Path) -> None:
    """Writes an ONNX file anew with its large weights at half precision; they are widened when it is loaded."""
    written = onnx.load(str(path))
    graph, casts = written.graph, []
    for weights in graph.initializer:
        numbers = numpy_helper.to_array(weights)
        if numbers.dtype == np.float32 and numbers.size >= HALVED_FROM:
            name = weights.name
            weights.CopyFrom(numpy_helper.from_array(numbers.astype(np.float16), name + HALF))
            casts.append(helper.make_node("Cast", [name + HALF], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.save(written, str(path))


def widened(written: onnx.ModelProto) -> onnx.ModelProto:
    """Gets a network with all weights at full precision, with or without some that are halved."""
    network = onnx.ModelProto()
    network.CopyFrom(written)
    graph = network.graph
    halved = {each.name: each for each in graph.initializer if each.name.endswith(HALF)}
    for node in [each for each in graph.node if each.op_type == "Cast" and each.input[0] in halved]:
        weights = halved[node.input[0]]
        numbers = numpy_helper.to_array(weights).astype(np.float32)
        weights.CopyFrom(numpy_helper.from_array(numbers, node.output[0]))
        graph.node.remove(node)
    return network
