"""Makes efficientnet.json: what EfficientNet-Lite networks make of a drawn picture.

Optional; needs numpy. The networks are computed here step by step in double precision, batch
normalisation by itself, from the definition (R. Liu, EfficientNet-Lite, 2020, and the layer table of
Tan and Le 2019): no ONNX file, no framework, nothing of ours.

- `drawn`: a small network whose weights are drawn by a formula that the test repeats;
- `lite0` to `lite2`: the networks that `rebus model pull` knows, from the PyTorch files in their
  packages, which are named as arguments in this order. A file is a row of pickles; only names that a
  table of tensors needs are allowed in them.

    python efficientnet.py lite0.pth lite1.pth lite2.pth > efficientnet.json

Where PyTorch is at hand, `--check PACKAGE_FOLDER` compares each with the package's own network first.
"""

import json
import math
import pickle
import sys
from collections import OrderedDict

import numpy as np

KERNELS = [3, 3, 5, 3, 5, 5, 3]
STRIDES = [1, 2, 2, 2, 1, 2, 1]
BLOCKS = [1, 2, 2, 3, 3, 4, 1]
# Side of the picture, depth.
LITE = {"lite0": (224, 1.0), "lite1": (240, 1.1), "lite2": (260, 1.2)}
# The drawn network: sides that are odd and even on the way, and few channels.
SIDE, DEPTH, EXPANSION = 70, 1.1, 2
STEM, OUT, HEAD, CLASSES = 4, [3, 6, 6, 8, 8, 6, 10], 12, 7


def blocks(depth):
    """The kernel and stride of each block, and the stage it is in."""
    for stage, (kernel, stride, count) in enumerate(zip(KERNELS, STRIDES, BLOCKS)):
        fixed = stage in (0, len(BLOCKS) - 1)
        for repeat in range(count if fixed else math.ceil(count * depth)):
            yield stage, kernel, stride if repeat == 0 else 1


def drawn():
    """Weights by a formula, in the order in which the network uses them."""
    state = 2013

    def draw(shape, low, high):
        nonlocal state
        values = []
        for _ in range(int(np.prod(shape))):
            state = (state * 1664525 + 1013904223) % 2**32
            values.append(low + (high - low) * ((state >> 16) % 1000) / 1000)
        return np.array(values).reshape(shape)

    weights = {}

    def convolution(name, norm, shape):
        reach = 1.5 / math.sqrt(shape[1] * shape[2] * shape[3])
        weights[f"{name}.weight"] = draw(shape, -reach, reach)
        for part, low, high in [
            ("weight", 0.5, 1.5),
            ("bias", -0.5, 1.5),
            ("running_mean", -0.5, 0.5),
            ("running_var", 0.1, 1.1),
        ]:
            weights[f"{norm}.{part}"] = draw([shape[0]], low, high)

    convolution("_conv_stem", "_bn0", [STEM, 3, 3, 3])
    width = STEM
    for at, (stage, kernel, _) in enumerate(blocks(DEPTH)):
        name = f"_blocks.{at}."
        inner = width
        if stage > 0:
            inner = width * EXPANSION
            convolution(name + "_expand_conv", name + "_bn0", [inner, width, 1, 1])
        convolution(name + "_depthwise_conv", name + "_bn1", [inner, 1, kernel, kernel])
        convolution(name + "_project_conv", name + "_bn2", [OUT[stage], inner, 1, 1])
        width = OUT[stage]
    convolution("_conv_head", "_bn1", [HEAD, width, 1, 1])
    weights["_fc.weight"] = draw([CLASSES, HEAD], -1, 1)
    weights["_fc.bias"] = draw([CLASSES], -1, 1)
    return weights


