"""Times scikit-image's segmentations on pictures that `rebus bench` wrote.

The graph-based method is its felzenszwalb; normalised cuts are cut_normalized over its SLIC
superpixels. Both run on one core. Prints one JSON object.
"""

import json
import sys
import time

import numpy as np
from skimage import graph, segmentation

WIDTH, HEIGHT = 192, 128


def graph_based(picture):
    return segmentation.felzenszwalb(picture, scale=150, sigma=0.8, min_size=123)


def normalised_cuts(picture):
    superpixels = segmentation.slic(picture, n_segments=200, compactness=12, start_label=0)
    ties = graph.rag_mean_color(picture, superpixels, mode="similarity")
    return graph.cut_normalized(superpixels, ties)


def rand(one, two):
    """The share of pairs of pixels on which two segmentations agree."""
    one = np.unique(one, return_inverse=True)[1].ravel()
    two = np.unique(two, return_inverse=True)[1].ravel()
    table = np.zeros((one.max() + 1, two.max() + 1))
    np.add.at(table, (one, two), 1)
    pairs = lambda counts: (counts * (counts - 1) / 2).sum()
    whole = pairs(np.array([one.size]))
    both, rows, columns = pairs(table), pairs(table.sum(1)), pairs(table.sum(0))
    return (whole + 2 * both - rows - columns) / whole


def main(folder, count, method):
    pictures = np.fromfile(f"{folder}/pictures.u8", dtype="u1").reshape(count, HEIGHT, WIDTH, 3)
    ours = np.fromfile(f"{folder}/labels.u8", dtype="u1").reshape(count, -1)
    divide = graph_based if method == "graph-based" else normalised_cuts
    start = time.perf_counter()
    found = [divide(picture) for picture in pictures]
    seconds = time.perf_counter() - start
    agreement = [rand(theirs.ravel(), own) for theirs, own in zip(found, ours)]
    print(json.dumps({"seconds": seconds, "rand": float(np.mean(agreement))}))


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
