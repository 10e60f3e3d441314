"""The server, asked over HTTP: every route, every limit, every refusal, and the answers of the command line.

    python3 tests/server/server_test.py build/scfe .
"""
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from serving import Server, rows_of, run, typed  # noqa: E402

SCFE, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
DATA = os.path.join(ROOT, "data")
GERMAN = os.path.join(DATA, "german_credit.csv")
NAME = "german_credit"
tests = []


def test(function):
    tests.append(function)
    return function


class World:
    """What the tests share: a fitted file, a server of it, and its rows."""

    def __init__(self, folder):
        self.folder = folder
        self.fitted = os.path.join(folder, NAME + ".scfe")
        run(SCFE, "fit", "--model", f"{DATA}/models/{NAME}.onnx", "--data", GERMAN, "--schema",
            f"{DATA}/{NAME}.schema.json", "-o", self.fitted)
        self.jobs = os.path.join(folder, "jobs")
        self.server = Server(SCFE, self.fitted, "--jobs", self.jobs, "--examples", GERMAN, "--max-rows", "500",
                             "--max-body", "1", "--max-upload", "2", "--max-answers", "20", "--max-jobs", "5",
                             "--header-seconds", "1", "--body-seconds", "2", "--idle-seconds", "30")
        self.model = self.server.ask("GET", "/api/models/" + NAME).json
        self.table = rows_of(GERMAN)
        self.rows = [typed(row, self.model["features"]) for row in self.table]
        with open(GERMAN) as file:
            self.lines = file.readlines()

    def explain(self, body, status=200):
        answer = self.server.ask("POST", f"/api/models/{NAME}/explain", body)
        assert answer.status == status, (answer.status, answer.body[:500])
        return answer.json

    def csv(self, count):
        return "".join(self.lines[:count + 1])


@test
def describes_itself(w):
    ask = w.server.ask
    assert ask("GET", "/healthz").json == {"status": "ok"}
    assert ask("GET", "/readyz").json == {"status": "ready"}
    assert [m["name"] for m in ask("GET", "/api/models").json["models"]] == [NAME]
    assert ask("GET", "/v1/models").json == {"models": [NAME]}
    assert ask("GET", "/v1/models/" + NAME).json == {"name": NAME, "ready": True}
    features = {f["name"]: f for f in w.model["features"]}
    assert len(features) == 20 and features["amount"]["range"] == [250, 18424] and features["amount"]["unit"] == "DM"
    for feature in features.values():
        counts = feature["histogram"]["counts"]
        for c in w.model["classes"]:
            assert sum(counts[c["name"]]) == c["rows"], feature["name"]
        edges = feature["histogram"]["edges"]
        assert (edges is None) == (feature["levels"] is not None)
        assert edges is None or len(edges) == len(counts["refused"]) + 1
    assert set(w.model["start"]) == set(features)
    options = {o["name"]: o for o in ask("GET", "/api/options").json["options"]}
    assert {"target", "max-changes", "plausible", "answers", "path"} <= set(options) and "threads" not in options
    examples = ask("GET", f"/api/models/{NAME}/examples?limit=3").json["examples"]
    assert [e["row"] for e in examples] == ["1", "2", "3"] and examples[1]["class"] == "refused"
    assert ask("GET", f"/api/models/{NAME}/examples?limit=0").status == 400
    document = ask("GET", "/openapi.json").json
    assert document["openapi"] == "3.1.0" and "max-changes" in document["components"]["schemas"]["Question"]["properties"]
    responses = document["paths"]["/api/models/{model}/jobs"]["post"]["responses"]
    assert {"202", "400", "401", "403", "404", "408", "413", "415", "429", "431", "503"} <= set(responses), responses.keys()
    example = document["paths"]["/api/models/{model}/jobs"]["post"]["requestBody"]["content"]["text/csv"]["examples"][NAME]["value"]
    started = w.server.job(NAME, example)
    assert started.status == 202 and started.json["rows"] == 1 and ask("DELETE", started.headers["location"]).status == 204
    page = ask("GET", "/")
    assert page.status == 200 and "script-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"] and page.headers["x-content-type-options"] == "nosniff"
    dist = os.path.join(ROOT, "app", "web", "dist")
    embedded = [os.path.relpath(os.path.join(folder, name), dist) for folder, _, names in os.walk(dist) for name in names]
    assert "index.html" in embedded
    for name in embedded:
        file = ask("GET", "/" if name == "index.html" else "/" + name)
        assert file.status == 200 and file.body == open(os.path.join(dist, name), "rb").read(), name
    head = ask("HEAD", "/")
    assert head.status == 200 and head.body == b"" and int(head.headers["content-length"]) == len(page.body)
    metrics = ask("GET", "/metrics").body.decode()
    assert 'scfe_requests_total{route="/healthz",status="200"} ' in metrics


