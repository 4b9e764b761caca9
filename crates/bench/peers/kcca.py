"""Times cca_zoo's KCCA on the two views that `rebus bench` wrote into a folder.

Arguments: the folder, the number of items, gamma of the RBF kernel. On a busy machine one thread may
be faster than many that wait for each other: the better of both counts. Prints one JSON object.
"""

import json
import sys
import time

import numpy as np
from cca_zoo.nonparametric import KCCA
from threadpoolctl import threadpool_limits

folder, items, gamma = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
views = [np.fromfile(f"{folder}/{name}.f32", dtype="<f4").reshape(items, -1) for name in "xy"]
seconds = []
for threads in (None, 1):
    model = KCCA(n_components=min(100, items // 3), kernel="rbf", gamma=gamma)
    with threadpool_limits(threads):
        begin = time.perf_counter()
        model.fit(views)
        seconds.append(time.perf_counter() - begin)
print(json.dumps({"seconds": min(seconds)}))
