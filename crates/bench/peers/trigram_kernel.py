"""Times the trigram kernel in numpy: prefix sums over each pair of captions, the upper half of the
matrix only. What a caption has of its own (repeated words) is prepared beforehand and is not timed.
Prints one JSON object.
"""

import json
import sys
import time

import numpy as np


def before(words):
    """The place before each, counted from 1, that has the same word; less one, at least 0."""
    places = []
    for at, word in enumerate(words):
        same = [k for k in range(at) if words[k] == word]
        places.append(same[-1] if same else 0)
    return np.array(places, dtype=int)


def pair(matches, one, other):
    (a, low_a), (b, low_b) = one, other
    if not len(a) or not len(b):
        return 0.0
    c = matches[np.ix_(a, b)]
    prefix = np.zeros((len(a) + 1, len(b) + 1))
    prefix[1:, 1:] = c.cumsum(0).cumsum(1)
    upto = prefix[:-1, :-1]
    first_after = (
        upto
        - prefix[low_a][:, : len(b)]
        - prefix[: len(a)][:, low_b]
        + prefix[np.ix_(low_a, low_b)]
    )
    pairs = np.zeros_like(prefix)
    pairs[1:, 1:] = (c * first_after).cumsum(0).cumsum(1)
    return c.sum() + (c * upto).sum() + (c * pairs[:-1, :-1]).sum()


def main(folder):
    with open(f"{folder}/kernel.json", encoding="utf-8") as file:
        data = json.load(file)
    weights = np.array(data["weights"]) * 0.5
    matches = np.array(data["kappa"]) * weights[:, None] * weights[None, :]
    items = [
        [(np.array(words, dtype=int), before(words)) for words in item] for item in data["items"]
    ]
    start = time.perf_counter()
    kernel = np.zeros((len(items), len(items)))
    for row, here in enumerate(items):
        for column in range(row, len(items)):
            total = sum(pair(matches, one, other) for one in here for other in items[column])
            kernel[row, column] = kernel[column, row] = total
    own = np.sqrt(kernel.diagonal())
    kernel /= np.where(own > 0, own, 1)[:, None] * np.where(own > 0, own, 1)[None, :]
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "kernel": kernel.tolist()}))


main(sys.argv[1])
