"""Models for interop_forests.py: trained, exported, and predicted by their own library and by ONNX Runtime.

Precisions: `float32`: trained on single precision and exported so; `float`: trained on the table as pandas reads it and
exported for float inputs; `double`: trained on and exported for double; `frame`: `to_onnx(pipeline, frame[:1])` on the table
as pandas reads it, whole numbers as int64; `own`: the library's own file, which ONNX Runtime cannot read.
"""
import os

import lightgbm
import numpy as np
import onnx
import onnx.helper
import onnxruntime
import pandas
import xgboost
from onnxmltools.convert.lightgbm.operator_converters.LightGbm import convert_lightgbm
from onnxmltools.convert.xgboost.operator_converters.XGBoost import convert_xgboost
from skl2onnx import to_onnx, update_registered_converter
from skl2onnx.common.data_types import FloatTensorType, StringTensorType
from skl2onnx.common.shape_calculator import calculate_linear_classifier_output_shapes
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (AdaBoostClassifier, ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier,
                              RandomForestClassifier)
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

try:
    import catboost
except ImportError:
    catboost = None

# For histogram boosting, skl2onnx 1.20 passes booleans and NumPy numbers to onnx, which rejects them.
make_attribute = onnx.helper.make_attribute
onnx.helper.make_attribute = lambda key, value, *more, **named: make_attribute(
    key, [int(v) if isinstance(v, (bool, np.bool_, np.integer)) else v for v in value] if isinstance(value, list) else value, *more, **named)

for kind, name, convert in ((xgboost.XGBClassifier, "XGBoostXGBClassifier", convert_xgboost),
                            (lightgbm.LGBMClassifier, "LightGbmLGBMClassifier", convert_lightgbm)):
    update_registered_converter(kind, name, calculate_linear_classifier_output_shapes, convert,
                                options={"nocl": [True, False], "zipmap": [True, False, "columns"]})

OPSETS = {"": 18, "ai.onnx.ml": 3}
SKLEARN = {
    "tree": lambda r: DecisionTreeClassifier(max_depth=3 + r % 5, random_state=r),
    "random forest": lambda r: RandomForestClassifier(10 + r % 30, max_depth=3 + r % 5, random_state=r),
    "extra trees": lambda r: ExtraTreesClassifier(10 + r % 30, max_depth=3 + r % 5, random_state=r),
    "gradient boosting": lambda r: GradientBoostingClassifier(n_estimators=10 + r % 40, max_depth=2 + r % 3, random_state=r),
    "hist boosting": lambda r: HistGradientBoostingClassifier(max_iter=10 + r % 40, max_leaf_nodes=6 + r % 10, min_samples_leaf=10, random_state=r),
    "AdaBoost": lambda r: AdaBoostClassifier(DecisionTreeClassifier(max_depth=1 + r % 2), n_estimators=8 + r % 15, random_state=r),
}
BOOSTERS = {
    "XGBoost": lambda r: xgboost.XGBClassifier(n_estimators=10 + r % 40, max_depth=3 + r % 3, n_jobs=1, random_state=r, enable_categorical=True),
    "LightGBM": lambda r: lightgbm.LGBMClassifier(n_estimators=10 + r % 40, num_leaves=6 + r % 12, min_child_samples=10, n_jobs=1, verbose=-1, random_state=r),
}
# Other trees of scikit-learn take missing cells too, but skl2onnx 1.20 does not write where they go (and never ends in double).
TAKES_MISSING = {"hist boosting", "XGBoost", "LightGBM"}


class NoExport(Exception):
    """The exporter's own refusal: nothing for us to explain."""


def absent():
    return [] if catboost else ["CatBoost left out: the package is not installed"]


def refused(model, table, steps, precision):
    """What skl2onnx 1.20 does not convert, or converts to a file that ONNX Runtime refuses.

    AdaBoost of a frame of whole numbers converts, but is a known gap: its file casts to integers and then scales in
    single precision, and what that rounds is not guarded in models of several forests (docs/onnx.md, hard decisions).
    """
    if model == "AdaBoost" and precision in ("double", "frame"):
        return True
    return steps == "imputer" and precision in ("double", "frame")


def choices(table):
    """model, preprocessing, precision"""
    ready = ["ordinal", "one-hot", "columns"] if table.texts else ["imputer"] if table.missing else ["bare", "standard", "minmax", "columns"]
    if table.missing:
        ready += ["bare", "standard"]
    whole = any(table.frame[f].dtype.kind == "i" for f in table.numbers)
    for model in (*SKLEARN, *BOOSTERS):
        for steps in ready:
            if table.missing and steps != "imputer" and model not in TAKES_MISSING:
                continue
            for precision in ("float32", "float", "double", *(["frame"] if whole and steps != "bare" else [])):
                if not refused(model, table, steps, precision):
                    yield model, steps, precision
        if model in BOOSTERS:
            yield model, "bare", "own"
    if catboost and not table.texts and not table.missing:
        yield "CatBoost", "bare", "float"


def preprocessing(table, steps):
    """Transformers that come before the model."""
    half = len(table.numbers) // 2
    if steps == "bare":
        return []
    if steps == "standard":
        return [StandardScaler()]
    if steps == "minmax":
        return [MinMaxScaler()]
    if steps == "imputer":
        return [SimpleImputer(strategy="median"), StandardScaler()]
    if steps == "ordinal":
        return [ColumnTransformer([("o", OrdinalEncoder(), table.texts)], remainder="passthrough")]
    if steps == "one-hot":
        return [ColumnTransformer([("h", OneHotEncoder(handle_unknown="ignore"), table.texts)], remainder="passthrough")]
    scaled = [("s", StandardScaler(), table.numbers[:half]), ("m", MinMaxScaler(), table.numbers[half:-1]), ("p", "passthrough", table.numbers[-1:])]
    cut = len(table.texts) // 2
    levels = [("h", OneHotEncoder(handle_unknown="ignore"), table.texts[:cut]), ("o", OrdinalEncoder(), table.texts[cut:])] if table.texts else []
    return [ColumnTransformer(scaled + levels)]


