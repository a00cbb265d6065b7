"""Writes networks of dice as OpenCV reads them fastest: of pairs of columns, with weights at half precision.

A network learns from whole pictures (N x C x H x W). What it is shown when it reads are the even columns and the odd
ones as channels beside each other (N x 2C x H x W/2); of these it says the same to the last bit. Weights of half
precision make its file half as large, and what it tells hardly differs.
"""

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

HALVED_FROM = 500
"""Weights of so many numbers and more are written with 16 bits each."""


def write_network(model: nn.Module, example_input: torch.Tensor, out: Path, names: tuple[str, str]) -> None:
    """Writes a network as ONNX, with the names of its input and its output."""
    torch.onnx.export(
        model.eval(), (example_input,), str(out), input_names=names[:1], output_names=names[1:], dynamo=False
    )
    pair_columns(out)
    halve_weights(out)


def whole_columns(paired: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gets pictures (N x C x H x W) of those whose columns are paired (N x 2C x H x W/2)."""
    count, channels, height, width = paired.shape
    columns = paired.reshape(count, 2, channels // 2, height, width).transpose(0, 2, 3, 4, 1)
    return np.ascontiguousarray(columns).reshape(count, channels // 2, height, 2 * width)


def pair_columns(path: Path) -> None:
    """Writes an ONNX file anew so that its network is shown paired columns: what its first convolution, which steps
    over every second column, says of two columns it then says of two channels."""
    written = onnx.load(str(path))
    graph = written.graph
    first = next(node for node in graph.node if node.op_type == "Conv")
    weights = next(each for each in graph.initializer if each.name == first.input[1])
    kernels = numpy_helper.to_array(weights)
    _, channels, down, across = kernels.shape
    before, after = (across // 2 + 1) // 2, across // 2 // 2
    paired = np.zeros((len(kernels), 2, channels, down, before + 1 + after), np.float32)
    for column in range(across):
        pair, odd = divmod(column - across // 2, 2)
        paired[:, odd, :, :, before + pair] = kernels[:, :, :, column]
    kernels = paired.reshape(len(kernels), 2 * channels, down, -1)
    weights.CopyFrom(numpy_helper.from_array(kernels, weights.name))
    layout = {"kernel_shape": kernels.shape[2:], "pads": [down // 2, before, down // 2, after], "strides": [2, 1]}
    for attribute in first.attribute:
        if attribute.name in layout:
            attribute.CopyFrom(helper.make_attribute(attribute.name, layout[attribute.name]))
    sizes = graph.input[0].type.tensor_type.shape.dim
    sizes[1].dim_value = 2 * channels
    if sizes[3].dim_value:
        sizes[3].dim_value //= 2
    onnx.save(written, str(path))


def halve_weights(path: Path) -> None:
    """Writes an ONNX file anew with its large weights at half precision; they are widened when it is loaded."""
    written = onnx.load(str(path))
    graph, casts = written.graph, []
    for weights in graph.initializer:
        numbers = numpy_helper.to_array(weights)
        if numbers.dtype == np.float32 and numbers.size >= HALVED_FROM:
            name = weights.name
            weights.CopyFrom(numpy_helper.from_array(numbers.astype(np.float16), f"{name}_half"))
            casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.save(written, str(path))
