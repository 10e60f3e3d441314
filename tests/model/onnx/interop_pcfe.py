"""Compares PCFE's optimum with cvxpy: the same programs, formulated a second time from the fitted mixture.

usage: interop_pcfe.py build/run_onnx build/scfe        (run_pcfe lies beside run_onnx)
"""
import json
import os
import subprocess
import sys

import cvxpy
import numpy as np

CASES = 20
TOLERANCE = 1e-4


def question(case):
    rng = np.random.default_rng(case)
    d, classes = int(rng.integers(2, 9)), int(rng.choice([1, 1, 3]))
    centres = rng.uniform(0.2, 0.8, (2, d))
    rows = np.clip(centres[rng.integers(0, 2, 80)] + rng.normal(0, 0.08, (80, d)), 0, 1)
    weights = rng.normal(0, 3, (classes, d))
    # The boundary lies at the class's median score, so that the class constraint and the ellipsoids meet.
    bias = rng.normal(0, 0.3, classes)
    bias[0] -= np.median(rows @ weights[0]) + bias[0] if classes == 1 else 0
    return {"rows": rows.tolist(), "weights": weights.tolist(), "bias": bias.tolist(), "target": 1,
            "factual": rng.uniform(0, 1, d).tolist(), "required": 1e-3, "norm": ["l1", "l2"][case % 2],
            "max_components": 4}


def by_cvxpy(asked, answer):
    rows, factual = np.array(asked["rows"]), np.array(asked["factual"])
    weights, bias, d = np.array(asked["weights"]), np.array(asked["bias"]), len(asked["factual"])
    components = [(p, np.array(m), np.array(s)) for p, m, s in zip(answer["pi"], answer["mu"], answer["sigma"])]

    def offset(p, sigma):
        return -2 * np.log(p) + d * np.log(2 * np.pi) + np.linalg.slogdet(sigma)[1]

    sides = [[(x - m) @ np.linalg.solve(s, x - m) + offset(p, s) for p, m, s in components] for x in rows]
    threshold = np.median(np.min(sides, axis=1))
    best = np.inf
    for p, m, s in components:
        radius = threshold - offset(p, s)
        if radius <= 0:
            continue
        x = cvxpy.Variable(d)
        root = np.linalg.cholesky(np.linalg.inv(s)).T
        limits = [x >= 0, x <= 1, cvxpy.sum_squares(root @ (x - m)) <= radius]
        if len(bias) == 1:
            limits.append(weights[0] @ x + bias[0] >= asked["required"])
        else:
            y = asked["target"]
            limits += [(weights[y] - weights[i]) @ x + bias[y] - bias[i] >= asked["required"]
                       for i in range(len(bias)) if i != y]
        distance = cvxpy.norm1(x - factual) if asked["norm"] == "l1" else cvxpy.sum_squares(x - factual)
        program = cvxpy.Problem(cvxpy.Minimize(distance), limits)
        program.solve(solver=cvxpy.CLARABEL)
        if program.status in ("optimal", "optimal_inaccurate"):
            best = min(best, program.value)
    return best


def main():
    tool = os.path.join(os.path.dirname(sys.argv[1]), "run_pcfe")
    passed = failed = case = answered = 0
    while answered < CASES and case < 5 * CASES:
        asked = question(case)
        run = subprocess.run([tool], input=json.dumps(asked), capture_output=True, text=True, check=True)
        answer = json.loads(run.stdout)
        theirs, ours = by_cvxpy(asked, answer), answer.get("cost", np.inf)
        good = ours == theirs or abs(ours - theirs) <= TOLERANCE * max(1, abs(theirs))
        if np.isfinite(theirs) or not good:
            answered += 1
            passed, failed = passed + good, failed + (not good)
            print(f"{'ok  ' if good else 'FAIL'} case {case}, {asked['norm']}: ours {ours:.8g}, cvxpy {theirs:.8g}")
        case += 1
    if answered < CASES:
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
