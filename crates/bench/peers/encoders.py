"""Times ONNX Runtime, with Pillow before it, on the photos that `rebus bench` names.

`network`: the pixels are given, brought to size by rebus, and made floats beforehand. `pipeline`:
everything is timed, from the file on.
Writes the vectors as little-endian floats, and prints one JSON object.
"""

import json
import sys
import time

import numpy as np
import onnxruntime
from PIL import Image, ImageOps

folder, network, part, threads = sys.argv[1:5]
BATCH = 8
SIDE = 224
MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], dtype=np.float32)

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(threads)
session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
output = session.get_outputs()[0].name


def floats(pixels):
    return ((np.asarray(pixels, dtype=np.float32) / 255 - MEAN) / DEVIATION).transpose(2, 0, 1)


def prepared(path):
    picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    return floats(picture.resize((SIDE, SIDE), Image.Resampling.BICUBIC))


def encode(arrays):
    vectors = []
    for first in range(0, len(arrays), BATCH):
        batch = np.stack([array() for array in arrays[first : first + BATCH]])
        vectors.append(session.run([output], {name: batch})[0])
    return np.concatenate(vectors)


with open(f"{folder}/photos.txt") as lines:
    paths = lines.read().split("\n")
if part == "network":
    pixels = np.fromfile(f"{folder}/pictures.u8", dtype="u1").reshape(-1, SIDE, SIDE, 3)
    arrays = [lambda value=floats(picture): value for picture in pixels]
else:
    arrays = [lambda path=path: prepared(path) for path in paths]
seconds = []
for _ in range(3):
    start = time.perf_counter()
    vectors = encode(arrays)
    seconds.append(time.perf_counter() - start)
vectors.astype("<f4").tofile(f"{folder}/vectors.f32")
print(json.dumps({"seconds": min(seconds)}))
