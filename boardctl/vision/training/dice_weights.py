"""Writes networks of dice as OpenCV reads them fastest: of pairs of columns, with weights at half precision; and takes
up what any network has learned from the file that was written of it.

A network learns from whole pictures (N x C x H x W). What it is shown when it reads are the even columns and the odd
ones as channels beside each other (N x 2C x H x W/2); of these it says the same to the last bit. Weights of half
precision make its file half as large, and what it tells hardly differs. From such a file a network can learn on.
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from boardctl.vision.training.small_weights import halve_weights, widened

MEAN_STEPS = 400


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


def take_from_file(model: nn.Module, path: Path, shown: NDArray[np.float32]) -> None:
    """Gives a network what a written one says.

    A first layer that is shown more channels than were written makes nothing of these, the last ones, a last layer with
    more outputs says nothing with these; extra parts (:func:`as_extra`), if they
    were not written, stay as they are. What its normalisations expect is measured on pictures (``shown``, N x C x H x
    W) such as it is going to learn from.
    """
    graph = widened(onnx.load(str(path))).graph
    numbers = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    written = [node.input for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers = _layers(model)
    if len(written) < len(_weighted(layers)):
        layers = _layers(model, with_extra=False)
    biases: dict[nn.Module, torch.Tensor] = {}
    with torch.no_grad():
        for position, (layer, names) in enumerate(zip(_weighted(layers), written, strict=True)):
            weight, bias = (torch.from_numpy(numbers[name].astype(np.float32)) for name in names[1:])
            if position == 0 and weight.shape[2:] != layer.weight.shape[2:]:
                weight = torch.from_numpy(_unpaired(weight.numpy(), layer.weight.shape[-1]))
            if isinstance(layer, nn.Linear):
                layer.weight.zero_()[: len(weight)] = weight
                layer.bias.zero_()[: len(bias)] = bias
            else:
                layer.weight.zero_()[:, : weight.shape[1]] = weight
                if layer.bias is not None:
                    layer.bias.copy_(bias)
                biases[layer] = bias
        _normalise(model, layers, biases, torch.from_numpy(shown))


def take_up(model: nn.Module, start: Path, shown: Callable[[], NDArray[np.float32]]) -> None:
    """Gives a network what another has learned: one of its kind (``.pt``), or one that was written (``.onnx``), for
    which ``shown`` gets pictures as :func:`take_from_file` wants them."""
    if start.suffix == ".onnx":
        take_from_file(model, start, shown())
    else:
        model.load_state_dict(torch.load(start, map_location="cpu"))


def running_mean(model: nn.Module) -> AveragedModel:
    """Gets what keeps the mean of a network's weights over some ``MEAN_STEPS`` last steps, each told by
    ``update_parameters``: less noisy than they are."""
    return AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(1 - 1 / MEAN_STEPS), use_buffers=True)


def as_extra(part: nn.Module) -> nn.Module:
    """Gets a part of a network marked as one by which it grows: one that changes nothing until it learns."""
    part.is_extra = True
    return part


def _layers(module: nn.Module, with_extra: bool = True) -> list[nn.Module]:
    """Gets the layers of a network in the order in which they act, with or without those of extra parts."""
    if not with_extra and getattr(module, "is_extra", False):
        return []
    return [layer for part in module.children() for layer in _layers(part, with_extra)] or [module]


def _weighted(layers: list[nn.Module]) -> list[nn.Module]:
    return [layer for layer in layers if isinstance(layer, nn.Conv2d | nn.Linear)]


def _normalise(
    model: nn.Module, layers: list[nn.Module], biases: dict[nn.Module, torch.Tensor], shown: torch.Tensor
) -> None:
    """Sets the normalisation after each convolution so that it adds the bias and changes nothing else, but expects what
    it is shown, as one does that has learned."""
    hooks = [
        normalising.register_forward_pre_hook(partial(_expect, biases[convolution]))
        for convolution, normalising in pairwise(layers)
        if isinstance(normalising, nn.BatchNorm2d)
    ]
    model.eval()(shown)
    for hook in hooks:
        hook.remove()


def _expect(bias: torch.Tensor, layer: nn.BatchNorm2d, inputs: tuple[torch.Tensor]) -> None:
    mean, spread = inputs[0].mean(dim=(0, 2, 3)), inputs[0].var(dim=(0, 2, 3), unbiased=False)
    layer.running_mean.copy_(mean)
    layer.running_var.copy_(spread)
    layer.weight.copy_((spread + layer.eps).sqrt())
    layer.bias.copy_(mean + bias)


def _unpaired(kernels: NDArray[np.float32], across: int) -> NDArray[np.float32]:
    """Gets the kernels (out x C x H x ``across``) of those that see paired columns (out x 2C x H x pairs)."""
    out, channels, down, pairs = kernels.shape
    before = (across // 2 + 1) // 2
    paired = kernels.reshape(out, 2, channels // 2, down, pairs)
    columns = [divmod(column - across // 2, 2) for column in range(across)]
    return np.ascontiguousarray(np.stack([paired[:, odd, :, :, before + pair] for pair, odd in columns], axis=-1))


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
