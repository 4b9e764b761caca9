"""Times ONNX Runtime, with Pillow before it, on the photos that `rebus bench` names.

`network`: the pictures are decoded and resized beforehand. `pipeline`: everything is timed.
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
MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], dtype=np.float32)

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(threads)
session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
output = session.get_outputs()[0].name


def prepared(path):
    picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    picture = picture.resize((224, 224), Image.Resampling.BICUBIC)
    values = (np.asarray(picture, dtype=np.float32) / 255 - MEAN) / DEVIATION
    return values.transpose(2, 0, 1)


def encode(arrays):
    vectors = []
    for first in range(0, len(arrays), BATCH):
        batch = np.stack([array() for array in arrays[first : first + BATCH]])
        vectors.append(session.run([output], {name: batch})[0])
    return np.concatenate(vectors)


with open(f"{folder}/photos.txt") as lines:
    paths = lines.read().split("\n")
if part == "network":
    ready = [prepared(path) for path in paths]
    arrays = [lambda value=value: value for value in ready]
else:
    arrays = [lambda path=path: prepared(path) for path in paths]
seconds = []
for _ in range(2):
    start = time.perf_counter()
    vectors = encode(arrays)
    seconds.append(time.perf_counter() - start)
vectors.astype("<f4").tofile(f"{folder}/vectors.f32")
print(json.dumps({"seconds": min(seconds)}))
