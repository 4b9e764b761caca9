"""Times equation 3 of the cross-media relevance model in numpy, on what `rebus bench` wrote.

Twice: picture by picture as the equation stands (in the logarithm), and all pictures at once as two
matrix products. Only the probabilities are timed, not the smoothed estimates. Prints one JSON object.
"""

import json
import sys
import time

import numpy as np


def main(folder, pictures, images, blobs, words):
    def read(name, rows, columns):
        return np.fromfile(f"{folder}/{name}.f32", dtype="<f4").reshape(rows, columns)

    has_blob = read("blobs", pictures, blobs).astype(float)
    has_word = read("words", pictures, words).astype(float)
    bags = read("images", images, blobs)
    ours = read("ours", images, words)
    alpha, beta = 0.1, 0.8

    def smoothed(counts, smoothing):
        own = counts / counts.sum(1, keepdims=True)
        return (1 - smoothing) * own + smoothing * counts.sum(0) / counts.sum()

    of_words = smoothed(has_word, alpha)
    with np.errstate(divide="ignore"):
        log_blobs = np.log(smoothed(has_blob, beta))
    log_blobs[:, has_blob.sum(0) == 0] = 0

    def picture_by_picture():
        found = np.empty((images, words))
        for image in range(images):
            seen = np.flatnonzero(bags[image])
            logs = log_blobs[:, seen] @ bags[image, seen]
            joint = np.exp(logs - logs.max()) @ of_words
            found[image] = joint / joint.sum()
        return found

    def all_at_once():
        logs = bags @ log_blobs.T
        joint = np.exp(logs - logs.max(1, keepdims=True)) @ of_words
        return joint / joint.sum(1, keepdims=True)

    answer = {}
    for name, work in (("pictures", picture_by_picture), ("matrices", all_at_once)):
        times = []
        for _ in range(3):
            start = time.perf_counter()
            found = work()
            times.append(time.perf_counter() - start)
        answer[name] = {"seconds": min(times), "difference": float(np.abs(found - ours).max())}
    print(json.dumps(answer))


main(sys.argv[1], *(int(number) for number in sys.argv[2:6]))