@test
def answers_as_the_command_line_does(w):
    rows = os.path.join(w.folder, "some.csv")
    with open(rows, "w") as file:
        file.write(w.csv(60))
    questions = [
        ({"target": "approved"}, ["--target", "approved"]),
        ({"target": "approved", "max-changes": 2, "freeze": ["purpose", "savings"], "range": {"amount": [None, 5000]}},
         ["--target", "approved", "--max-changes", "2", "--freeze", "purpose,savings", "--range", "amount=:5000"]),
        ({"target": "approved", "answers": 3}, ["--target", "approved", "--answers", "3"]),
        ({"target": "approved", "path": True, "plausible": 0.3},
         ["--target", "approved", "--path", "--plausible", "30%"]),
        ({"target": "approved", "max-changes": 1, "plausible": "60%", "probability": 0.9,
          "only-down": ["amount"], "rule": ["duration_months <= 60"]},
         ["--target", "approved", "--max-changes", "1", "--plausible", "60%", "--probability", "0.9",
          "--only-down", "amount", "--rule", "duration_months <= 60"]),
    ]
    compared = 0
    for question, flags in questions:
        out = os.path.join(w.folder, "out.json")
        run(SCFE, "explain", w.fitted, rows, *flags, "-o", out)
        lines = [json.loads(line) for line in open(out)][1:]
        answer = w.explain({"rows": w.rows[:60], "question": question})
        plans = []
        for row in answer["rows"]:
            plans += [(row, plan) for plan in row["plans"]] or [(row, None)]
        assert len(plans) == len(lines), question
        for line, (row, plan) in zip(lines, plans):
            assert line["row"] == row["row"] and line["predicted"] == row["predicted"], line
            if plan is None:
                assert line["status"] == row["status"] and line["reason"] == row["reason"]
                assert [h["text"] for h in line.get("hints", [])] == [h["text"] for h in row["hints"]]
                continue
            assert line["status"] == plan["status"] and line["counterfactual"] == plan["counterfactual"]
            assert [c["feature"] for c in line["changes"]] == [c["feature"] for c in plan["changes"]]
            for ours, theirs in (("probability_before",) * 2, ("probability",) * 2, ("quantile",) * 2, ("distance", "l2")):
                assert plan[ours] == line["metrics"][theirs], (ours, line["row"])
            assert line.get("answer", 1) == plan["rank"] and line.get("knee", False) == plan["knee"]
            compared += 1
        one = w.explain({"row": w.rows[1], "question": question})["rows"][0]
        assert [p["counterfactual"] for p in one["plans"]] == [p["counterfactual"] for p in answer["rows"][1]["plans"]]
        if question.get("path"):
            for row in answer["rows"]:
                assert [p["max_changes"] for p in row["path"]] == [p["rank"] for p in row["plans"]]
    assert compared > 200, compared


@test
def hints_can_be_applied(w):
    applied = {}
    narrow = {"target": "approved", "plausible": 0.5, "max-changes": 1, "probability": 0.9, "rule": ["duration_months <= 60"],
              "freeze": ["checking_account", "savings", "credit_history", "purpose"],
              "range": {"duration_months": [20, None], "amount": [2000, 9000]}}
    answer = w.explain({"rows": w.rows[:150], "question": narrow})
    for row, cells in zip(answer["rows"], w.rows):
        for hint in row["hints"]:
            if applied.get(hint["kind"], 0) >= 5:
                continue
            again = w.explain({"row": {**cells, **hint["apply"]["row"]}, "question": hint["apply"]["question"]})["rows"][0]
            assert again["status"] in ("valid", "already"), (hint, again["reason"])
            assert hint["apply"]["question"] != answer["question"]
            applied[hint["kind"]] = applied.get(hint["kind"], 0) + 1
    assert applied.get("changes") and applied.get("feature") and len(applied) >= 3, applied


@test
def predicts(w):
    body = w.server.ask("POST", f"/api/models/{NAME}/predict", {"rows": w.rows[:100]}).json
    explained = w.explain({"rows": w.rows[:100]})["rows"]
    assert len(body["predictions"]) == 100
    for p, e in zip(body["predictions"], explained):
        assert p["class"] == e["predicted"] and p["probability"] == e["probability"]
        assert abs(sum(p["probability"].values()) - 1) < 1e-9 and 0 <= p["typical"]["approved"] <= 1
    values = list(w.rows[0].values())
    kserve = w.server.ask("POST", f"/v1/models/{NAME}:predict", {"instances": [w.rows[0], values]}).json["predictions"]
    assert kserve[0] == body["predictions"][0] and kserve[1]["probability"] == kserve[0]["probability"]
    kserve = w.server.ask("POST", f"/v1/models/{NAME}:explain",
                          {"instances": w.rows[:3], "question": {"target": "approved"}}).json["explanations"]
    assert kserve == w.explain({"rows": w.rows[:3], "question": {"target": "approved"}})["rows"]


