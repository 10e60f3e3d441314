"""Keywords of questions and fits. Written by scripts/python-options from the catalogue: do not edit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class QuestionOptions(TypedDict, total=False):
    """Options of a question."""

    #: the class to reach, by name or number; other: the other one of two classes; any: any class but the present
    #: one (a class, other or any; default "other")
    target: str | int
    #: the probability that the target class has to reach; 0: it only has to win (0, or a number from 0.5 to below
    #: 1; default 0)
    probability: float | str
    #: the answer is at least as typical as this share of the target class's own held-out rows; 0 (or none): no
    #: floor (a number from 0 to 1; default 0.1)
    plausible: float | str
    #: what is given where no valid row is as typical as asked: the most plausible one (or a closer one that is
    #: almost as plausible), the closest one, or no answer (most-plausible, closest or none; default "most-
    #: plausible")
    below_floor: Literal["most-plausible", "closest", "none"]
    #: the most features that may change (a whole number from 1 to the number of features; default 3)
    max_changes: int
    #: true: stop at the smallest number of changes that works; false: give the closest answer within max-changes
    #: (above 64 features and with apg this is always so) (true or false; default true)
    fewest_first: bool
    #: the most answers for each row: each is the best of those left (fewest changes first, unless fewest-first is
    #: false); the first stays first, the others are sorted by distance (a whole number from 1 to 1000; default 1)
    answers: int
    #: how several answers of a row differ; features: no two change the same features; values: some number differs
    #: by a tenth of its range, or some level (features or values; default "features")
    diverse: Literal["features", "values"]
    #: give the closest answer for each number of changes from 1 to max-changes (true or false; default false)
    path: bool
    #: where a row has no answer: say which single limit to lift so that it has one (true or false; default true)
    hints: bool
    #: the answer stays valid when its numbers move by up to this share of their range; 0: not asked (a number from
    #: 0 to below 1; default 0)
    robust: float | str
    #: ours (scfe), or one of the compared methods (docs/methods.md) (scfe, dcfe, cem-pn, cem-pp, pcfe, mip-live,
    #: wachter or nearest; default "scfe")
    method: Literal["scfe", "dcfe", "cem-pn", "cem-pp", "pcfe", "mip-live", "wachter", "nearest"]
    #: say how much closer any other answer could be (linear models and small ReLU networks) (true or false; default
    #: false)
    certify: bool
    #: auto: exact for tree ensembles and linear scores, apg for a sparsity penalty, else search (auto, search, apg
    #: or exact; default "auto")
    solver: Literal["auto", "search", "apg", "exact"]
    #: a limit on the number of changes (top_m), or a penalty beta |d|_p^p (apg only) (top_m, l0, l_half,
    #: l_two_thirds, l1 or none; default "top_m")
    sparsity: Literal["top_m", "l0", "l_half", "l_two_thirds", "l1", "none"]
    #: weight of a sparsity penalty (a number >= 0; default 0.1)
    beta: float
    #: weight of the log-density in apg (a number >= 0; default 1)
    tau: float
    #: apg: grid search over beta, tau and k for every row (true or false; default false)
    tune: bool
    #: validity loss of apg: on logits, or the paper's on probabilities (hinge or probability; default "hinge")
    loss: Literal["hinge", "probability"]
    #: logits by which the target class has to win (a number >= 0; default 0.0001)
    margin: float
    #: step size rule of apg (backtracking or paper; default "backtracking")
    step_rule: Literal["backtracking", "paper"]
    #: first step size of apg (a number > 0; default 0.5)
    step: float
    #: iterations of apg in each section (a whole number >= 1; default 200)
    iterations: int
    #: sections of the search for gamma (a whole number >= 1; default 10)
    sections: int
    #: apg returns its best valid iterate; false: the last one, as the paper's public code does (true or false;
    #: default true)
    keep_best: bool
    #: partial answers that search keeps at each number of changes (a whole number >= 1; default 3)
    beam: int
    #: sets of features that search refines for each partial answer, the most promising first (a whole number >= 1;
    #: default 6)
    screen: int
    #: passes that exchange single features of the best answer (a whole number >= 0; default 2)
    sweeps: int
    #: steps that refine one answer (a whole number >= 1; default 12)
    rounds: int
    #: the distance that pcfe and mip-live minimise (l1 or l2; default "l2")
    norm: Literal["l1", "l2"]
    #: mip-live: how many of the nearest live polytopes are searched (a whole number >= 1; default 5)
    polytopes: int
    #: mip-live: largest LOF (k = 1) against the target class's rows; 0: not asked (a number >= 0; default 0)
    lof: float
    #: k of the local outlier factor; at most the class's rows less one (a whole number >= 1; default 20)
    lof_neighbours: int
    #: the distance of the local outlier factor; with categories it is Gower's, which is l1 (l1, l2 or linf; default
    #: "l2")
    lof_metric: Literal["l1", "l2", "linf"]
    #: time for the whole call; 0: no limit (seconds >= 0; default 0)
    time_limit: float
    #: number of threads; 0: one for each core (a whole number from 0 to 1024; default 0)
    threads: int


class FitOptions(QuestionOptions, total=False):
    """Options of a fit; those of questions become the defaults of later ones."""

    #: scale of the work space, in which distances are measured (minmax, zscore or none; default "minmax")
    space: Literal["minmax", "zscore", "none"]
    #: the density that says how plausible a row of the target class is; auto: kde, or mixture where there are
    #: categories; FILE.onnx, or CLASS=FILE.onnx,... for each class: a density of your own
    #: (docs/howto/own_density.md) (auto, none, kde, mixture, gmm, gmm_full, knn or own; default "auto")
    density: str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]]
    #: k of the knn density (a whole number >= 1; default 5)
    neighbours: int
    #: bandwidth of the kde; 0: chosen by the likelihood of held-out rows (a number >= 0; default 0)
    bandwidth: float
    #: most components of the gmm, whose number BIC decides; the mixture has up to twice as many, and held-out rows
    #: decide (a whole number >= 1; default 8)
    max_components: int
    #: how the distance of an answer is measured (docs/concepts.md); l2: the root of a sum of squares; l1: a sum of
    #: lengths; gower: Gower's mean of lengths; mad: short for l2 with weights mad (l2, l1, gower or mad; default
    #: "l2")
    distance: Literal["l2", "l1", "gower", "mad"]
    #: the weight of each feature in the distance; schema: the schema's weights and distances of levels; mad: the
    #: same, and numbers divided by their median absolute deviation; none: 1 (schema, mad or none; default "schema")
    weights: Literal["schema", "mad", "none"]
    #: normalise the kde as the paper's public code does (true or false; default false)
    paper_density: bool
    #: knn: use -|x - G| as the paper writes it, in place of its square (true or false; default false)
    plain_gravity: bool
    #: knn: the distance that decides which rows are neighbours, and how dense they lie (l1, l2 or linf; default
    #: "l2")
    gravity_metric: Literal["l1", "l2", "linf"]
    #: a density of your own is one of the model's inputs, or of the columns of the work space (inputs or work;
    #: default "inputs")
    density_space: Literal["inputs", "work"]
    #: seed of all random numbers in fitting (a whole number >= 0; default 0)
    seed: int
    #: arithmetic of an ONNX model; auto: as the file declares it (docs/onnx.md) (auto, float or double; default
    #: "auto")
    precision: Literal["auto", "float", "double"]
    #: rules between features that the training rows keep although chance would break them; use: every answer keeps
    #: them; list: they are only listed; none: none are looked for (none, list or use; default "use")
    learned_rules: Literal["none", "list", "use"]
    #: learned rules that are left out, by the numbers under which fit lists them (numbers from 1 with commas
    #: between them, or nothing; default "")
    drop_rules: str
    #: regression: the range that the model's one output has to reach; empty: a class is asked for (LO:HI, either
    #: may be empty; default "")
    reach: str | tuple[float | None, float | None]
    #: column that names a row
    id: str
    #: further columns that are no features
    ignore: str | Sequence[str]
    #: numeric label: the second class above it, the first otherwise
    above: float
    #: cells that are missing: an error, the row is dropped, or they are filled
    missing: Literal["error", "drop", "impute"]
    #: the classes of the label in the order of the model's scores
    classes: Sequence[str]
    #: column with what the training library itself predicts; refused if the model disagrees
    predictions: str
    #: with `predictions`: the least share of rows on which they agree
    min_agreement: float | str
    #: ONNX: the output that holds the scores, where several may be meant
    model_output: str
    #: what turns a table into the numbers that a model takes: a fitted transformer or a function
    preprocess: Any
    #: of a function: `gradient(X, seed) -> [n, d]`, the gradient of the sum of seed times scores
    gradient: Any
    #: what a model that is called returns
    output: Literal["auto", "probabilities", "logits"]
    #: what a function is given
    inputs: Literal["auto", "frame", "array"]
    #: hand PyTorch and Keras models over as ONNX instead of calling them
    export: bool


ASK_TABLE = """
    target: the class to reach, by name or number; other: the other one of two classes; any: any class but the
        present one; default "other"
    probability: the probability that the target class has to reach; 0: it only has to win; default 0
    plausible: the answer is at least as typical as this share of the target class's own held-out rows; 0 (or
        none): no floor; default 0.1
    below_floor: what is given where no valid row is as typical as asked: the most plausible one (or a closer
        one that is almost as plausible), the closest one, or no answer; default "most-plausible"
    max_changes: the most features that may change; default 3
    fewest_first: true: stop at the smallest number of changes that works; false: give the closest answer within
        max-changes (above 64 features and with apg this is always so); default true
    answers: the most answers for each row: each is the best of those left (fewest changes first, unless fewest-
        first is false); the first stays first, the others are sorted by distance; default 1
    diverse: how several answers of a row differ; features: no two change the same features; values: some number
        differs by a tenth of its range, or some level; default "features"
    path: give the closest answer for each number of changes from 1 to max-changes; default false
    hints: where a row has no answer: say which single limit to lift so that it has one; default true
    robust: the answer stays valid when its numbers move by up to this share of their range; 0: not asked;
        default 0
    method: ours (scfe), or one of the compared methods (docs/methods.md); default "scfe"
    certify: say how much closer any other answer could be (linear models and small ReLU networks); default
        false
    solver: auto: exact for tree ensembles and linear scores, apg for a sparsity penalty, else search; default
        "auto"
    sparsity: a limit on the number of changes (top_m), or a penalty beta |d|_p^p (apg only); default "top_m"
    beta: weight of a sparsity penalty; default 0.1
    tau: weight of the log-density in apg; default 1
    tune: apg: grid search over beta, tau and k for every row; default false
    loss: validity loss of apg: on logits, or the paper's on probabilities; default "hinge"
    margin: logits by which the target class has to win; default 0.0001
    step_rule: step size rule of apg; default "backtracking"
    step: first step size of apg; default 0.5
    iterations: iterations of apg in each section; default 200
    sections: sections of the search for gamma; default 10
    keep_best: apg returns its best valid iterate; false: the last one, as the paper's public code does; default
        true
    beam: partial answers that search keeps at each number of changes; default 3
    screen: sets of features that search refines for each partial answer, the most promising first; default 6
    sweeps: passes that exchange single features of the best answer; default 2
    rounds: steps that refine one answer; default 12
    norm: the distance that pcfe and mip-live minimise; default "l2"
    polytopes: mip-live: how many of the nearest live polytopes are searched; default 5
    lof: mip-live: largest LOF (k = 1) against the target class's rows; 0: not asked; default 0
    lof_neighbours: k of the local outlier factor; at most the class's rows less one; default 20
    lof_metric: the distance of the local outlier factor; with categories it is Gower's, which is l1; default
        "l2"
    time_limit: time for the whole call; 0: no limit; default 0
    threads: number of threads; 0: one for each core; default 0
