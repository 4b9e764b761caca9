"""Times an exact search for the ten nearest vectors, as `rebus bench search` asks for it.

The vectors are rows of little-endian 16-bit floats behind a header of 64 bytes, the queries rows of
32-bit floats. usearch and faiss look at all vectors, one query at a time. Prints one JSON object with
the median and the 99th percentile of the seconds of a query, and what was found.
"""

import json
import os
import sys
import time

import numpy as np

folder, name, dimensions = sys.argv[1], sys.argv[2], int(sys.argv[3])
HEADER = 64
K = 10

rows = np.fromfile(f"{folder}/vectors", dtype="<f2", offset=HEADER).reshape(-1, dimensions)
queries = np.fromfile(f"{folder}/queries.f32", dtype="<f4").reshape(-1, dimensions)

if name == "faiss":
    import faiss

    index = faiss.IndexScalarQuantizer(
        dimensions, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
    )
    for start in range(0, len(rows), 100_000):
        index.add(rows[start : start + 100_000].astype(np.float32))

    def find(query):
        return index.search(query[None, :], K)[1][0]

else:
    from usearch.index import search

    def find(query):
        return search(rows, query.astype(np.float16), K, "ip", exact=True, threads=os.cpu_count()).keys


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
            "found": found,
        }
    )
)
