"""Times cca_zoo's KCCA on the two views that `rebus bench` wrote into a folder.

Arguments: the folder, the number of items, gamma of the RBF kernel. Prints one JSON object.
"""

import json
import sys
import time

import numpy as np
from cca_zoo.nonparametric import KCCA

folder, items, gamma = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
views = [np.fromfile(f"{folder}/{name}.f32", dtype="<f4").reshape(items, -1) for name in "xy"]
model = KCCA(n_components=min(100, items // 3), kernel="rbf", gamma=gamma)
begin = time.perf_counter()
model.fit(views)
print(json.dumps({"seconds": time.perf_counter() - begin}))
