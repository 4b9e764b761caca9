"""Makes cca.json: regularised CCA as a generalised eigenproblem, with numpy and scipy.

    python3 cca.py > cca.json      (numpy 2, scipy 1)

For centred X (n x p) and Y (n x q), C = X'X/n + kappa * mean variance * I on each side,
    [0 C_xy; C_yx 0] w = rho [C_xx 0; 0 C_yy] w
has the regularised correlations as its positive eigenvalues.
"""
import json
import numpy as np
import scipy
from scipy.linalg import eigh

rng = np.random.default_rng(20131)
cases = []
for n, p, q, kappa in [(60, 7, 5, (0.1, 0.3)), (40, 4, 9, (1e-3, 2.0)), (12, 20, 6, (1.0, 0.05))]:
    z = rng.normal(size=(n, 3))
    x = z @ rng.normal(size=(3, p)) + rng.normal(size=(n, p)) * 0.7 + 1.5
    y = z @ rng.normal(size=(3, q)) + rng.normal(size=(n, q)) * 0.7 - 0.5
    x, y = np.round(x, 4), np.round(y, 4)
    xc, yc = x - x.mean(0), y - y.mean(0)
    cxx, cyy, cxy = xc.T @ xc / n, yc.T @ yc / n, xc.T @ yc / n
    cxx = cxx + kappa[0] * np.trace(cxx) / p * np.eye(p)
    cyy = cyy + kappa[1] * np.trace(cyy) / q * np.eye(q)
    a = np.block([[np.zeros((p, p)), cxy], [cxy.T, np.zeros((q, q))]])
    b = np.block([[cxx, np.zeros((p, q))], [np.zeros((q, p)), cyy]])
    values, vectors = eigh(a, b)
    order = np.argsort(-values)[: min(p, q)]
    wx, wy = vectors[:p, order], vectors[p:, order]
    # eigh scales the joint vector to 1; scale each side so that w' C w = 1, and settle the signs.
    for k in range(len(order)):
        sign = np.sign(wx[np.argmax(np.abs(wx[:, k])), k])
        wx[:, k] *= sign / np.sqrt(wx[:, k] @ cxx @ wx[:, k])
        wy[:, k] *= sign / np.sqrt(wy[:, k] @ cyy @ wy[:, k])
    cases.append({
        "kappa": kappa, "x": x.tolist(), "y": y.tolist(),
        "correlations": values[order].tolist(),
        "x_weights": wx[:, :3].T.tolist(), "y_weights": wy[:, :3].T.tolist(),
    })
print(json.dumps({"made_with": f"numpy {np.__version__}, scipy {scipy.__version__}", "cases": cases}))
