"""Pillow's resize of a small picture, with every filter: prints tests/reference/resize.json.

The picture is drawn by the formula in `pixel`, which tests/resize.rs repeats.
"""
import json

from PIL import Image, __version__


def pixel(x, y):
    return ((x * 37 + y * 11) % 256, (x * x + 3 * y) % 256, 255 if (x // 3 + y // 2) % 2 else 0)


w, h = 23, 17
picture = Image.new("RGB", (w, h))
picture.putdata([pixel(x, y) for y in range(h) for x in range(w)])
filters = {
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}
cases = [
    {"filter": name, "width": a, "height": b, "bytes": list(picture.resize((a, b), f).tobytes())}
    for name, f in filters.items()
    for a, b in [(7, 5), (23, 4), (6, 17), (31, 29)]
]
print(json.dumps({"pillow": __version__, "from": [w, h], "cases": cases}, separators=(",", ":")))
