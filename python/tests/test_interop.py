"""Every kind of model on 200 rows: all answers hold under the original object, within the limits, in the same dtypes.

Slow (minutes), so only with SCFE_INTEROP=1; needs the packages of every library.
"""

from __future__ import annotations

import os
import warnings

import model_zoo
import numpy as np
import pytest

import scfe

pytestmark = pytest.mark.skipif(not os.environ.get("SCFE_INTEROP"), reason="slow: set SCFE_INTEROP=1")
ROWS = int(os.environ.get("SCFE_INTEROP_ROWS", "200"))
FROZEN = ["age"]


@pytest.mark.parametrize("name", model_zoo.NAMES)
def test_answers_hold_under_the_original(name: str) -> None:
    case = model_zoo.case(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ex = scfe.Explainer(
            case.model, case.rows.assign(risk=model_zoo.credit()[1]), label="risk", freeze=FROZEN, **case.options
        )
    assert ex._source is not None and ex._source.predict is not None
    refused = case.rows[ex._source.predict(case.rows) == 0]
    rows = refused.iloc[np.arange(ROWS) % len(refused)] if len(refused) < ROWS else refused.head(ROWS)
    answers = ex.explain(rows, target="good", max_changes=3, plausible=0.05)
    frame = answers.to_frame()
    assert (frame.dtypes == rows.dtypes).all() and frame.index.equals(rows.index)
    assert answers.found.mean() > 0.5
    assert (ex._source.predict(frame[answers.found]) == 1).all()
    changed = (frame.to_numpy(dtype=object) != rows.to_numpy(dtype=object)).sum(axis=1)
    assert changed.max() <= 3 and (frame["age"].to_numpy() == rows["age"].to_numpy()).all()
    assert ex.verify(rows, answers, target="good", max_changes=3, plausible=0.05)["holds"]
