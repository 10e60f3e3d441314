"""Every kind of model, on German Credit and Adult: all answers hold under the original object, within the limits, in
the dtypes that came in.

Slow, so only with SCFE_INTEROP=1 (`scripts/python models`); needs the packages of every library. SCFE_INTEROP_ROWS says
how many rows are asked of each model.
"""

from __future__ import annotations

import os
import warnings

import model_data
import model_zoo
import numpy as np
import pytest

import scfe

pytestmark = pytest.mark.skipif(not os.environ.get("SCFE_INTEROP"), reason="slow: set SCFE_INTEROP=1")
ROWS = int(os.environ.get("SCFE_INTEROP_ROWS", "200"))
QUESTION = {"max_changes": 3, "plausible": 0.05}


@pytest.mark.parametrize("table", model_data.DATA)
@pytest.mark.parametrize("name", model_zoo.NAMES)
def test_answers_hold_under_the_original(name: str, table: str) -> None:
    data, case = model_data.DATA[table](), model_zoo.case(name, table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ex = scfe.Explainer(
            case.model,
            case.rows.assign(**{data.label: data.labels}),
            label=data.label,
            freeze=[data.frozen],
            **case.options,
        )
    assert ex._source is not None and ex._source.predict is not None
    refused = case.rows[ex._source.predict(case.rows) == 0]
    rows = refused.iloc[np.arange(ROWS) % len(refused)]
    answers = ex.explain(rows, target=data.good, **QUESTION)
    frame = answers.to_frame()
    assert (frame.dtypes == rows.dtypes).all() and frame.index.equals(rows.index)
    assert answers.found.mean() > 0.5
    assert (ex._source.predict(frame[answers.found]) == 1).all()
    # A column that follows from another (education_num from education) changes with it and is not counted.
    free = [column for column in rows if column not in data.followers]
    changed = (frame[free].to_numpy(dtype=object) != rows[free].to_numpy(dtype=object)).sum(axis=1)
    assert changed.max() <= QUESTION["max_changes"]
    assert (frame[data.frozen].to_numpy() == rows[data.frozen].to_numpy()).all()
    assert ex.verify(answers)["holds"]