@test
def verifies(w):
    rows, out = os.path.join(w.folder, "v.csv"), os.path.join(w.folder, "v_out.csv")
    with open(rows, "w") as file:
        file.write(w.csv(40))
    run(SCFE, "explain", w.fitted, rows, "--target", "approved", "-o", out)
    answers = open(out).read()
    body = {"rows": w.csv(40), "answers": answers, "question": {"target": "approved"}}
    good = w.server.ask("POST", f"/api/models/{NAME}/verify", body).json
    assert good["holds"] and good["checked"] == 40 and not good["violations"]
    body["question"]["freeze"] = ["credit_history"]
    bad = w.server.ask("POST", f"/api/models/{NAME}/verify", body).json
    said = run(SCFE, "verify", w.fitted, rows, out, "--target", "approved", "--freeze", "credit_history")
    assert not bad["holds"] and bad["violations"]
    for violation in bad["violations"]:
        assert f"row {violation['row']}: {violation['text']}\n" in said
    body["answers"] = "nonsense"
    detail = w.server.ask("POST", f"/api/models/{NAME}/verify", body).detail
    assert "/proc" not in detail and "answers" in detail, detail


@test
def audits(w):
    question = urllib.parse.quote(json.dumps({"target": "approved"}))
    path = f"/api/models/{NAME}/audit?by=personal_status&question={question}"
    audit = w.server.ask("POST", path, w.csv(300), kind="text/csv").json
    rows, out = os.path.join(w.folder, "audit_rows.csv"), os.path.join(w.folder, "audit.csv")
    with open(rows, "w") as file:
        file.write(w.csv(300))
    run(SCFE, "audit", w.fitted, rows, "--by", "personal_status", "--target", "approved", "-o", out)
    for group, line in zip(audit["groups"], rows_of(out), strict=True):
        assert group["name"] == line["personal_status"] and group["rows"] == int(line["rows"])
        assert abs(group["distance"]["mean"] - float(line["l2"])) < 1e-12
    assert w.server.ask("POST", f"/api/models/{NAME}/audit?question={question}", w.csv(3), kind="text/csv").status == 400
    latin = "\n".join(line + (",J\u00fcrgen" if number else ",name") for number, line in enumerate(w.csv(3).splitlines())).encode("latin-1")
    refused = w.server.ask("POST", path.replace("by=personal_status", "by=name"), latin, kind="text/csv")
    assert refused.status == 400 and "UTF-8" in refused.detail, refused.body
    assert "did you mean 'personal_status'" in w.server.ask("POST", path.replace("personal_status", "sex"), w.csv(3), kind="text/csv").detail


@test
def works_through_jobs(w):
    question = json.dumps({"target": "approved", "max-changes": 2})
    started = w.server.job(NAME, w.csv(200), question=question, name="mine.csv", by="housing")
    assert started.status == 202, started.body
    job = started.json
    assert started.headers["location"] == "/api/jobs/" + job["id"] and job["rows"] == 200 and job["name"] == "mine.csv"
    done = w.server.wait_for(job["id"])
    assert done["done"] == 200 and done["answered"] + done["without"] == 200
    assert sum(done["summary"]["status"].values()) == 200
    rows = os.path.join(w.folder, "job_rows.csv")
    with open(rows, "w") as file:
        file.write(w.csv(200))
    for ending in ("csv", "json", "html"):
        out = os.path.join(w.folder, "job_out." + ending)
        by = ["--by", "housing"] if ending == "html" else []
        run(SCFE, "explain", w.fitted, rows, "--target", "approved", "--max-changes", "2", "-o", out, *by)
        answer = w.server.ask("GET", done["answers"][ending])
        assert answer.body == open(out, "rb").read(), ending
        assert answer.headers["content-disposition"].startswith("attachment")
    assert w.server.ask("GET", "/api/jobs").json["jobs"][0]["id"] == job["id"]
    assert w.server.ask("DELETE", "/api/jobs/" + job["id"]).status == 204
    assert w.server.ask("GET", "/api/jobs/" + job["id"]).status == 404
    assert not os.path.exists(os.path.join(w.jobs, job["id"]))
    for text, query, words in (("a,b\n1,2\n", {}, "duration_months"), (w.csv(2), {"question": "{"}, "JSON"),
                               (w.csv(2), {"question": '{"target":"aproved"}'}, "did you mean 'approved'"),
                               (w.csv(2), {"by": "nothing", "question": question}, "nothing")):
        refused = w.server.job(NAME, text, **query)
        assert refused.status == 400 and words in refused.detail, refused.body
        assert w.jobs not in refused.detail
    assert os.listdir(w.jobs) == []


