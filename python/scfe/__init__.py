"""Counterfactual explanations: the smallest, realistic change that would have turned a decision.

    import scfe

    ex = scfe.Explainer("credit.onnx", data=df, label="risk", freeze=["age"])
    answers = ex.explain(rejected, target="good", max_changes=2)
    answers[0].changes, answers[0].reason, answers.to_frame()

The engine is the one of the command line `scfe`, with the same answers, to the bit.
"""

from __future__ import annotations

from ._answers import Answers, Change, Explanation, Hint, Status
from ._errors import Error
from ._explainer import Explainer
from ._files import explain_files
from ._infer import infer_schema
from ._library import version as _version
from ._loading import load
from ._measures import Audit, Comparison

__version__ = _version()

__all__ = [
    "Answers",
    "Audit",
    "Change",
    "Comparison",
    "Error",
    "Explainer",
    "Explanation",
    "Hint",
    "Status",
    "__version__",
    "explain_files",
    "infer_schema",
    "load",
]