def without_zipmap(path):
    """The file with probabilities as a matrix: dictionaries are slow."""
    model = onnx.load(path)
    for node in list(model.graph.node):
        if node.op_type == "ZipMap":
            model.graph.node.remove(node)
            for output in model.graph.output:
                if output.name == node.output[0]:
                    output.CopyFrom(onnx.helper.make_tensor_value_info(node.input[0], onnx.TensorProto.FLOAT, None))
    return model.SerializeToString()


KINDS = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(int64)": np.int64, "tensor(string)": object}


class Runtime:
    """ONNX Runtime: classes and probabilities of a frame, one thread."""

    def __init__(self, path):
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(without_zipmap(path), settings, providers=["CPUExecutionProvider"])

    def __call__(self, frame):
        inputs = self.session.get_inputs()
        if len(inputs) == 1 and frame.shape[1] > 1:
            feed = {inputs[0].name: frame.to_numpy(KINDS[inputs[0].type])}
        else:
            feed = {i.name: frame[f].to_numpy(KINDS[i.type]).reshape(-1, 1) for i, f in zip(inputs, frame.columns)}
        classes, probabilities = self.session.run(None, feed)[:2]
        return np.asarray(classes).ravel().astype(int), np.asarray(probabilities)


class Case:
    """A trained and exported model of a table."""

    def __init__(self, table, model, types, file, runtime, matrix=False, flags=()):
        self.table, self.model, self.types, self.file, self.runtime = table, model, types, file, runtime
        self.matrix, self.flags = matrix, flags  # whether the library takes an array; flags of `scfe fit`
        self.classes = int(table.classes.max()) + 1
        self.agreement = 1.0 if runtime is None else float((self.library(table.frame)[0] == runtime(table.frame)[0]).mean())

    def library(self, frame):
        frame = frame.astype(self.types)
        frame = frame.to_numpy() if self.matrix else frame
        p = self.model.predict_proba(frame)
        return np.asarray(self.model.predict(frame)).ravel().astype(int), p


def types_of(table, precision):
    """The types that the model is trained on."""
    if precision == "own":
        return {f: pandas.CategoricalDtype(sorted(table.frame[f].unique())) for f in table.texts}
    kind = {"float32": np.float32, "double": np.float64}.get(precision)
    return {f: kind for f in table.numbers} if kind else {}


def write(model, path):
    """Saves a converted model. Many converters declare double probabilities, but the operator computes floats; then ONNX
    Runtime refuses the file, and the declaration is corrected."""
    onnx.save(model, path)
    try:
        Runtime(path)
    except Exception as error:
        if "of output arg (probabilities)" not in str(error):
            raise
        model.graph.output[1].type.tensor_type.elem_type = onnx.TensorProto.FLOAT
        onnx.save(model, path)


def build(table, model, steps, precision, folder, seed):
    types = types_of(table, precision)
    frame, classes = table.frame.astype(types), table.classes
    x, y = frame.iloc[table.trained], classes[table.trained]
    if model == "CatBoost":
        made = catboost.CatBoostClassifier(iterations=10 + seed % 40, depth=3 + seed % 3, verbose=0, thread_count=1, random_seed=seed,
                                           allow_writing_files=False).fit(x, y)
        path = os.path.join(folder, "model.onnx")
        made.save_model(path, format="onnx")
        return Case(table, made, types, "model.onnx", Runtime(path))
    last = (SKLEARN | BOOSTERS)[model](seed)
    flags = ["--missing", "impute" if steps == "imputer" else "drop"] if table.missing else []
    if precision == "own":
        last.fit(x, y)
        booster, file = (last.get_booster(), "model.json") if model == "XGBoost" else (last.booster_, "model.txt")
        booster.save_model(os.path.join(folder, file))
        return Case(table, last, types, file, None, flags=flags)
    made = make_pipeline(*preprocessing(table, steps), last)
    matrix = model == "XGBoost" and steps == "bare"  # its converter wants the names f0, f1, ...
    if model == "XGBoost":
        last.set_params(enable_categorical=False)
    made.fit(x.to_numpy() if matrix else x, y)
    sample = dict(X=x.to_numpy()[:1] if steps == "bare" else x[:1])  # trees alone are exported for one matrix only
    if precision == "float":
        if table.texts or steps == "columns":
            sample = dict(initial_types=[(f, (StringTensorType if f in table.texts else FloatTensorType)([None, 1])) for f in table.features])
        else:
            sample = dict(initial_types=[("X", FloatTensorType([None, len(table.features)]))])
    path = os.path.join(folder, "model.onnx")
    try:
        exported = to_onnx(made, **sample, options={id(last): {"zipmap": False}}, target_opset=OPSETS)
        write(exported, path)
        return Case(table, made, types, "model.onnx", Runtime(path), matrix, flags)
    except Exception as error:  # of many kinds: the exporter's, or ONNX Runtime's on what it wrote
        raise NoExport(f"{type(error).__name__}: {str(error).strip().splitlines()[0][:160]}") from error
