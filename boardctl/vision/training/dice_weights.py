"""Writes networks for OpenCV with their weights at half precision: half as large, and what they tell hardly differs."""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

HALVED_FROM = 500
"""Weights of so many numbers and more are written with 16 bits each."""


def write_network(model: nn.Module, example_input: torch.Tensor, out: Path, names: tuple[str, str]) -> None:
    """Writes a network as ONNX, with the names of its input and its output."""
    torch.onnx.export(
        model.eval(), (example_input,), str(out), input_names=names[:1], output_names=names[1:], dynamo=False
    )
    halve_weights(out)


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
