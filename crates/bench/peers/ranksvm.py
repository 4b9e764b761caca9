"""Times two ways to make RankSVM updates in Python on the triples that `rebus bench` sampled.

`numpy` is the straightforward loop: the same Pegasos steps as ours, one dot product and one update
for the words in which the two captions differ. Its responses are returned for comparison.
`scikit-learn` is SGDClassifier with the hinge loss on the explicit differences of outer products,
in mini-batches of sparse rows: it updates after every row. Building the rows is not timed. It has
no projection step and another schedule of steps, so only its speed is compared.
Prints one JSON object.
"""

import json
import sys
import time

import numpy as np
from scipy import sparse
from sklearn.linear_model import SGDClassifier

BATCH = 256


def differences(folder):
    """The words and weights in which the relevant caption differs from the irrelevant one."""
    words = np.fromfile(f"{folder}/words.i32", dtype="<i4")
    weights = np.fromfile(f"{folder}/weights.f32", dtype="<f4")
    ends = np.fromfile(f"{folder}/ends.i32", dtype="<i4")
    starts = np.concatenate([[0], ends[:-1]])
    return [(words[a:b], weights[a:b]) for a, b in zip(starts, ends)]


def pegasos(features, pictures, captions, words, lam):
    weights = np.zeros((words, features.shape[1]), np.float32)
    radius = 1 / np.sqrt(lam)
    scale, squares = 1.0, 0.0
    lengths = (features.astype(float) ** 2).sum(1)
    start = time.perf_counter()
    for t, (picture, (rows, d)) in enumerate(zip(pictures, captions), 1):
        x = features[picture]
        product = float(d @ (weights[rows] @ x))
        margin = scale * product
        if t > 1:
            scale *= 1 - 1 / t
        if margin < 1:
            step = 1 / (lam * t * scale)
            weights[rows] += (step * d)[:, None] * x
            squares += 2 * step * product + step * step * lengths[picture] * float(d @ d)
        norm = scale * np.sqrt(max(squares, 0))
        if norm > radius:
            scale *= radius / norm
        # The first steps shrink it to nothing; folded in before floats run out.
        if scale < 1e-6:
            weights *= np.float32(scale)
            squares *= scale * scale
            scale = 1.0
    return time.perf_counter() - start, weights * np.float32(scale)


def sgd(features, pictures, captions, words, lam):
    columns = features.shape[1]
    model = SGDClassifier(loss="hinge", alpha=lam, fit_intercept=False, random_state=0)
    seconds = 0.0
    for begin in range(0, len(pictures), BATCH):
        batch = range(begin, min(begin + BATCH, len(pictures)))
        rows = []
        for at in batch:
            ids, d = captions[at]
            where = (ids[:, None] * columns + np.arange(columns)[None, :]).ravel()
            values = (d[:, None] * features[pictures[at]][None, :]).ravel().astype(float)
            row = sparse.csr_matrix((values, where, [0, len(where)]), (1, words * columns))
            # Half of the examples are turned around, so that both classes are there.
            rows.append(row if at % 2 else -row)
        x = sparse.vstack(rows, format="csr")
        y = np.where(np.array(batch) % 2, 1, -1)
        start = time.perf_counter()
        model.partial_fit(x, y, classes=[-1, 1])
        seconds += time.perf_counter() - start
    return seconds


def main(folder, columns, words, lam, shown):
    features = np.fromfile(f"{folder}/features.f32", dtype="<f4").reshape(-1, columns)
    pictures = np.fromfile(f"{folder}/pictures.i32", dtype="<i4")
    captions = differences(folder)
    numpy_seconds, weights = pegasos(features, pictures, captions, words, lam)
    responses = features[:shown] @ weights.T
    sgd_seconds = sgd(features, pictures, captions, words, lam)
    print(
        json.dumps(
            {
                "numpy": {"seconds": numpy_seconds, "responses": responses.tolist()},
                "sklearn": {"seconds": sgd_seconds},
            }
        )
    )


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
