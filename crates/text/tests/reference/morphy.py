#!/usr/bin/env python3
"""Records what NLTK's morphy finds for the words below: python3 morphy.py DICT writes morphy.json.

DICT is a folder of WordNet 3.0 files with a file `lexnames`, under NLTK's data path.
Each row is the word and, for noun, verb, adjective and adverb, the list of bases in NLTK's order:
the form itself where it is an entry, then the exceptions, or else what the rules give.
"""
import json
import pathlib
import sys

from nltk.corpus.reader.wordnet import WordNetCorpusReader

WORDS = """
dog dogs cat boys girls man men woman women child children person people mouse mice goose geese foot feet
tooth teeth ox oxen leaf leaves wolf wolves knife knives life lives shelf shelves scarf scarves hoof hooves
box boxes bus buses glass glasses dress dresses beach beaches brush brushes buzz quiz quizzes city cities
puppy puppies cookie cookies movie movies hero heroes potato potatoes photo photos shoe shoes canoe canoes
axis axes analysis analyses cactus cacti radius radii datum data medium media crisis crises sheep deer fish
fishes policeman policemen fireman firemen gentlemen snowmen shorts pants jeans clothes scissors news series
run runs running ran sit sits sitting sat swim swims swimming swam swum ride rides riding rode ridden
jump jumps jumped jumping dance dances danced dancing lie lies lying lay laid lain die dies dying tie tying
carry carries carried carrying fly flies flying flew flown make makes making made take takes taking took taken
be am is are was were been being have has having had do does doing did done go goes going went gone
see sees seeing saw seen catch catches caught hold held stand stood wear wearing wore worn throw threw thrown
stop stopped stopping hop hopping hope hoping control controlled travel travelled traveling picnicking ski skiing
kiss kisses kissed watch watches watched wash washes washing fix fixes fixing play plays played playing
big bigger biggest large larger largest small smaller smallest good better best bad worse worst far farther
further furthest happy happier happiest young younger old older oldest nice nicer nicest pretty prettier
well fast faster fastest hard harder soon sooner forest number customer owner water flower under over
building buildings painting paintings clothing morning evening string king ring wing spring swing
red bed sled hundred striped crowded colored bearded snow-covered t-shirt t-shirts ice-cream xyzzy
""".split()

# The mapping to other versions of WordNet is not needed, and would want more files.
WordNetCorpusReader.map_wn = lambda self, *rest: None
wordnet = WordNetCorpusReader(sys.argv[1], None)
rows = [[word] + [wordnet._morphy(word, kind) for kind in "nvar"] for word in sorted(set(WORDS))]
text = ",\n".join(json.dumps(row) for row in rows)
pathlib.Path(__file__).with_suffix(".json").write_text(f"[\n{text}\n]\n", encoding="utf-8")
