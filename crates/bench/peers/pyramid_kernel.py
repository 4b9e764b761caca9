"""Times scikit-learn and numpy on a corner of the pyramid kernel that `rebus bench` wrote.

Only the kernel is timed. Prints one JSON object.
"""

import json
import sys
import time

import numpy as np
from sklearn.metrics.pairwise import manhattan_distances


def main(folder, height, width):
    rows = np.fromfile(f"{folder}/rows.f32", dtype="<f4").reshape(width, -1)
    ours = np.fromfile(f"{folder}/gram.f32", dtype="<f4").reshape(height, width)
    weights = np.repeat([1 / 4] + [1 / 4] * 4 + [1 / 2] * 16, 640) / 3
    weighted = np.ascontiguousarray(rows * weights.astype("f4"))

    def sklearn():
        sums = weighted.sum(1)
        apart = manhattan_distances(weighted[:height], weighted)
        return ((sums[:height, None] + sums[None, :] - apart) / 2) ** 2

    def numpy():
        gram = np.empty((height, width), dtype="f4")
        for row in range(height):
            gram[row] = np.minimum(weighted[row], weighted).sum(1) ** 2
        return gram

    answer = {}
    for name, work in (("sklearn", sklearn), ("numpy", numpy)):
        start = time.perf_counter()
        gram = work()
        seconds = time.perf_counter() - start
        answer[name] = {"seconds": seconds, "difference": float(np.abs(gram - ours).max())}
    print(json.dumps(answer))


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
