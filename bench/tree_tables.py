"""Tables with their schema for the benches of tree ensembles, and the tool that explains their rows."""
import json
import os
import subprocess

import numpy as np
import pandas

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "data")


class Table:
    """A CSV file with its schema, one-hot encoded as the schema says."""

    def __init__(self, name, csv, schema):
        self.name, self.csv = name, csv
        self.frame = pandas.read_csv(csv, keep_default_na=False)
        with open(schema) as file:
            self.schema = json.load(file)
        self.schema_path = schema
        self.features = self.schema["features"]
        label = self.schema["label"]
        values = [c["values"] if isinstance(c, dict) else [c] for c in label["classes"]]
        column = self.frame[label["column"]].astype(str)
        self.y = np.array([[v in group for group in values].index(True) for v in column])
        self.x = self.encode(self.frame)

    def encode(self, frame):
        columns = []
        for f in self.features:
            cells = frame[f["name"]].astype(str)
            if "levels" in f:
                places = np.array([f["levels"].index(c) for c in cells])
                one_hot = f["type"] == "categorical"
                columns.append(np.eye(len(f["levels"]))[places] if one_hot else places[:, None])
            else:
                columns.append(cells.astype(float).to_numpy()[:, None])
        return np.hstack(columns)


def adult(folder, scratch):
    """Without the survey weight and the text twin of education_num; rows with gaps are dropped."""
    path = os.path.join(folder, "adult.csv")
    if not os.path.exists(path):
        return None
    frame = pandas.read_csv(path, keep_default_na=False).drop(columns=["fnlwgt", "education"])
    frame = frame[~(frame == "?").any(axis=1)]
    csv, schema = os.path.join(scratch, "adult.csv"), os.path.join(scratch, "adult.schema.json")
    frame.to_csv(csv, index=False)
    fixed = {"age", "race", "sex", "native_country", "relationship", "marital_status"}
    features = []
    for name in frame.columns[:-1]:
        if frame[name].dtype == object or str(frame[name].dtype).startswith("str"):
            levels = sorted(frame[name].unique())
            kind = "binary" if len(levels) == 2 else "categorical"
            features.append({"name": name, "type": kind, "levels": levels, "immutable": name in fixed})
        else:
            features.append({"name": name, "type": "integer", "range": [int(frame[name].min()), int(frame[name].max())],
                             "immutable": name in fixed})
    with open(schema, "w") as file:
        json.dump({"format": "scfe-schema", "version": 1, "label": {"column": "income", "classes": ["<=50K", ">50K"]},
                   "missing": {"policy": "error", "strings": [""]}, "features": features}, file)
    return Table("adult", csv, schema)


def synthetic(scratch):
    """3,000 rows of ten numbers, five integers and three categories; a smooth rule of several of them together, with noise."""
    random = np.random.default_rng(7)
    count = 3000
    frame = pandas.DataFrame({f"x{j}": np.round(random.normal(size=count), 3) for j in range(10)})
    for j, top in enumerate((5, 10, 20, 50, 100)):
        frame[f"n{j}"] = random.integers(0, top + 1, count)
    for j, levels in enumerate((3, 5, 8)):
        frame[f"c{j}"] = [f"level{k}" for k in random.integers(0, levels, count)]
    score = (frame.x0 * frame.x1 + np.sin(2 * frame.x2) + 0.8 * frame.x3 - 0.5 * frame.x4**2 + 0.4 * frame.x5 * (frame.n1 - 5) / 3
             + 0.02 * (frame.n4 - 50) + 0.6 * (frame.c1 == "level2") - 0.8 * (frame.c2 == "level5") + 0.5 * random.normal(size=count))
    frame["label"] = np.where(score > np.median(score), "yes", "no")
    features = [{"name": name, "type": "categorical", "levels": sorted(frame[name].unique())} if name.startswith("c") else
                {"name": name, "type": "continuous" if name.startswith("x") else "integer",
                 "range": [float(frame[name].min()), float(frame[name].max())]} for name in frame.columns[:-1]]
    for f in features:
        f["immutable"] = False
    csv, schema = os.path.join(scratch, "synthetic.csv"), os.path.join(scratch, "synthetic.schema.json")
    frame.to_csv(csv, index=False)
    with open(schema, "w") as file:
        json.dump({"format": "scfe-schema", "version": 1, "label": {"column": "label", "classes": ["no", "yes"]},
                   "missing": {"policy": "error", "strings": [""]}, "features": features}, file)
    return Table("synthetic", csv, schema)


def asked(tool, table, model, rows, questions, scratch):
    """The tool's result for each question, with the answers."""
    given, file, prefix = (os.path.join(scratch, name) for name in ("rows.csv", "questions.json", "answers"))
    rows.to_csv(given, index=False)
    with open(file, "w") as out:
        json.dump({name: {"options": options} for name, options in questions.items()}, out)
    done = subprocess.run([tool, model, table.schema_path, table.csv, given, file, prefix], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    for line in done.stdout.splitlines():
        result = json.loads(line)
        yield result, pandas.read_csv(f"{prefix}.{result['question']}.csv", keep_default_na=False)
