"""Makes trec_eval_random.json: small random topics with ties, negative grades and topics that are
missing on either side, and what trec_eval 9 says of them through pytrec_eval-terrier 0.5.11.

Scores are small whole numbers, so that single and double precision agree.

    pip install pytrec_eval-terrier==0.5.11
    python trec_eval_random.py > trec_eval_random.json
"""

import json
import random
import sys

import pytrec_eval

MEASURES = set(pytrec_eval.supported_measures) - {"runid", "relstring", "num_q", "gm_map", "gm_bpref"}


def case(seed):
    r = random.Random(seed)
    level = r.choice([1, 1, 2])
    qrels, run = {}, {}
    for topic in range(4):
        name = f"q{topic}"
        documents = [f"d{i}" for i in range(r.randint(1, 30))]
        if r.random() < 0.85:
            judged = {d: r.choice([-2, -1, 0, 0, 0, 1, 1, 2, 3]) for d in documents if r.random() < 0.6}
            # So that no topic has negative grades only, which trec_eval reads past its memory for.
            judged["elsewhere"] = r.choice([0, 1, 2])
            qrels[name] = judged
        if r.random() < 0.85:
            run[name] = {d: float(r.randint(0, 8)) for d in documents}
    expected = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=level).evaluate(run)
    expected = {q: {m: round(v, 9) for m, v in sorted(ms.items())} for q, ms in sorted(expected.items())}
    return {"level": level, "qrels": qrels, "run": run, "expected": expected}


json.dump([case(seed) for seed in range(8)], sys.stdout, indent=None, separators=(",", ":"))
