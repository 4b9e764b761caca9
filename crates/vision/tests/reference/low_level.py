"""Makes low_level.json: OpenCV's SIFT descriptors and scikit-learn's k-means inertia.

Optional; needs opencv-python-headless, scikit-learn and numpy. Picture and points are drawn by
formulas that the tests repeat, so nothing but the answers is kept.
"""

import json
import sys

import cv2
import numpy as np
from sklearn.cluster import KMeans

SIDE = 224
BIN = 4  # pixels a side of a bin


def picture():
    """Discs and stripes; integers only, so that every language draws the same."""
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.int64)
    value = 90 + 60 * ((x + 2 * y) // 37 % 2)
    value = np.where((x - 70) ** 2 + (y - 90) ** 2 < 40**2, 200 - x // 3, value)
    value = np.where((x - 150) ** 2 + 3 * (y - 150) ** 2 < 45**2, 20 + y // 2, value)
    return value.astype(np.uint8)


def descriptors(points):
    # OpenCV's bins are 1.5 times the size of the key point; its picture is blurred to sigma.
    sift = cv2.SIFT_create(sigma=BIN / 6)
    keys = [cv2.KeyPoint(float(x), float(y), BIN / 1.5, 0) for x, y in points]
    _, found = sift.compute(picture(), keys)
    # Its directions go against the clock, ours with it.
    turned = found.reshape(-1, 16, 8)[:, :, (8 - np.arange(8)) % 8]
    return turned.reshape(-1, 128).astype(int).tolist()


def points(count, width):
    state, values = 1, []
    for _ in range(count * width):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append((state >> 16) % 1000)
    # Drawn towards one of seven places, so that there is something to find.
    values = np.array(values).reshape(count, width)
    return values + (np.arange(count) % 7 * 700)[:, None] * (np.arange(width) % 2)


def main():
    at = [(x, y) for y in range(16, SIDE, 29) for x in range(16, SIDE, 29)]
    data = points(3000, 6).astype(float)
    inertia = [KMeans(20, n_init=1, random_state=seed).fit(data).inertia_ for seed in range(10)]
    json.dump(
        {
            "sift": {"points": at, "descriptors": descriptors(at)},
            "kmeans": {"k": 20, "count": 3000, "width": 6, "mean": float(np.mean(inertia)), "best": min(inertia)},
            "versions": {"opencv": cv2.__version__, "scikit-learn": __import__("sklearn").__version__},
        },
        sys.stdout,
    )


main()
