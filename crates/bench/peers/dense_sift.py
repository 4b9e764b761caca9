"""Times OpenCV's SIFT at the points of the grid, on pictures that `rebus bench` wrote.

Descriptors alone are timed, on all cores; key points are made beforehand. Prints one JSON object.
"""

import json
import sys
import time

import cv2
import numpy as np

WIDTH, HEIGHT, GRID, BIN = 298, 224, 60, 4


def main(folder, count):
    pictures = np.fromfile(f"{folder}/pictures.u8", dtype="u1").reshape(count, HEIGHT, WIDTH, 3)
    ours = np.fromfile(f"{folder}/descriptors.f32", dtype="<f4").reshape(count, GRID * GRID, 128)
    along = lambda side: [(2 * at + 1) * side // (2 * GRID) for at in range(GRID)]
    keys = [
        cv2.KeyPoint(float(x), float(y), BIN / 1.5, 0)
        for y in along(HEIGHT)
        for x in along(WIDTH)
    ]
    sift = cv2.SIFT_create(sigma=BIN / 6)
    best = None
    for _ in range(3):
        start = time.perf_counter()
        found = [
            sift.compute(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), keys)[1] for picture in pictures
        ]
        seconds = time.perf_counter() - start
        best = seconds if best is None else min(best, seconds)
    theirs = np.stack(found).reshape(count, -1, 16, 8)[..., (8 - np.arange(8)) % 8]
    theirs = theirs.reshape(count, -1, 128)
    lengths = np.linalg.norm(theirs, axis=2) * np.linalg.norm(ours, axis=2)
    cosines = (theirs * ours).sum(2)[lengths > 0] / lengths[lengths > 0]
    print(json.dumps({"seconds": best, "cosine": float(np.median(cosines))}))


main(sys.argv[1], int(sys.argv[2]))