@test
def jobs_survive_a_kill(w):
    folder = os.path.join(w.folder, "killed")
    many = w.csv(1000) + "".join("".join(w.lines[1:]) for _ in range(3))  # some seconds of work, in many batches
    question = json.dumps({"target": "approved", "path": True})
    answers = {}
    with Server(SCFE, w.fitted, "--jobs", folder, "--threads", "1") as server:
        job = server.job(NAME, many, question=question).json["id"]
        while server.ask("GET", "/api/jobs/" + job).json["done"] == 0:
            time.sleep(0.01)
        server.stop(signal.SIGKILL)
    kept = os.listdir(os.path.join(folder, job))
    assert "answers.csv.partial" in kept and "done.json" not in kept, kept
    with Server(SCFE, w.fitted, "--jobs", folder, "--threads", "2") as server:
        done = server.wait_for(job, seconds=300)
        assert done["done"] == 4000
        for ending in ("csv", "json", "html"):
            answers[ending] = server.ask("GET", f"/api/jobs/{job}/answers.{ending}").body
        fresh = server.job(NAME, many, question=question).json["id"]
        assert server.ask("GET", f"/api/jobs/{fresh}/answers.csv").status == 409
        # A server that is told to stop hands the job back, and the next one ends it.
        assert server.stop() == 0
    with Server(SCFE, w.fitted, "--jobs", folder) as server:
        server.wait_for(fresh, seconds=300)
        for ending in ("csv", "json", "html"):
            assert server.ask("GET", f"/api/jobs/{fresh}/answers.{ending}").body == answers[ending], ending
        assert server.ask("GET", f"/api/jobs/{job}/answers.csv").body == answers["csv"]  # finished ones stay
        cancelled = server.job(NAME, many, question=question).json["id"]
        assert server.ask("DELETE", "/api/jobs/" + cancelled).status == 204
        assert server.ask("GET", "/api/jobs/" + cancelled).status == 404
        end = time.time() + 30
        while os.path.exists(os.path.join(folder, cancelled)) and time.time() < end:
            time.sleep(0.05)
        assert not os.path.exists(os.path.join(folder, cancelled))


@test
def says_what_is_wrong(w):
    row = w.rows[0]
    path = f"/api/models/{NAME}/explain"
    cases = [
        ({"row": row, "question": {"target": "aproved"}}, "did you mean 'approved'"),
        ({"row": row, "question": {"max-change": 2}}, "did you mean 'max-changes'"),
        ({"row": row, "question": {"threads": 2}}, "got 'threads'"),
        ({"row": row, "question": {"density": "none"}}, "got 'density'"),
        ({"row": row, "question": {"freeze": ["amout"]}}, "did you mean 'amount'"),
        ({"row": row, "question": {"range": {"amount": [5, 4]}}}, "LO <= HI"),
        ({"row": row, "question": {"range": {"amount": 5}}}, "[LO, HI]"),
        ({"row": row, "question": {"answers": 21}}, "at most 20"),
        ({"row": row, "question": {"plausible": 7}}, "from 0 to 1"),
        ({"row": row, "question": {"rule": ["(" * 2000]}}, "letters"),
        ({"row": row, "question": {"rule": ["(" * 900]}}, "rule"),
        ({"row": row, "question": []}, "object"),
        ({"row": {**row, "amount": "much"}}, "column 'amount'"),
        ({"row": {**row, "housing": "castle"}}, "column 'housing'"),
        ({"row": {**row, "amount": None}}, "column 'amount'"),
        ({"row": {**row, "amount": [1]}}, "column 'amount'"),
        ({"row": {**row, "amout:max": 3}}, "amout"),
        ({"row": {k: v for k, v in row.items() if k != "amount"}}, "column 'amount'"),
        ({"row": 5}, "object"), ({"rows": 5}, "list"), ({}, "neither"), ({"row": row, "rows": [row]}, "both"),
        ({"row": row, "colour": 1}, "colour"), ("{", "JSON"), ("[]", "object"), (b'{"row": "\xff"}', "UTF-8"),
        ('{"row": {"a": 1e999}}', "JSON"), ("[" * 100000, "within each other"), ("", "JSON"), ("null", "object"),
    ]
    # Valid, but so deep that code which walks it by recursion would run out of stack.
    deep = "[" * 400_000 + "]" * 400_000
    cases += [(text % deep, "within each other") for text in ('{"row": %s}', '{"rows": [%s]}', '{"row": {"amount": %s}}', '{"row": {}, "question": %s}')]
    for body, words in cases:
        answer = w.server.ask("POST", path, body)
        assert answer.status == 400 and words in answer.detail, (body, answer.body[:300])
    ask = w.server.ask
    for method, where, status in (("GET", "/nowhere", 404), ("POST", "/api/models", 405), ("GET", path, 405), ("GET", "/api/models/none", 404),
                                  ("GET", "/api/jobs/none", 404), ("GET", "/api/jobs/..%2f..%2fetc%2fpasswd", 404),
                                  ("GET", "/api/jobs/%2e%2e/answers.csv", 404), ("DELETE", "/api/jobs/..", 404), ("DELETE", "/api/jobs/%2e", 404),
                                  ("GET", "/assets/..%2f..%2fetc%2fpasswd", 404), ("GET", "/../etc/passwd", 404), ("GET", "/%ff", 400),
                                  ("GET", "/%0", 400), ("GET", "/%00", 400), ("PUT", "/", 405)):
        answer = ask(method, where)
        assert answer.status == status and answer.detail, (method, where, answer.status)
    assert ask("POST", "/v1/models/none:explain", {"instances": []}).status == 404
    assert ask("POST", path, "{}", kind="text/plain").status == 415
    assert ask("POST", f"/api/models/{NAME}/jobs", "{}").status == 415
    assert w.explain({"rows": []})["rows"] == []