"""
FIT_TABLE = """
    space: scale of the work space, in which distances are measured; default "minmax"
    density: the density that says how plausible a row of the target class is; auto: kde, or mixture where there
        are categories; FILE.onnx, or CLASS=FILE.onnx,... for each class: a density of your own
        (docs/howto/own_density.md); default "auto"
    neighbours: k of the knn density; default 5
    bandwidth: bandwidth of the kde; 0: chosen by the likelihood of held-out rows; default 0
    max_components: most components of the gmm, whose number BIC decides; the mixture has up to twice as many,
        and held-out rows decide; default 8
    distance: how the distance of an answer is measured (docs/concepts.md); l2: the root of a sum of squares;
        l1: a sum of lengths; gower: Gower's mean of lengths; mad: short for l2 with weights mad; default "l2"
    weights: the weight of each feature in the distance; schema: the schema's weights and distances of levels;
        mad: the same, and numbers divided by their median absolute deviation; none: 1; default "schema"
    paper_density: normalise the kde as the paper's public code does; default false
    plain_gravity: knn: use -|x - G| as the paper writes it, in place of its square; default false
    gravity_metric: knn: the distance that decides which rows are neighbours, and how dense they lie; default
        "l2"
    density_space: a density of your own is one of the model's inputs, or of the columns of the work space;
        default "inputs"
    seed: seed of all random numbers in fitting; default 0
    precision: arithmetic of an ONNX model; auto: as the file declares it (docs/onnx.md); default "auto"
    learned_rules: rules between features that the training rows keep although chance would break them; use:
        every answer keeps them; list: they are only listed; none: none are looked for; default "use"
    drop_rules: learned rules that are left out, by the numbers under which fit lists them; default ""
    reach: regression: the range that the model's one output has to reach; empty: a class is asked for; default
        ""
"""
