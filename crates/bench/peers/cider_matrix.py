"""Times pycocoevalcap's CIDEr-D over some rows of the matrix phi(G_i, c_j).

The package scores one candidate for one image at a time, so a row of the matrix is that image's
references under as many entries as there are captions. Counting n-grams and document frequencies
is done beforehand and is not timed. Prints one JSON object.
"""

import json
import sys
import time
from collections import defaultdict

from pycocoevalcap.cider.cider_scorer import CiderScorer, precook


class Entries(list):
    """A list that claims the number of images as its length.

    The scorer takes the size of the reference corpus for its idf from the number of entries.
    """

    images = 0

    def __len__(self):
        return self.images


def main(folder, rows):
    with open(f"{folder}/captions.json", encoding="utf-8") as file:
        images = json.load(file)
    references = [[precook(caption) for caption in captions] for captions in images]
    captions = [caption for image in references for caption in image]
    frequency = defaultdict(float)
    for image in references:
        for ngram in {ngram for caption in image for ngram in caption}:
            frequency[ngram] += 1
    Entries.images = len(images)
    matrix = []
    start = time.perf_counter()
    for row in range(rows):
        scorer = CiderScorer(n=4, sigma=6.0)
        scorer.ctest = captions
        scorer.crefs = Entries(references[row] for _ in captions)
        scorer.document_frequency = frequency
        matrix.append([float(score) for score in scorer.compute_cider()])
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "rows": rows, "scores": matrix}))


main(sys.argv[1], int(sys.argv[2]))