@test
def keeps_limits(w):
    ask = w.server.ask
    path = f"/api/models/{NAME}/explain"
    assert ask("POST", path, {"rows": [w.rows[0]] * 501}).status == 413
    assert ask("POST", path, b" " * (2 << 20)).status == 413
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    assert b" 413 " in w.server.raw(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 2 + b"0\r\n\r\n")[:20]
    assert b" 413 " in w.server.raw(head.encode() + b"Content-Length: 99999999999\r\n\r\n")[:20]
    assert b" 431 " in w.server.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 70000 + b"\r\n\r\n")[:20]
    assert ask("POST", f"/api/models/{NAME}/jobs", b"a" * (3 << 20), kind="text/csv").status == 413
    # Slow clients: headers and bodies that do not end, with the rest of the server unharmed.
    start = time.time()
    slow = socket.create_connection((w.server.host, w.server.port))
    slow.sendall(b"GET / HTTP/1.1\r\nHost: lo")
    body = socket.create_connection((w.server.host, w.server.port))
    body.sendall(head.encode() + b"Content-Length: 100\r\n\r\n{")
    assert ask("GET", "/healthz").status == 200
    for connection in (slow, body):
        connection.settimeout(20)
        assert b" 408 " in connection.recv(100)
        connection.close()
    assert time.time() - start < 15
    jobs = [w.server.job(NAME, w.csv(2)).json["id"] for _ in range(5)]
    refused = w.server.job(NAME, w.csv(2))
    assert refused.status == 429 and "delete" in refused.detail
    for job in jobs:
        assert ask("DELETE", "/api/jobs/" + job).status == 204
    for garbage in (b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 100,
                    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"):
        reply = w.server.raw(garbage)
        assert reply == b"" or reply.startswith(b"HTTP/1.1 4"), reply[:100]


@test
def finds_where_a_request_ends(w):
    """Lengths and codings that two servers could read in two ways are refused, and nothing behind them is taken for a request."""
    post = f"POST /api/models/{NAME}/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    get = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    behind = get + b"\r\n"
    for head, status in (
            (post + b"Content-Length: 18446744073709551616\r\n\r\n", 400), (post + b"Content-Length: 18446744073709551615\r\n\r\n", 413),
            (post + b"Content-Length: +2\r\n\r\n{}", 400), (post + b"Content-Length: 0x2\r\n\r\n{}", 400),
            (post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
            (post + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 400),
            (post + b"Transfer-Encoding: gzip\r\n\r\n", 400), (post + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
            (post + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            (post + b"Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n{}\r\n0\r\n\r\n", 400),
            (post + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n", 400),
            (post + b"Transfer-Encoding: chunked\r\n\r\n2;" + b"x" * 200_000 + b"\r\n{}\r\n0\r\n\r\n", 431),
            (post + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: " + b"x" * 200_000 + b"\r\n\r\n", 431),
            (get + f"Content-Length: {len(behind)}\r\n\r\n".encode(), 200), (get + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200),
            (get.replace(b"Host:", b"Host :") + b"\r\n", 400), (get.replace(b"\r", b"") + b"\n", 400)):
        reply = w.server.raw(head + behind)
        assert reply.startswith(f"HTTP/1.1 {status} ".encode()) and reply.count(b"HTTP/1.1 ") == 1, (head[-80:], reply[:400])
    good = w.server.raw(post + b"Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
    assert good.startswith(b"HTTP/1.1 400 ") and b"row" in good  # it was read: the member is missing
    assert w.server.raw(behind + get + b"Connection: close\r\n\r\n").count(b"HTTP/1.1 200 ") == 2
    # Text of a request comes back in bodies alone: line ends of a path or a name make no header.
    for path in ("/api/models/a%0d%0aX-Evil:%201", f"/api/models/{NAME}/jobs?name=a%0d%0aX-Evil:%201"):
        answer = w.server.ask("POST", path, w.csv(1), kind="text/csv")
        assert "x-evil" not in answer.headers
        if answer.status == 202:
            assert answer.json["name"] == "a\r\nX-Evil: 1" and w.server.ask("DELETE", answer.headers["location"]).status == 204


@test
def says_what_is_wrong_in_a_line(w):
    """Errors name the place, hold no text of a library, and stay short and readable whatever they quote."""
    explain = f"/api/models/{NAME}/explain"
    for body, words in (('{"row": 1e400}', "line 1, column"), ('{"row": "\\ud800"}', "expected a JSON document"), ('{"row": ', "the end of the text"),
                        (b'{"row": "\xff"}', "expected UTF-8 text")):
        answer = w.server.ask("POST", explain, body)
        assert answer.status == 400 and words in answer.detail and "exception" not in answer.detail, answer.body
    long = "a" + "\u00fc" * 200  # every cut at an even place is within a letter
    row = {**w.rows[0], "housing": long * 100}
    for body in ({"row": row, "question": long}, {"row": row, "question": {"range": {"amount": long}}}, {"row": row}, {"row": long}, {long: 1, "row": row}):
        answer = w.server.ask("POST", explain, body)
        assert answer.status == 400 and len(answer.detail.encode()) <= 300, answer.body[:1000]
        assert "\u00fc" in answer.detail and "\\x" not in answer.detail and "no UTF-8" not in answer.detail, answer.detail


@test
def keeps_jobs_to_itself(w):
    """The folder of jobs is the owner's, and one server's; a damaged job is a failed one and harms no other."""
    folder = os.path.join(w.folder, "own", "jobs")
    question = json.dumps({"target": "approved"})
    with Server(SCFE, w.fitted, "--jobs", folder) as server:
        assert os.stat(folder).st_mode & 0o777 == 0o700
        good, bad = (server.job(NAME, w.csv(20), question=question).json["id"] for _ in range(2))
        try:
            with Server(SCFE, w.fitted, "--jobs", folder):
                raise AssertionError("two servers share a folder of jobs")
        except RuntimeError as refused:
            assert "--jobs: expected a folder that no other server uses" in str(refused), refused
        for job in (good, bad):
            server.wait_for(job)
        assert server.stop() == 0
    kept = {}
    for name in ("job.json", "done.json"):
        with open(os.path.join(folder, bad, name)) as file:
            kept[name] = file.read()
    for name, text in (("job.json", ""), ("job.json", "[]"), ("job.json", "{}"), ("job.json", '{"created": 5}'),
                       ("job.json", kept["job.json"].replace('"question": {', '"question": 7, "other": {')),
                       ("done.json", kept["done.json"][:20]), ("done.json", "{}"),
                       ("done.json", kept["done.json"].replace('"rows": 20', '"rows": "x"'))):
        for file in kept:
            with open(os.path.join(folder, bad, file), "w") as out:
                out.write(text if file == name else kept[file])
        with Server(SCFE, w.fitted, "--jobs", folder) as server:
            jobs = {job["id"]: job for job in server.ask("GET", "/api/jobs").json["jobs"]}
            assert jobs[good]["state"] == "done" and jobs[bad]["state"] == "failed", (name, text, jobs[bad])
            error = jobs[bad]["error"]
            assert "damaged" in error and "exception" not in error and folder not in error, error
            assert server.ask("GET", f"/api/jobs/{bad}/answers.csv").status == 409
    with Server(SCFE, w.fitted, "--jobs", folder) as server:
        assert server.ask("DELETE", "/api/jobs/" + bad).status == 204
        assert os.listdir(folder) == [good]


@test
def drops_clients_that_do_not_read(w):
    with Server(SCFE, w.fitted, "--body-seconds", "1") as server:
        connections = lambda: int(server.ask("GET", "/metrics").body.decode().split("\nscfe_connections ")[1].split()[0])  # noqa: E731
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((server.host, server.port))
        deaf.settimeout(1)
        try:  # more answers than the buffers on the way can hold
            for _ in range(100):
                deaf.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        except (TimeoutError, ConnectionError):
            pass
        assert connections() >= 1
        end = time.time() + 20
        while connections() > 1 and time.time() < end:
            time.sleep(0.1)
        assert connections() == 1  # that of the question
        deaf.close()


@test
def serves_few_at_a_time(w):
    """Connections and the queue have an end, and what does not fit is told so."""
    with Server(SCFE, w.fitted, "--max-connections", "20", "--max-queue", "2", "--threads", "1") as server:
        idle = [socket.create_connection((server.host, server.port)) for _ in range(20)]
        time.sleep(0.5)
        assert b" 503 " in server.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")[:20]
        for connection in idle:
            connection.close()
        time.sleep(0.5)
        heavy = {"rows": w.rows[:200], "question": {"target": "approved", "path": True, "answers": 1, "plausible": 0.9, "max-changes": 6}}
        seen = []
        threads = [threading.Thread(target=lambda: seen.append(server.ask("POST", f"/api/models/{NAME}/explain", heavy).status))
                   for _ in range(10)]
        for thread in threads:
            thread.start()
        quick = time.time()
        assert server.ask("POST", f"/api/models/{NAME}/predict", {"row": w.rows[0]}).status == 200
        quick = time.time() - quick
        for thread in threads:
            thread.join()
        assert set(seen) == {200, 503}, seen
        assert quick < 5, quick


@test
def guards_its_door(w):
    ask = w.server.ask
    for host, status in (("localhost", 200), ("127.0.0.1:1", 200), ("[::1]:8", 200), ("10.1.2.3", 200),
                         ("evil.example", 403), ("localhost.evil.example", 403), ("", 403)):
        assert ask("GET", "/api/models", headers={"Host": host}).status == status, host
    here = f"{w.server.host}:{w.server.port}"
    for origin, status in ((f"http://{here}", 200), ("http://evil.example", 403), ("null", 403), (f"http://{here}.evil.example", 403)):
        assert ask("GET", "/api/models", headers={"Origin": origin}).status == status, origin
    # Two of a field: another server on the way may look at the other one.
    for once, again in ((b"Host: localhost", b"Host: evil.example"), (b"Host: localhost", b"Host: localhost"),
                        (b"Host: localhost\r\nOrigin: http://localhost", b"Origin: http://evil.example"),
                        (b"Host: localhost\r\nAuthorization: Bearer a", b"Authorization: Bearer b"),
                        (b"Host: localhost\r\nContent-Type: text/csv", b"Content-Type: application/json")):
        head = b"GET /api/models HTTP/1.1\r\nConnection: close\r\n" + once + b"\r\n"
        assert w.server.raw(head + b"\r\n").startswith(b"HTTP/1.1 200 "), once
        assert w.server.raw(head + again + b"\r\n\r\n").startswith(b"HTTP/1.1 400 "), again
    assert w.server.raw(b"GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    # What a page of another site may send without asking first is refused even without an Origin.
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert ask("POST", f"/api/models/{NAME}/explain", "{}", kind=kind).status == 415
        assert ask("POST", f"/api/models/{NAME}/jobs", w.csv(1), kind=kind).status == 415
    preflight = ask("OPTIONS", f"/api/models/{NAME}/jobs", headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"})
    assert preflight.status == 403 and not any(name.startswith("access-control") for name in preflight.headers)
    token = os.path.join(w.folder, "token")
    with open(token, "w") as file:
        file.write("0123456789abcdefSECRET\n")
    with Server(SCFE, w.fitted, "--address", "0.0.0.0", "--token-file", token, "--host", "models.example") as server:
        server.host = "127.0.0.1"
        for path, status in (("/", 200), ("/healthz", 200), ("/readyz", 200), ("/api/models", 401), ("/metrics", 401), ("/openapi.json", 401)):
            assert server.ask("GET", path).status == status, path
        for given in ("Bearer 0123456789abcdefSECRE", "Bearer ", "Bearer 0123456789abcdefSECRETx", "Basic 0123456789abcdefSECRET", ""):
            assert server.ask("GET", "/api/models", headers={"Authorization": given}).status == 401, given
        right = {"Authorization": "Bearer 0123456789abcdefSECRET", "Host": "models.example"}
        assert server.ask("GET", "/api/models", headers=right).status == 200
    for arguments, words in ((["--address", "0.0.0.0"], "--token-file"), (["--address", "::"], "--token-file"),
                             (["--address", "nowhere"], "IP address"), (["--max-rows", "0"], "from 1 to")):
        try:
            with Server(SCFE, w.fitted, *arguments):
                raise AssertionError(arguments)
        except RuntimeError as refused:
            assert words in str(refused), refused
    with open(token, "w") as file:
        file.write("short\n")
    try:
        with Server(SCFE, w.fitted, "--address", "0.0.0.0", "--token-file", token):
            raise AssertionError("a short token was taken")
    except RuntimeError as refused:
        assert "16 characters" in str(refused)


@test
def lets_go_of_work(w):
    """A client that goes away cancels its work; SIGTERM finishes requests and ends."""
    heavy = json.dumps({"rows": w.rows[:500], "question": {"target": "approved", "path": True, "plausible": 0.95, "robust": 0.05, "max-changes": 8}}).encode()
    head = f"POST /api/models/{NAME}/explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(heavy)}\r\n\r\n".encode()
    with Server(SCFE, w.fitted, "--threads", "1") as server:
        gone = socket.create_connection((server.host, server.port))
        gone.sendall(head + heavy)
        time.sleep(0.5)
        gone.close()
        start = time.time()
        assert server.ask("POST", f"/api/models/{NAME}/explain", {"row": w.rows[0]}).status == 200
        assert time.time() - start < 20
        assert "scfe_requests_cancelled_total 1" in server.ask("GET", "/metrics").body.decode()
    with Server(SCFE, w.fitted, "--grace-seconds", "2") as server:
        working = socket.create_connection((server.host, server.port))
        working.sendall(head + heavy)
        idle = socket.create_connection((server.host, server.port))
        time.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        working.settimeout(30)
        reply = working.recv(100)  # finished, or handed back if it had only been waiting
        assert reply.startswith((b"HTTP/1.1 200", b"HTTP/1.1 503")), reply
        assert server.process.wait(30) == 0
        idle.close()


@test
def a_thousand_idle_connections_do_no_harm(w):
    with Server(SCFE, w.fitted) as server:
        before = server.memory()
        idle = [socket.create_connection((server.host, server.port)) for _ in range(1000)]
        for connection in idle[:500]:
            connection.sendall(b"GET /healthz HTTP/1.1\r\n")
        for _ in range(20):
            assert server.ask("POST", f"/api/models/{NAME}/explain", {"row": w.rows[1]}).status == 200
        assert server.memory() - before < 100_000, "more than 100 kB for each idle connection"
        for connection in idle:
            connection.close()


@test
def hostile_names_are_text(w):
    """A model file with markup, quotes and line ends in its names."""
    evil = ['<script>alert(1)</script>', '"quoted"', "line\nend", "back\\slash", "%s%n", "../../x", "ключ"]
    path = os.path.join(w.folder, "hostile.csv")
    with open(path, "w") as file:
        quote = lambda text: '"' + text.replace('"', '""') + '"'  # noqa: E731
        file.write(",".join(quote(n) for n in evil) + ",label\n")
        for i in range(200):
            cells = [str((i * (k + 3)) % 17) for k in range(len(evil))]
            file.write(",".join(cells) + "," + ('"<b>yes</b>"' if int(cells[0]) > 8 else '"n""o"') + "\n")
    layer = {"activation": "none", "weight": [[1.0] + [0.0] * 6, [-1.0] + [0.0] * 6], "bias": [-8.5, 8.5]}
    model = os.path.join(w.folder, "hostile.json")
    with open(model, "w") as file:
        json.dump({"format": "scfe-dense", "version": 1, "classes": ["<b>yes</b>", 'n"o'], "layers": [layer]}, file)
    fitted = os.path.join(w.folder, "<b>hostile & co.scfe")
    try:
        run(SCFE, "fit", "--model", model, "--data", path, "--label", "label", "-o", fitted, "--classes", '<b>yes</b>,n"o')
    except AssertionError as error:
        print("  (no hostile model:", str(error)[:300], ")")
        raise
    with Server(SCFE, fitted) as server:
        name = server.ask("GET", "/api/models").json["models"][0]["name"]
        assert name == "_b_hostile___co", name
        document = server.ask("GET", f"/api/models/{name}")
        assert [f["name"] for f in document.json["features"]] == evil
        assert document.headers["content-type"] == "application/json"
        answer = server.ask("POST", f"/api/models/{name}/explain", {"row": document.json["start"]})
        assert answer.status == 200, answer.body
        assert server.ask("GET", "/openapi.json").json["components"]["schemas"][f"Row_{name}"]["required"] == evil


def main():
    wanted = sys.argv[3:]
    folder = tempfile.mkdtemp(prefix="scfe-server-test-")
    ran = failed = 0
    try:
        world = World(folder)
        for function in tests:
            if wanted and function.__name__ not in wanted:
                continue
            ran += 1
            start = time.time()
            try:
                function(world)
                print(f"ok   {function.__name__} ({time.time() - start:.1f} s)", flush=True)
            except Exception as error:  # noqa: BLE001
                failed += 1
                import traceback
                traceback.print_exc()
                print(f"FAIL {function.__name__}: {error!r}", flush=True)
        if world.server.process.poll() is not None:
            failed += 1
            print("FAIL the server died")
        world.server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{ran - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
