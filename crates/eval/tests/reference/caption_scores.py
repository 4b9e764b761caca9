"""Writes caption_scores.json: scores of pycocoevalcap 1.2 on sentences of our own.

    python3 -m venv venv && venv/bin/pip install pycocoevalcap==1.2
    venv/bin/python caption_scores.py > caption_scores.json

The sentences are tokenised already. Plain CIDEr, which that package does not ship, is worked out
here from its definition (Vedantam, Zitnick and Parikh 2015, equations 1 to 3).
"""

import json
import math
from collections import Counter

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge

SETS = {
    "small": {
        "kite": ("a child flies a red kite on the beach", [
            "a girl flies a kite by the sea", "a red kite over the beach", "child with a kite"]),
        "boat": ("two men row a small boat", [
            "two men are rowing a boat", "men in a small wooden boat on a lake"]),
        "cook": ("a woman cooks soup in a big pot", [
            "a woman stirs a pot", "someone is cooking soup", "a big pot on the stove",
            "a cook at work", "woman cooking"]),
        "same": ("a train crosses the old bridge", ["a train crosses the old bridge"]),
        "none": ("", ["a street at night", "cars at night"]),
        "far": ("three zebras drink", ["a man reads his newspaper on a bench"]),
    },
    "repeats": {
        "a": ("bell bell bell bell", ["the bell rings", "a bell tower"]),
        "b": ("the the the", ["the bell of the tower", "the the"]),
        "c": ("x", ["x", "y"]),
        "d": ("a b c d e f g h i j k l m n o p", ["a b c d", "m n o p", "p o n m l k j i"]),
    },
    "lengths": {
        "long": ("a very long sentence that goes on and on about one dog and one more dog", [
            "a dog", "one dog and one more dog", "dogs"]),
        "short": ("dog", ["a very long sentence about one dog in a park", "a dog in a park"]),
        "tie": ("one two three", ["one two three four", "one two"]),
    },
}


def ngrams(sentence):
    words = sentence.split()
    return [Counter(tuple(words[i:i + n]) for i in range(len(words) - n + 1)) for n in range(1, 5)]


def plain_cider(images):
    frequency = Counter()
    for _, references in images.values():
        frequency.update({g for r in references for order in ngrams(r) for g in order})

    def weights(counts):
        return {g: n * (math.log(len(images)) - math.log(max(1, frequency[g])))
                for g, n in counts.items()}

    def cosine(a, b):
        norms = math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
        return sum(x * b.get(g, 0.0) for g, x in a.items()) / norms if norms else 0.0

    scores = []
    for candidate, references in images.values():
        mine = [weights(order) for order in ngrams(candidate)]
        total = sum(cosine(a, weights(order))
                    for r in references for a, order in zip(mine, ngrams(r)))
        scores.append(10 * total / 4 / len(references))
    return sum(scores) / len(scores), scores


def scores(images):
    gts = {k: references for k, (_, references) in images.items()}
    res = {k: [candidate] for k, (candidate, _) in images.items()}
    bleu, bleus = Bleu(4).compute_score(gts, res, verbose=0)
    rouge, rouges = Rouge().compute_score(gts, res)
    cider_d, ciders_d = Cider().compute_score(gts, res)
    cider, ciders = plain_cider(images)
    names = ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "CIDEr", "CIDEr-D"]
    corpus = [*bleu, rouge, cider, cider_d]
    by_image = zip(*bleus, rouges, ciders, ciders_d)
    return {
        "images": {k: {"candidate": c, "references": r} for k, (c, r) in images.items()},
        "corpus": {n: float(v) for n, v in zip(names, corpus)},
        "per_image": {k: {n: float(v) for n, v in zip(names, values)}
                      for k, values in zip(images, by_image)},
    }


print(json.dumps({name: scores(images) for name, images in SETS.items()}, indent=1))
