"""The tree ensembles that bench/trees.py measures: how each is trained, saved for scfe, and asked by its own library."""
import lightgbm
import numpy as np
import onnx.helper
import xgboost
from skl2onnx import to_onnx
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier

# skl2onnx 1.20 hands booleans and NumPy numbers to onnx, which refuses them (histogram boosting).
make_attribute = onnx.helper.make_attribute
onnx.helper.make_attribute = lambda key, value, *more, **named: make_attribute(
    key, [int(v) if isinstance(v, (bool, np.bool_, np.integer)) else v for v in value] if isinstance(value, list) else value, *more, **named)


class Ensemble:
    """An untrained ensemble by name, and the library's predictions once it is trained."""

    def __init__(self, name, suffix, model):
        self.name, self.suffix, self.model = name, suffix, model

    def fit(self, x, y):
        self.model.fit(x.astype(np.float32) if self.suffix == "onnx" else x, y)

    def save(self, path):
        if self.suffix == "ubj":
            self.model.save_model(path)
        elif self.suffix == "txt":
            self.model.booster_.save_model(path)
        else:
            example = np.zeros((1, self.model.n_features_in_), np.float32)
            with open(path, "wb") as file:
                file.write(to_onnx(self.model, example, target_opset={"": 18, "ai.onnx.ml": 3}).SerializeToString())

    def probabilities(self, x):
        return self.model.predict_proba(x.astype(np.float32) if self.suffix == "onnx" else x)


def xgb(trees, depth):
    return Ensemble(f"xgboost {trees}x{depth}", "ubj", xgboost.XGBClassifier(n_estimators=trees, max_depth=depth, learning_rate=0.1, n_jobs=1))


def lgbm(trees, leaves, depth=-1):
    name = f"lightgbm {trees}x{depth}" if depth > 0 else f"lightgbm {trees}x{leaves} leaves"
    return Ensemble(name, "txt", lightgbm.LGBMClassifier(n_estimators=trees, num_leaves=leaves, max_depth=depth, verbose=-1, n_jobs=1))


def gb(trees, depth):
    return Ensemble(f"sklearn gb {trees}x{depth}", "onnx", GradientBoostingClassifier(n_estimators=trees, max_depth=depth, random_state=0))


def hist(trees, leaves):
    return Ensemble(f"sklearn hist {trees}x{leaves} leaves", "onnx", HistGradientBoostingClassifier(max_iter=trees, max_leaf_nodes=leaves, random_state=0))


def forest(trees, depth):
    return Ensemble(f"random forest {trees}x{depth}", "onnx", RandomForestClassifier(trees, max_depth=depth, random_state=0))


def of_bars():
    return [xgb(100, 6), lgbm(100, 63, 6), gb(100, 6), forest(100, 8)]


def of_changes():
    return [xgb(100, 3), xgb(300, 6), lgbm(100, 8), lgbm(300, 31), gb(100, 3), hist(100, 8), forest(100, 5), forest(500, 8)]
