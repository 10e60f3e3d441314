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


def run(tool, table, saved, rows, m, scratch):
    given, out = os.path.join(scratch, "rows.csv"), os.path.join(scratch, "out.csv")
    rows.to_csv(given, index=False)
    done = subprocess.run([tool, saved, table.schema_path, table.csv, given, out, str(m)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout), pandas.read_csv(out, keep_default_na=False)
