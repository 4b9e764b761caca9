"""Writes statistics.json: what scipy, statsmodels, scikit-learn and krippendorff say.

    python3 -m venv venv && venv/bin/pip install scipy statsmodels scikit-learn krippendorff
    venv/bin/python statistics.py > statistics.json
"""

import json
import sys
import warnings
from importlib.metadata import version

import krippendorff
import numpy as np
import scipy
import sklearn
import statsmodels
from scipy import special, stats
from sklearn.metrics import cohen_kappa_score, precision_recall_fscore_support
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

warnings.simplefilter("ignore")
random = np.random.default_rng(2013)


def numbers(array):
    return [None if not np.isfinite(x) else float(x) for x in np.ravel(array)]


def paired_samples():
    """Pairs of lists: small and large, with and without ties and zero differences."""
    for n in (3, 5, 8, 13, 14, 25, 50, 51, 120, 1000):
        yield "smooth", random.normal(size=n), random.normal(0.2, 1.1, size=n)
    for n in (4, 9, 13, 14, 30, 50, 200):
        yield "grades", random.integers(1, 5, n).astype(float), random.integers(1, 5, n).astype(float)
    for n in (6, 12, 40, 300):
        a = np.round(random.random(n), 1)
        yield "tenths", a, np.round(np.clip(a + random.normal(0, 0.2, n), 0, 1), 1)
    for n in (10, 33, 34, 60):
        a = random.permutation(n).astype(float)
        b = a.copy()
        b[: n // 2] = random.permutation(b[: n // 2])
        yield "orders", a, b
    yield "one swap", np.arange(40.0), np.r_[1.0, 0.0, np.arange(2.0, 40.0)]
    yield "same order", np.arange(40.0), np.arange(40.0) ** 2
    yield "two values", np.r_[np.zeros(20), np.ones(20)], np.r_[np.zeros(15), np.ones(25)]
    yield "far apart", random.normal(size=60), random.normal(3, 1, size=60)


def wilcoxon_cases(a, b):
    d = a - b
    if not np.any(d):
        return []
    cases = []
    for zeros in ("wilcox", "pratt", "zsplit"):
        for method in ("auto", "asymptotic"):
            for correction in (False, True):
                r = stats.wilcoxon(d, zero_method=zeros, method=method, correction=correction)
                cases.append(
                    {
                        "zeros": zeros,
                        "method": method,
                        "correction": correction,
                        "statistic": float(r.statistic),
                        "p": float(r.pvalue),
                    }
                )
    return cases


def pairs():
    for kind, a, b in paired_samples():
        t = stats.ttest_rel(a, b)
        low, high = t.confidence_interval(0.9)
        case = {
            "kind": kind,
            "a": numbers(a),
            "b": numbers(b),
            "t": [float(t.statistic), float(t.pvalue), float(low), float(high)],
            "wilcoxon": wilcoxon_cases(a, b),
        }
        for name, function in (
            ("pearson", stats.pearsonr),
            ("spearman", stats.spearmanr),
            ("tau_b", stats.kendalltau),
            ("tau_c", lambda a, b: stats.kendalltau(a, b, variant="c")),
        ):
            r = function(a, b)
            case[name] = [float(r.statistic), float(r.pvalue)]
        yield case


def mcnemars():
    tables = [(0, 1), (1, 1), (7, 1), (5, 5), (0, 12), (10, 25), (40, 60), (150, 190), (900, 1000), (3, 2000)]
    for b, c in tables:
        table = [[17, b], [c, 23]]
        yield {
            "b": b,
            "c": c,
            "exact": float(mcnemar(table, exact=True).pvalue),
            "chi_square": [float(x) for x in (lambda r: (r.statistic, r.pvalue))(mcnemar(table, exact=False, correction=False))],
            "corrected": [float(x) for x in (lambda r: (r.statistic, r.pvalue))(mcnemar(table, exact=False, correction=True))],
        }


def randomisations():
    """Full enumerations, which do not depend on anybody's random numbers."""
    for n in (2, 5, 9, 12):
        for kind in ("smooth", "grades"):
            if kind == "smooth":
                a, b = random.normal(0.5, 1, n), random.normal(size=n)
            else:
                a, b = random.integers(0, 5, n) * 1.0, random.integers(0, 5, n) * 1.0
            for name, middle in (("mean", np.mean), ("median", np.median)):
                # Both sides: as large in either direction.
                count, total = 0, 1 << n
                seen = abs(middle(a) - middle(b))
                for signs in range(total):
                    swap = np.array([signs >> i & 1 for i in range(n)], bool)
                    x, y = np.where(swap, b, a), np.where(swap, a, b)
                    count += abs(middle(x) - middle(y)) >= seen - 1e-12
                yield {"a": numbers(a), "b": numbers(b), "statistic": name, "p": count / total}


def sampled_randomisations():
    """A large sample: p within its own sampling error."""
    for n in (40, 200):
        a = np.round(random.random(n), 2)
        b = np.round(np.clip(a + random.normal(0.03, 0.2, n), 0, 1), 2)
        r = stats.permutation_test(
            (a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples",
            vectorized=True, n_resamples=200000, rng=1,
        )
        yield {"a": numbers(a), "b": numbers(b), "p": float(r.pvalue)}


def bootstraps():
    for n, make in ((8, random.random), (30, lambda n: random.exponential(size=n)), (200, random.random)):
        values = make(n)
        for name, function in (("mean", np.mean), ("median", np.median)):
            case = {"values": numbers(values), "statistic": name}
            for method in ("percentile", "BCa"):
                r = stats.bootstrap((values,), function, n_resamples=499, method=method, rng=3, confidence_level=0.9)
                case["drawn"] = numbers(r.bootstrap_distribution)
                case[method] = [float(r.confidence_interval.low), float(r.confidence_interval.high)]
            wide = stats.bootstrap((values,), function, n_resamples=100000, method="BCa", rng=4, batch=1000)
            case["many"] = [float(wide.confidence_interval.low), float(wide.confidence_interval.high)]
            yield case


def corrections():
    for n in (1, 2, 5, 12, 40):
        p = np.round(random.beta(0.5, 3, n), 4)
        case = {"p": numbers(p)}
        for ours, theirs in (("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini-hochberg", "fdr_bh")):
            case[ours] = numbers(multipletests(p, method=theirs)[1])
        yield case


def kappas():
    for n, classes in ((5, 2), (20, 2), (200, 3), (1000, 4), (60, 7)):
        a = random.integers(0, classes, n)
        b = np.where(random.random(n) < 0.6, a, random.integers(0, classes, n))
        case = {"a": [int(x) for x in a], "b": [int(x) for x in b]}
        for name, weights in (("nominal", None), ("linear", "linear"), ("quadratic", "quadratic")):
            case[name] = float(cohen_kappa_score(a, b, weights=weights))
        if classes == 2:
            case["prf"] = [float(x) for x in precision_recall_fscore_support(b, a, average="binary")[:3]]
        yield case


def alphas():
    for judges, units, classes, gaps in (
        (2, 10, 2, 0.0), (3, 50, 4, 0.0), (4, 30, 5, 0.3), (6, 200, 10, 0.5), (2, 1000, 3, 0.1), (3, 40, 0, 0.2),
    ):
        if classes:
            truth = random.integers(1, classes + 1, units)
            noise = random.integers(1, classes + 1, (judges, units))
            data = np.where(random.random((judges, units)) < 0.7, truth, noise).astype(float)
        else:
            data = np.round(random.random(units) + 0.1 * random.random((judges, units)), 3)
        data[random.random((judges, units)) < gaps] = np.nan
        case = {"ratings": [numbers(row) for row in data]}
        for metric in ("nominal", "ordinal", "interval", "ratio"):
            case[metric] = float(krippendorff.alpha(reliability_data=data, level_of_measurement=metric))
        yield case


def specials():
    z = np.r_[np.linspace(-8, 8, 33), -37.0, 1e-10]
    p = np.r_[1e-300, 1e-100, 1e-16, 1e-8, 1e-3, np.linspace(0.01, 0.99, 23), 1 - 1e-9]
    yield "normal_cdf", [[float(x), float(special.ndtr(x))] for x in z]
    yield "normal_quantile", [[float(x), float(special.ndtri(x))] for x in p]
    yield "normal_two_sided", [[float(x), float(2 * stats.norm.sf(abs(x)))] for x in z]
    yield "chi_square_1_upper", [[float(x), float(stats.chi2.sf(x, 1))] for x in (0, 1e-6, 0.5, 1, 3.84, 10, 50, 700)]
    yield "regularised_beta", [
        [float(a), float(b), float(x), float(special.betainc(a, b, x))]
        for a in (0.5, 1, 2.5, 12, 150, 5000.5, 1e6) for b in (0.5, 3, 40, 1234.5, 1e6)
        for x in (1e-8, 0.01, 0.3, 0.5, 0.77, 0.999)
    ]
    yield "student_two_sided", [
        [float(t), float(df), float(2 * stats.t.sf(abs(t), df))]
        for t in (0, 0.1, -1, 2.2, 5, 30) for df in (1, 2, 7, 30, 999, 100000)
    ]
    yield "fair_binomial_cdf", [
        [k, n, float(stats.binom.cdf(k, n, 0.5))]
        for n in (1, 2, 10, 63, 500, 3000, 100000) for k in sorted({0, n // 3, n // 2, n - 1, n})
    ]


json.dump(
    {
        "made_by": {
            "scipy": scipy.__version__,
            "statsmodels": statsmodels.__version__,
            "scikit-learn": sklearn.__version__,
            "krippendorff": version("krippendorff"),
            "numpy": np.__version__,
        },
        "pairs": list(pairs()),
        "mcnemar": list(mcnemars()),
        "randomisation": list(randomisations()),
        "sampled": list(sampled_randomisations()),
        "bootstrap": list(bootstraps()),
        "correction": list(corrections()),
        "kappa": list(kappas()),
        "alpha": list(alphas()),
        "special": dict(specials()),
    },
    sys.stdout,
)
print()
