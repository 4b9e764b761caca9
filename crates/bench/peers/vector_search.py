"""Times a search for the ten nearest vectors, as `rebus bench search` asks for it.

The vectors are rows of little-endian 16-bit floats behind a header of 64 bytes, the queries rows of
32-bit floats. usearch and faiss look at all vectors, or go along the links of a graph with as many
links, built and searched as broadly as ours; one query at a time. Prints one JSON object with the
median and the 99th percentile of the seconds of a query, the seconds of building, and what was found.
"""

import json
import os
import sys
import time

import numpy as np

folder, name, dimensions, way = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
HEADER = 64
K = 10
LINKS, BUILDING, SEARCHING = 16, 100, 160
STEP = 100_000

rows = np.fromfile(f"{folder}/vectors", dtype="<f2", offset=HEADER).reshape(-1, dimensions)
queries = np.fromfile(f"{folder}/queries.f32", dtype="<f4").reshape(-1, dimensions)
begun = time.perf_counter()

if name == "faiss":
    import faiss

    kind, metric = faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
    if way == "linked":
        index = faiss.IndexHNSWSQ(dimensions, kind, LINKS, metric)
        index.hnsw.efConstruction = BUILDING
        index.hnsw.efSearch = SEARCHING
    else:
        index = faiss.IndexScalarQuantizer(dimensions, kind, metric)
    if not index.is_trained:
        index.train(rows[:STEP].astype(np.float32))
    for start in range(0, len(rows), STEP):
        index.add(rows[start : start + STEP].astype(np.float32))

    def find(query):
        return index.search(query[None, :], K)[1][0]

elif way == "linked":
    from usearch.index import Index

    index = Index(
        ndim=dimensions,
        metric="ip",
        dtype="f16",
        connectivity=LINKS,
        expansion_add=BUILDING,
        expansion_search=SEARCHING,
    )
    for start in range(0, len(rows), STEP):
        some = rows[start : start + STEP]
        index.add(np.arange(start, start + len(some)), some, threads=os.cpu_count())

    def find(query):
        return index.search(query.astype(np.float16), K).keys

else:
    from usearch.index import search

    def find(query):
        return search(rows, query.astype(np.float16), K, "ip", exact=True, threads=os.cpu_count()).keys


built = time.perf_counter() - begun
find(queries[0])
seconds, found = [], []
for query in queries:
    start = time.perf_counter()
    keys = find(query)
    seconds.append(time.perf_counter() - start)
    found.append([int(key) for key in keys])
seconds.sort()
print(
    json.dumps(
        {
            "median": seconds[len(seconds) // 2],
            "slow": seconds[min(len(seconds) - 1, len(seconds) * 99 // 100)],
            "built": built,
            "found": found,
        }
    )
)
