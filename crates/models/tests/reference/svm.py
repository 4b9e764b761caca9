"""Makes svm.json: linear support vector machines by LIBLINEAR, through scikit-learn's LinearSVC.

    python svm.py > svm.json
"""

import json

import numpy as np
from sklearn.svm import LinearSVC

random = np.random.default_rng(2013)
cases = []
for rows, columns, share in [(40, 3, 0.5), (60, 18, 0.2)]:
    x = np.round(random.normal(size=(rows, columns)), 3)
    y = x @ random.normal(size=columns) + 0.5 * random.normal(size=rows)
    positive = y > np.quantile(y, 1 - share)
    machines = []
    for cost in [0.05, 1.0]:
        machine = LinearSVC(
            loss="squared_hinge", dual=True, C=cost, fit_intercept=False, tol=1e-10, max_iter=10**6
        )
        machine.fit(x, np.where(positive, 1, -1))
        machines.append({"cost": cost, "weights": machine.coef_[0].tolist()})
    cases.append({"x": x.tolist(), "positive": positive.tolist(), "machines": machines})
print(json.dumps({"cases": cases}))
