"""Lin's similarity (equation 22) by NLTK, as the reference for tests/lin_reference.rs.

    python lin.py /usr/share/wordnet > lin.json

Needs NLTK, and the files of WordNet 3.0 (Debian's wordnet-base). NLTK also wants a file `lexnames`,
which Debian leaves out and which nothing here uses: one is put beside copies of the rest.
Every word counts for its first noun sense, and for all that is above it, once each.
"""

import json
import os
import shutil
import sys
import tempfile

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader

COUNTS = {
    "dog": 120, "poodle": 4, "cat": 11, "horse": 30, "animal": 9, "puppy": 8, "wolf": 1,
    "man": 200, "woman": 90, "child": 75, "rider": 14, "cyclist": 6, "jockey": 2, "person": 60,
    "traveler": 3, "bicyclist": 7, "swimmer": 5, "team": 9, "crowd": 12,
    "swim": 10, "dive": 3, "sport": 4, "football": 22, "soccer": 18, "bathe": 1, "activity": 2,
    "bicycle": 25, "car": 31, "boat": 17, "vehicle": 4, "tree": 28, "grass": 45, "water": 66,
    "beach": 37, "snow": 41, "idea": 1, "color": 3, "shirt": 58, "hat": 29, "shoe": 6,
    "guitar": 7, "fountain": 5, "mountain": 21, "hill": 13, "street": 33,
}

PAIRS = [
    ("dog", "cat"), ("dog", "poodle"), ("dog", "animal"), ("dog", "man"), ("dog", "wolf"),
    ("man", "woman"), ("rider", "cyclist"), ("rider", "jockey"), ("rider", "traveler"),
    ("rider", "bicyclist"), ("swim", "bathe"), ("swim", "sport"), ("swim", "football"),
    ("swim", "activity"), ("swim", "soccer"), ("bicycle", "car"), ("boat", "car"),
    ("tree", "grass"), ("beach", "water"), ("mountain", "hill"), ("shirt", "hat"),
    ("idea", "dog"), ("guitar", "fountain"), ("team", "crowd"), ("person", "person"),
    ("street", "snow"), ("puppy", "child"), ("horse", "dog"),
]


def opened(folder):
    copies = tempfile.mkdtemp()
    for name in os.listdir(folder):
        if os.path.isfile(os.path.join(folder, name)):
            shutil.copy(os.path.join(folder, name), copies)
    with open(os.path.join(copies, "lexnames"), "w", encoding="ascii") as names:
        names.writelines(f"{number:02} any 0\n" for number in range(45))
    nltk.data.path += [copies]
    # The mapping to other versions of WordNet is not needed, and would want more files.
    WordNetCorpusReader.map_wn = lambda self, *rest: None
    return WordNetCorpusReader(copies, None)


def main():
    wordnet = opened(sys.argv[1])
    first = {word: wordnet.synsets(word, "n") for word in COUNTS}
    # NLTK's synsets() also looks at inflected forms; a word's own senses come first.
    first = {word: senses[0] for word, senses in first.items()}
    content = {"n": {0: 0.0}, "v": {0: 0.0}}
    for word, count in COUNTS.items():
        content["n"][0] += count
        sense = first[word]
        for above in {sense, *sense.closure(lambda s: s.hypernyms() + s.instance_hypernyms())}:
            offset = above.offset()
            content["n"][offset] = content["n"].get(offset, 0.0) + count
    pairs = [
        {"one": a, "other": b, "lin": first[a].lin_similarity(first[b], content)} for a, b in PAIRS
    ]
    json.dump({"counts": COUNTS, "pairs": pairs}, sys.stdout, indent=1)
    print()


main()