def picture(side):
    """Stripes and discs in colour; integers only, so that every language draws the same."""
    y, x = np.mgrid[0:side, 0:side].astype(np.int64)
    red = (x * 3 + y) % 256
    green = np.where((x - side // 3) ** 2 + (y - side // 2) ** 2 < (side // 4) ** 2, 220, y % 128)
    blue = 40 + 160 * ((x + 2 * y) // 23 % 2)
    return np.stack([red, green, blue])


def same(x, kernel, stride):
    """TensorFlow's padding: as little as gives ceil(side / stride), the odd one behind."""
    side = x.shape[1]
    total = max((math.ceil(side / stride) - 1) * stride + kernel - side, 0)
    ends = (total // 2, total - total // 2)
    return np.pad(x, [(0, 0), ends, ends])


def convolve(x, weight, stride):
    out, within, kernel, _ = weight.shape
    x = same(x, kernel, stride)
    side = (x.shape[1] - kernel) // stride + 1
    result = np.zeros((out, side, side))
    for dy in range(kernel):
        for dx in range(kernel):
            part = x[:, dy : dy + side * stride : stride, dx : dx + side * stride : stride]
            part = part[:, :side, :side]
            if within == 1 and x.shape[0] == out:
                result += weight[:, 0, dy, dx, None, None] * part
            else:
                result += np.tensordot(weight[:, :, dy, dx], part, axes=1)
    return result


def network(weights, side, depth):
    def layer(x, name, norm, stride=1):
        x = convolve(x, weights[f"{name}.weight"], stride)
        gamma, beta, mean, variance = (
            weights[f"{norm}.{part}"][:, None, None]
            for part in ("weight", "bias", "running_mean", "running_var")
        )
        return gamma * (x - mean) / np.sqrt(variance + 1e-3) + beta

    relu6 = lambda x: np.clip(x, 0, 6)
    x = (picture(side) - 127) / 128
    x = relu6(layer(x, "_conv_stem", "_bn0", 2))
    for at, (_, _, stride) in enumerate(blocks(depth)):
        name = f"_blocks.{at}."
        before = x
        if f"{name}_expand_conv.weight" in weights:
            x = relu6(layer(x, name + "_expand_conv", name + "_bn0"))
        x = relu6(layer(x, name + "_depthwise_conv", name + "_bn1", stride))
        x = layer(x, name + "_project_conv", name + "_bn2")
        if stride == 1 and x.shape == before.shape:
            x = x + before
    grid = relu6(layer(x, "_conv_head", "_bn1"))
    vector = grid.mean((1, 2))
    return vector, grid, weights["_fc.weight"] @ vector + weights["_fc.bias"]


class Tensors(pickle.Unpickler):
    """Of a PyTorch file in its older form, only the table of tensors."""

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, offset, shape, stride, *rest: (storage, offset, shape, stride)
        if module == "torch" and name in ("FloatStorage", "LongStorage"):
            return name
        raise pickle.UnpicklingError(f"{module}.{name} has no place here")

    def persistent_load(self, id):
        return id[1], id[2]


def tensors(path):
    with open(path, "rb") as file:
        for _ in range(3):
            pickle.load(file)
        table = Tensors(file).load()
        keys = pickle.load(file)
        kinds = {key: kind for (kind, key), *_ in table.values()}
        storages = {}
        for key in keys:
            count = int.from_bytes(file.read(8), "little")
            kind = "<f4" if kinds[key] == "FloatStorage" else "<i8"
            storages[key] = np.frombuffer(file.read(count * int(kind[2])), kind)
    weights = {}
    for name, ((kind, key), offset, shape, stride) in table.items():
        if kind == "FloatStorage":
            part = storages[key][offset:]
            bytes_apart = [4 * step for step in stride]
            weights[name] = np.lib.stride_tricks.as_strided(part, shape, bytes_apart).astype(float)
    return weights


def check(name, path, side, package, vector, classes):
    """Compares with the network of the package, run by PyTorch."""
    sys.path.insert(0, package)
    import torch
    from efficientnet_lite_pytorch import EfficientNet

    theirs = EfficientNet.from_name(f"efficientnet-{name}")
    theirs.load_state_dict(torch.load(path))
    theirs.eval()
    with torch.no_grad():
        x = torch.tensor(((picture(side) - 127) / 128)[None], dtype=torch.float32)
        pooled = theirs.extract_features(x).mean((2, 3))[0].numpy()
        logits = theirs(x)[0].numpy()
    apart = max(np.abs(pooled - vector).max(), np.abs(logits - classes).max())
    print(f"{name}: PyTorch's numbers lie within {apart:.1e}", file=sys.stderr)


def rounded(values):
    return [round(float(value), 6) for value in values]


def main():
    paths, package = sys.argv[1:], None
    if "--check" in paths:
        at = paths.index("--check")
        package = paths[at + 1]
        del paths[at : at + 2]
    vector, grid, classes = network(drawn(), SIDE, DEPTH)
    answers = {
        "drawn": {
            "vector": rounded(vector),
            "patch": rounded(grid[:, 1, 2]),
            "classes": rounded(classes),
        }
    }
    for (name, (side, depth)), path in zip(LITE.items(), paths):
        vector, grid, classes = network(tensors(path), side, depth)
        if package:
            check(name, path, side, package, vector, classes)
        answers[name] = {
            "vector": rounded(vector[::40]),
            "patch": rounded(grid[::40, 1, 2]),
            "classes": rounded(classes[::25]),
        }
    lines = [f'"{name}": {json.dumps(answer)}' for name, answer in answers.items()]
    print("{\n" + ",\n".join(lines) + "\n}")


main()
