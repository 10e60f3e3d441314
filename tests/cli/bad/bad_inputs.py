"""Runs the program on 3,000 bad inputs, each made from a seed, and holds every run to the same promise:

    exit status 2; nothing on stdout; one line of at most 300 characters on stderr, which begins with "scfe: ",
    without control characters; at most 10 CPU seconds and 1 GB; no file left behind

    python3 bad_inputs.py SCFE SOURCE_FOLDER [COUNT [FIRST_SEED]]

Some kinds have few different inputs. An input that was made already does not count.
"""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import bombs
import onnx_bytes as o

WINE = 13  # features
LONGEST, CPU_SECONDS, MEMORY = 300, 10, 1 << 30


class Case:
    """One command line, with the files that it reads (name: content) in a folder of its own."""

    def __init__(self, words, files=None):
        self.words, self.files = words, files or {}

    def key(self):
        return tuple(self.words), tuple(sorted(self.files.items()))


class Maker:
    def __init__(self, scfe, data):
        self.scfe, self.data = scfe, data
        self.shared = tempfile.mkdtemp()
        self.bundle = os.path.join(self.shared, "wine.scfe")
        subprocess.run([scfe, "fit", "--model", self.path("models/wine.onnx"), "--data", self.path("wine.csv"), "--schema",
                        self.path("wine.schema.json"), "-o", self.bundle], check=True, capture_output=True)
        self.wine = self.read("wine.csv").decode().splitlines()
        self.kinds = [getattr(self, name) for name in dir(self) if name.startswith("case_")]

    def path(self, name):
        return os.path.join(self.data, "data", name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def fixture(self, name):
        with open(os.path.join(self.data, "tests/fixtures", name), "rb") as file:
            return file.read()

    def case(self, seed):
        r = random.Random(seed)
        kind = self.kinds[seed % len(self.kinds)]
        return kind.__name__[5:], kind(r)

    # The first so many seeds whose inputs differ.
    def different(self, count, first):
        seeds, seen = [], set()
        for seed in itertools.count(first):
            key = hash(self.case(seed)[1].key())
            if key not in seen:
                seen.add(key)
                seeds.append(seed)
            if len(seeds) == count:
                return seeds

    # What a name or a cell may hold that no terminal should see, and no line has room for.
    def nasty(self, r):
        return r.choice(["x", "", " ", "\x1b[31mred\x1b[0m", "\x07\x08", "ü" * 200, "y" * r.choice([10, 1000, 100_000]),
                         "<script>", "%s%n", "../../etc", "a\tb", "\x9b2J", "'", "\u202e", "{}", "-"])

    def explain_rows(self, rows, r, flags=()):
        verb = r.choice(["explain", "explain", "keep", "audit"])
        extra = ["--by", "class", "--target", "1"] if verb == "audit" else []
        return Case([verb, self.bundle, "rows.csv", "-o", "out.csv", *extra, *flags], {"rows.csv": rows})

    def with_model(self, name, content, r, inspect=0.4):
        if r.random() < inspect:
            return Case(["inspect", name], {name: content})
        return Case(["fit", "--model", name, "--data", self.path("wine.csv"), "--schema", self.path("wine.schema.json"),
                     "-o", "out.scfe"], {name: content})

    # Tables.
    def case_cell(self, r):
        rows = [line.split(",") for line in self.wine[:r.randint(2, 8)]]
        row, column = r.randrange(1, len(rows)), r.randrange(WINE)
        bad = r.choice(["many", "", "nan", "-inf", "1e999", "0x10", "1e", "--1", "1 2", "1,5", "?", "NA", "1\x002", "\xe9"])
        cell = bad if r.random() < 0.6 else self.nasty(r) + "x"
        rows[row][column] = '"' + cell.replace('"', '""') + '"'
        text = "\n".join(",".join(row) for row in rows)
        return self.explain_rows(text.encode("latin-1" if cell == "\xe9" else "utf-8", "replace"), r)

    def case_width(self, r):
        rows = [line.split(",") for line in self.wine[:r.randint(3, 8)]]
        row = r.randrange(1, len(rows))
        rows[row] = rows[row][:r.randrange(1, WINE)] if r.random() < 0.5 else rows[row] + ["1"] * r.randint(1, 3000)
        return self.explain_rows("\n".join(",".join(row) for row in rows), r)

    def case_header(self, r):
        names = self.wine[0].split(",")
        at = r.randrange(WINE)
        names[at] = r.choice([names[at] + "x", names[(at + 1) % WINE], '"' + self.nasty(r).replace('"', "") + 'q"'])
        return self.explain_rows("\n".join([",".join(names)] + self.wine[1:r.randint(1, 4)]), r)

    def case_quotes(self, r):
        lines = self.wine[:r.randint(3, 6)]
        lines[-1] = r.choice(['"' + lines[-1], lines[-1].replace(",", ',"', 1), '"1"2' + lines[-1]])
        return self.explain_rows("\n".join(lines), r)

    def case_encoding(self, r):
        text = "\n".join(self.wine[:4])
        return self.explain_rows(r.choice([b"\xff\xfe" + text.encode("utf-16-le"), b"\xfe\xff" + text.encode("utf-16-be"),
                                           text.encode().replace(b",", b"\0", 1 + r.randrange(5)), b"",
                                           bytes(r.randrange(256) for _ in range(r.randint(1, 200))) + b"\0"]), r)

    def case_no_rows(self, r):
        return Case([*r.choice([["keep", self.bundle, "rows.csv"], ["audit", self.bundle, "rows.csv", "--by", "class", "--target", "1"],
                                ["evaluate", self.bundle, "rows.csv", "rows.csv"]]),
                     "-o", "out.csv"], {"rows.csv": r.choice([self.wine[0], self.wine[0] + "\n", "\n\n", "a\n", "a,b\n"])})

    def case_limits(self, r):
        names = self.wine[0].split(",")
        ending = r.choice([":min", ":max", ":fixed", ":most"])
        name = r.choice(names[:WINE]) if ending != ":most" else r.choice(names[:WINE])
        cell = r.choice(["x", "1e999", "maybe", "\x1b", "y" * 5000])
        if ending == ":most":
            name, ending = name + "z" * r.randint(1, 50), ":min"
        lines = [f"{self.wine[0]},{name}{ending}"] + [f'{line},"{cell}"' for line in self.wine[1:3]]
        return Case(["explain", self.bundle, "rows.csv", "-o", "out.csv"], {"rows.csv": "\n".join(lines)})

    def case_id(self, r):
        lines = ["id," + self.wine[0]] + [f"i{i}," + line for i, line in enumerate(self.wine[1:4])]
        spoilt = "\n".join(lines).encode().replace(b"i1", b"J\xfcrgen" * r.randint(1, 9))
        schema = json.loads(self.read("wine.schema.json"))
        schema["id"] = "id"
        return Case(["explain", "--model", self.path("models/wine.onnx"), "--data", self.path("wine.csv"), "--schema", "s.json",
                     "rows.csv", "-o", r.choice(["out.json", "out.csv", "out.html"])],
                    {"rows.csv": spoilt, "s.json": json.dumps(schema)})

    # Fitted files.
    def case_bundle(self, r):
        with open(self.bundle, "rb") as file:
            content = bytearray(file.read())
        if r.random() < 0.5:
            del content[r.randrange(len(content)):]
        else:
            content[r.randrange(len(content))] ^= 1 << r.randrange(8)
        return Case(["explain", "e.scfe", self.path("wine.csv"), "-o", "out.csv"], {"e.scfe": bytes(content)})

    # Schemas: a value of the wrong type anywhere is an error.
    def case_schema(self, r):
        document = json.loads(self.read(r.choice(["wine.schema.json", "german_credit.schema.json"])))
        places = []

        def walk(value, parent, key):
            if parent is not None:
                places.append((parent, key))
            for k, v in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
                walk(v, value, k)

        walk(document, None, None)
        parent, key = r.choice(places)
        old = parent[key]
        parent[key] = [1] if isinstance(old, dict) else {self.nasty(r): 1} if isinstance(old, list) else [[["x" * r.randint(1, 5000)]]]
        if r.random() < 0.2:
            parent[key] = old
            document[self.nasty(r) + "q"] = 1
        text = json.dumps(document)
        if r.random() < 0.3:
            text = text[:r.randrange(len(text) - 1)]
        return Case(["fit", "--model", self.path("models/wine.onnx"), "--data", self.path("wine.csv"), "--schema", "s.json", "-o",
                     "out.scfe"], {"s.json": text})

    # A table of distances between all levels would be made.
    def case_order(self, r):
        levels = [f"l{i}" for i in range(r.choice([2049, 5000, 20_000, 60_000]))]
        schema = {"format": "scfe-schema", "version": 1, "label": {"column": "y", "classes": ["0", "1"]}, "features": [
            {"name": "a", "type": "categorical", "encoding": "code", "levels": levels, "order": True}]}
        model = {"format": "scfe-dense", "version": 1, "layers": [{"weight": [[1]], "bias": [-2]}]}
        return Case(["fit", "--model", "m.json", "--data", "rows.csv", "--schema", "s.json", "-o", "out.scfe"],
                    {"m.json": json.dumps(model), "s.json": json.dumps(schema), "rows.csv": "a,y\n" + "l1,0\nl7,1\n" * 3})

    def case_json(self, r):
        name, prefix = r.choice([("m.json", '{"format": "scfe-dense", "version": '), ("m.json", '{"learner": '),
                                 ("m.json", '{"format": "scfe-dense", "version": 1, "layers": ')])
        value = r.choice([bombs.deep(r.choice([3, 65, 70, 5000])), "1e999", "-1e999", "nul", '"\\ud800"', '"\xff"', "[1,]", "{]",
                          "01", "+1", "'a'", '"' + "x" * 9000, "{}", "[]", '[{"weight": [["a"]], "bias": [1]}]',
                          '[{"weight": [[1e39]], "bias": [1]}]', '[{"weight": [[1, 2], [3]], "bias": [1, 2]}]', "NaN"])
        return self.with_model(name, (prefix + value + r.choice(["}", "}", ""])).encode("latin-1"), r)

    # Models.
    def case_cut(self, r):
        name, content = r.choice([("m.onnx", self.read("models/wine.onnx")), ("m.json", self.read("models/wine.json")),
                                  ("m.json", self.fixture("levels/xgboost.json")), ("m.ubj", self.fixture("levels/xgboost.ubj")),
                                  ("m.txt", self.fixture("levels/lightgbm.txt"))])
        most = len(content) - 2
        if name == "m.txt":
            most = content.index(b"end of parameters")
        if name == "m.onnx":
            most = content.index(b"ai.onnx") if b"ai.onnx" in content else len(content) // 2
        return self.with_model(name, content[:r.randrange(1, most)], r)

    def case_xgboost(self, r):
        document = json.loads(self.fixture("levels/xgboost.json"))
        learner = document["learner"]
        trees = learner["gradient_booster"]["model"]["trees"]
        tree = r.choice(trees)
        lists = ["left_children", "right_children", "split_indices", "default_left", "split_conditions"]
        key = r.choice(lists)
        change = r.randrange(6)
        if change == 0:
            del tree[key]
        elif change == 1:
            tree[key] = tree[key] + [0] * r.randint(1, 9)
        elif change == 2:
            tree[r.choice(lists)] = r.choice(["x", 1, {}, [[]], ["y" * 5000], [None]])
        elif change == 3:
            learner["learner_model_param"]["num_feature"] = r.choice(["13abc", "-1", "1e99", "nan", "", "3.5", [], "x" * 900])
        elif change == 4:
            learner["learner_model_param"]["base_score"] = r.choice(["x", "5E-1x", "nan", "inf", "[1,2,3,4,5,6,7]", {}, "2"])
        else:
            learner[r.choice(["objective", "gradient_booster", "learner_model_param"])] = r.choice([[], {}, 1, "x", None])
        return self.with_model("m.json", json.dumps(document), r)

    def case_lightgbm(self, r):
        lines = self.fixture("levels/lightgbm.txt").decode().splitlines()
        keys = ["num_tree_per_iteration", "max_feature_idx", "num_leaves", "leaf_value", "split_feature", "threshold", "decision_type",
                "left_child", "right_child"]
        at = [i for i, line in enumerate(lines) if line.split("=")[0] in keys]
        place = r.choice(at)
        key = lines[place].split("=")[0]
        bad = r.choice(["", "x", "1abc", "99999999999999999999", "0x1", "\x1b[0m", "z" * 5000, "1e999", "nan " * 3, "5 5 5 5 5 5 5 5 5 5 5 5 5 5 5"])
        lines[place] = f"{key}={bad}"
        return self.with_model("m.txt", "\n".join(lines) + "\n", r)

    def case_onnx(self, r):
        name = self.nasty(r) + "n"
        weights = [0.5] * WINE
        x, y = o.port("x", [-1, WINE]), o.port("y", [-1, 1])
        w = o.tensor("w", [WINE, 1], weights)
        dot = o.node("MatMul", ["x", "w"], ["y"])
        bad_weights = list(weights)
        bad_weights[r.randrange(WINE)] = r.choice([float("nan"), float("inf"), float("-inf")])
        return self.with_model("m.onnx", r.choice([
            lambda: o.model([o.node(name, ["x"], ["y"])], [], [x], [y]),
            lambda: o.model([o.node("MatMul", ["x", name], ["y"])], [w], [x], [y]),
            lambda: o.model([o.node("Add", ["a", "x"], ["b"]), o.node("Add", ["b", "x"], ["a"])], [], [x], [o.port("a", [-1, WINE])]),
            lambda: o.model([dot, o.node("MatMul", ["x", "w"], ["y"])], [w], [x], [y]),
            lambda: o.model([dot], [o.tensor("w", [WINE, 1], bad_weights)], [x], [y]),
            lambda: o.model([dot], [o.tensor("w", [WINE, 2], weights)], [x], [y]),
            lambda: o.model([dot], [o.tensor("w", [1 << r.randint(20, 62), 1], weights)], [x], [y]),
            lambda: o.model([dot], [o.tensor("w", [-1, 1], weights)], [x], [y]),
            lambda: o.model([dot], [w], [x], [y], opset=r.choice([0, 99, 1 << 40])),
            lambda: o.model([dot], [w], [], [y]),
            lambda: o.model([dot], [w], [o.port("x", [-1, -1])], [y]),
            lambda: o.model([dot], [w], [o.port("x", [5, WINE])], [y]),
            lambda: o.model([dot], [w], [o.port("x", [-1, WINE], 99)], [y]),
            lambda: o.model([dot], [o.external("w", [WINE, 1], r.choice(["../w.bin", "/etc/hostname", "none.bin", "", name]))], [x], [y]),
            lambda: o.model([dot], [o.external("w", [1 << 40, 1], "m.onnx")], [x], [y]),
            lambda: o.model([o.node("Reshape", ["x", "s"], ["y"])], [o.tensor("s", [2], [1 << 40, 1 << 20], kind=7)], [x], [y]),
            lambda: o.model([o.node("Expand", ["x", "s"], ["y"])], [o.tensor("s", [3], [1 << 12, 1 << 12, 13], kind=7)], [x], [y]),
            lambda: o.linear(WINE + r.randint(1, 9)),
            lambda: bytes([8]) + bytes(r.randrange(256) for _ in range(r.randint(1, 99))),
            lambda: b"\x08\x08" + o.text(7, b"\x0a" * r.randint(1, 99)),
        ])(), r, inspect=0)  # which describes some of these without complaint

    def case_density(self, r):
        name = self.nasty(r) + "n"
        x, y, flow = o.port("x", [-1, WINE]), o.port("y", [-1, 1]), self.read("models/wine_flow.onnx")
        dot, w = o.node("MatMul", ["x", "w"], ["y"]), o.tensor("w", [WINE, 1], [0.5] * WINE)
        content = r.choice([
            lambda: o.linear(WINE + r.choice([-3, -1, 1, 5, 99])),
            lambda: flow[:r.randrange(1, len(flow) // 2)],
            lambda: o.model([o.node("MatMul", ["x", "w"], ["y"])], [o.tensor("w", [WINE, r.randint(3, 9)], [0.5] * WINE)], [x], [y]),
            lambda: o.model([dot, o.node("Neg", ["y"], [name])], [w], [x], [y, o.port(name, [-1, 1])]),
            lambda: o.model([o.node("MatMul", ["x", "w"], [name]), o.node("Floor", [name], ["y"])], [w], [x], [y]),
            lambda: o.model([o.node("MatMul", ["x", "w"], ["z"]), o.node("Neg", ["z"], ["v"]), o.node("Log", ["v"], ["y"])], [w], [x], [y]),
            lambda: o.model([o.node("RandomNormalLike", ["x"], ["y"])], [], [x], [y]),
            lambda: o.model([o.node("MatMul", ["x", name], ["y"])], [w], [x], [y]),
        ])()
        density = r.choice(["d.onnx", "d.onnx", "other cultivars=d.onnx,cultivar 2=d.onnx", "cultivar 2=d.onnx", name[:50] + "=d.onnx"])
        return Case(["fit", "--model", self.path("models/wine.onnx"), "--data", self.path("wine.csv"), "--schema", self.path("wine.schema.json"),
                     "--density", density, "-o", "out.scfe"], {"d.onnx": content})

    def case_foreign(self, r):
        content = r.choice([b"", b"\0" * 99, b"PK\x03\x04" + b"z" * 99, b"tree\n", b"tree\nversion=v4\n", b"\x89SCFE\r\n\x1a", b"GIF89a",
                            b"{", b"[]", b"null", b'"x"', b"\x1f\x8b" + b"q" * 50, self.read("wine.csv"), b"\xff" * 300])
        return r.choice([lambda: self.with_model("m.bin", content, r),
                         lambda: Case(["explain", "e.scfe", self.path("wine.csv"), "-o", "out.csv"], {"e.scfe": content}),
                         lambda: Case(["images", "i.idx", "-o", "out.csv"], {"i.idx": content})])()

    def case_idx(self, r):
        content = bytearray(bombs.idx(3, 2, 2) + bytes(12))
        change = r.randrange(4)
        if change == 0:
            del content[r.randrange(len(content)):]
        elif change == 1:
            content[r.randrange(4)] ^= 1 << r.randrange(3, 8)
        elif change == 2:
            content[4 + r.randrange(12)] ^= 128
        else:
            content += b"x" * r.randint(1, 9)
        return Case(["images", "i.idx", "-o", "out.csv", "--schema", "out.json"], {"i.idx": bytes(content)})

    # The command line.
    def case_flags(self, r):
        flag, values = r.choice([
            ("--max-changes", ["0", "-1", "x", "1.5", "99999999999999999999", "nan"]), ("--plausible", ["-1", "2", "x", "nan", "101%"]),
            ("--threads", ["-1", "x", "1e9", "99999999999"]), ("--seed", ["-1", "x", "1.5"]), ("--time-limit", ["-1", "nan", "x"]),
            ("--target", ["red", "", "7", "-3"]), ("--solver", ["magic", ""]), ("--range", ["hue", "hue=2:1", "hue=a:b", "=", "hue=nan:1"]),
            ("--freeze", ["colour", ",", ""]), ("--answers", ["0", "x", "1e9"]), ("--probability", ["0.1", "1.5", "x"]),
            ("--memory-limit", ["0", "-1", "x", "4Q", "nan", "1e99", "M"]), ("--robust", ["2", "-1", "x"]), ("--sparsity", ["l7", ""]),
            ("--only-up", ["nothing"]), ("--id", ["nothing"]), ("--density", ["x"]), ("--" + r.choice("abcdefgh") * r.randint(3, 9), ["1"])])
        value = r.choice(values)
        if flag in ("--target", "--solver", "--freeze", "--only-up", "--density") and r.random() < 0.5:
            value = self.nasty(r).replace("\0", "") + "q"
        return Case(["explain", self.bundle, self.path("wine.csv"), flag, value, "-o", "out.csv"])

    def case_words(self, r):
        return Case(r.choice([
            lambda: [self.nasty(r) + "verb"], lambda: ["explain"], lambda: ["explain", self.bundle], lambda: ["fit"],
            lambda: ["explain", self.bundle, self.nasty(r) + "none.csv"], lambda: ["explain", self.nasty(r) + "none.scfe", self.path("wine.csv")],
            lambda: ["schema", "/dev/zero"], lambda: ["inspect", "/dev/zero"], lambda: ["inspect", "/"], lambda: ["images", "/dev/zero", "-o", "out.csv"],
            lambda: ["explain", "/dev/zero", self.path("wine.csv")], lambda: ["inspect", "/dev/urandom"],
            lambda: ["explain", self.bundle, self.path("wine.csv"), "-o", self.nasty(r).replace("/", "") + ".txt"],
            lambda: ["explain", self.bundle, self.path("wine.csv"), "-o", "none/out.csv"],
            lambda: ["explain", self.bundle, self.path("wine.csv"), "--" + self.nasty(r) + "z"],
            lambda: ["verify", self.bundle, self.path("wine.csv"), self.path("housing.csv")]])())

    def case_rules(self, r):
        part = r.choice(["hue", "ash", "alcohol", "3", "`hue`", "(hue + ash", "colour", "\x1b", "9" * 400, "(" * r.choice([3, 200, 9000]), "hue hue"])
        rule = r.choice([part + " <=", part + " + ", "at most " + part, ":= " + part, part + " := ", f"at most 1e300 of {part}", f"({part}", part + " < hue",
                         f"at most -1 of hue, {part}"])
        return Case(["explain", self.bundle, self.path("wine.csv"), "--rule", rule.replace("\0", ""), "-o", "out.csv"])

    def case_answers(self, r):
        lines = self.wine[:4]
        head = r.choice(["row", "row,status", "", self.nasty(r).replace('"', "").replace("\n", "")])
        return Case([r.choice(["verify", "evaluate"]), self.bundle, "rows.csv", "answers.csv"],
                    {"rows.csv": "\n".join(lines), "answers.csv": head + "\n" + r.choice(["", "1\n", "x,y,z\n", '"\n', "1,valid\n" * 5])})

    def case_bombs(self, r):
        name = r.choice([name for name in bombs.BOMBS if name not in ("deep.lightgbm.txt",)])
        folder = os.path.join(self.shared, "bombs")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            bombs.write(name, folder)
        if name.endswith(".csv"):
            return Case(["explain", self.bundle, path, "-o", "out.csv"])
        if name.endswith(".gz"):
            return Case(["images", path, "-o", "out.csv"])
        if name.endswith("schema.json"):
            return Case(["fit", "--model", self.path("models/wine.onnx"), "--data", self.path("wine.csv"), "--schema", path, "-o", "out.scfe"])
        return Case(["fit", "--model", path, "--data", self.path("wine.csv"), "--schema", self.path("wine.schema.json"), "-o", "out.scfe"])


# A shell sets the limits of CPU seconds and of a file's size (blocks of 512 bytes): a function between fork and exec would
# cost Python more time than the program takes.
LIMITED = ["/bin/sh", "-c", f'ulimit -t {CPU_SECONDS + 5}; ulimit -f {(1 << 30) // 512}; exec "$0" "$@"']


def run(scfe, case):
    """What is wrong with the run; empty if nothing."""
    folder = tempfile.mkdtemp()
    try:
        for name, content in case.files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
        with open(os.path.join(folder, ".out"), "wb") as out, open(os.path.join(folder, ".err"), "wb") as err:
            process = subprocess.Popen([*LIMITED, scfe, *case.words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        with open(os.path.join(folder, ".out"), "rb") as out, open(os.path.join(folder, ".err"), "rb") as err:
            said, complaint = out.read(), err.read()
        wrong = []
        if process.returncode != 2:
            wrong.append(f"exit {process.returncode}")
        lines = complaint.decode("utf-8", "replace").split("\n")
        if len(lines) != 2 or lines[1] or not lines[0].startswith("scfe: "):
            wrong.append(f"{len(lines) - 1} lines")
        if len(lines[0]) > LONGEST:
            wrong.append(f"a line of {len(lines[0])} characters")
        if any(ord(c) < 32 or 127 <= ord(c) < 160 or c == "\ufffd" for c in lines[0]):
            wrong.append("raw bytes in the line")
        if "json.exception" in lines[0]:
            wrong.append("the text of a library")
        if said:
            wrong.append("output on stdout")
        seconds = usage.ru_utime + usage.ru_stime
        if seconds > CPU_SECONDS:
            wrong.append(f"{seconds:.1f} CPU seconds")
        if usage.ru_maxrss * 1024 > MEMORY:
            wrong.append(f"{usage.ru_maxrss // 1024} MB")
        left = set(os.listdir(folder)) - set(case.files) - {".out", ".err"}
        if left:
            wrong.append(f"left behind: {', '.join(sorted(left))}")
        return (", ".join(wrong) and f"{', '.join(wrong)}: {lines[0][:200]}"), seconds, usage.ru_maxrss / 1024
    finally:
        shutil.rmtree(folder)


def main():
    scfe, source = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 3000
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    maker = Maker(scfe, source)
    tested, took, failures, slowest, largest = {}, {}, 0, 0, 0
    try:
        os.makedirs(os.path.join(maker.shared, "bombs"), exist_ok=True)
        for name in bombs.BOMBS:
            bombs.write(name, os.path.join(maker.shared, "bombs"))
        seeds = maker.different(count, first)

        def one(seed):
            kind, case = maker.case(seed)
            return seed, kind, case, run(scfe, case)

        with ThreadPoolExecutor(2) as pool:
            for seed, kind, case, (wrong, seconds, megabytes) in pool.map(one, seeds):
                tested[kind] = tested.get(kind, 0) + 1
                took[kind] = took.get(kind, 0) + seconds
                slowest, largest = max(slowest, seconds), max(largest, megabytes)
                if wrong:
                    failures += 1
                    print(f"FAILED: seed {seed}, {kind}: {wrong}\n  {' '.join(case.words)[:300]!r}", file=sys.stderr)
    finally:
        shutil.rmtree(maker.shared)
    print(f"{len(seeds)} different bad inputs of {len(tested)} kinds (seeds {first} to {seeds[-1]}), {failures} failures; "
          f"at most {slowest:.1f} CPU seconds and {largest:.0f} MB, {sum(took.values()):.0f} CPU seconds in all")
    print(", ".join(f"{kind} {number} ({took[kind]:.1f} s)" for kind, number in sorted(tested.items())))
    sys.exit(1 if failures else 0)


main()
