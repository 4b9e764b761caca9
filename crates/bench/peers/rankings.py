"""Times ranx and pytrec_eval on the rankings that `rebus bench` wrote into a folder.

Only the evaluation is timed: both peers get their own structures, built beforehand, and ranx is
called once before, so that its compiler is warm. Prints one JSON object.
"""

import json
import sys
import time

import numpy as np
import pytrec_eval
from ranx import Qrels, Run, evaluate

RANX = {
    "P@5": "precision@5",
    "P@10": "precision@10",
    "recall@10": "recall@10",
    "recall@100": "recall@100",
    "S@10": "hit_rate@10",
    "R-precision": "r-precision",
    "MAP": "map",
    "MRR": "mrr",
    "nDCG@10": "ndcg@10",
    "nDCG@100": "ndcg@100",
}
PYTREC = {
    "P@5": "P_5",
    "P@10": "P_10",
    "recall@10": "recall_10",
    "recall@100": "recall_100",
    "S@10": "success_10",
    "R-precision": "Rprec",
    "MAP": "map",
    "MRR": "recip_rank",
    "nDCG@10": "ndcg_cut_10",
    "nDCG@100": "ndcg_cut_100",
}


def best_of(rounds, work):
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        answer = work()
        seconds.append(time.perf_counter() - start)
    return min(seconds), answer


def main(folder, queries):
    def rows(name, kind):
        return np.fromfile(f"{folder}/{name}", dtype=kind).reshape(queries, -1)

    documents = rows("documents.i32", "<i4")
    scores = rows("scores.f32", "<f4").astype(float)
    relevant = rows("relevant.i32", "<i4")
    names = [f"d{n:07}" for n in range(int(max(documents.max(), relevant.max())) + 1)]
    run = {
        f"q{q:05}": {names[d]: s for d, s in zip(row_d.tolist(), row_s.tolist())}
        for q, (row_d, row_s) in enumerate(zip(documents, scores))
    }
    qrels = {f"q{q:05}": {names[d]: 1 for d in row.tolist()} for q, row in enumerate(relevant)}

    ranx_qrels, ranx_run = Qrels(qrels), Run(run)
    measures = list(RANX.values())
    evaluate(ranx_qrels, ranx_run, measures)
    ranx_seconds, ranx_figures = best_of(3, lambda: evaluate(ranx_qrels, ranx_run, measures))

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(PYTREC.values()))
    pytrec_seconds, per_query = best_of(1, lambda: evaluator.evaluate(run))
    pytrec_figures = {
        ours: float(np.mean([figures[theirs] for figures in per_query.values()]))
        for ours, theirs in PYTREC.items()
    }
    print(
        json.dumps(
            {
                "ranx": {
                    "seconds": ranx_seconds,
                    "figures": {ours: float(ranx_figures[theirs]) for ours, theirs in RANX.items()},
                },
                "pytrec_eval": {"seconds": pytrec_seconds, "figures": pytrec_figures},
            }
        )
    )


main(sys.argv[1], int(sys.argv[2]))
