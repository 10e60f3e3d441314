"""Requests to begin with, for the fuzzer of the server (fuzz/request.cpp): python3 fuzz/requests.py FOLDER"""
import json
import sys
import urllib.parse

row = {"a": 3, "b": 9, "c": "x"}
table = "a,b,c\n3,9,x\n12,1,y\n"
question = {"target": "yes", "max-changes": 2, "plausible": 0.1, "freeze": ["c"], "range": {"a": [None, 15]}, "rule": ["a <= 30"], "answers": 2}
asked = urllib.parse.quote(json.dumps({"target": "yes"}))
requests = [("GET", path, None, "") for path in ("/", "/healthz", "/api/models", "/api/models/m", "/api/options", "/openapi.json", "/metrics",
                                                "/v1/models/m", "/api/models/m/examples?limit=3", "/api/jobs", "/assets/x.js", "/%41%ff")]
requests += [("POST", "/api/models/m/" + verb, body, "application/json") for verb, body in (
    ("predict", {"row": row}), ("predict", {"rows": [row, [1, 2, "z"]]}), ("explain", {"row": {**row, "a:max": 12}, "question": question}),
    ("explain", {"rows": [row], "question": {**question, "path": True, "answers": 1}}), ("explain", {"row": row, "question": {"target": "any", "robust": 0.05}}),
    ("verify", {"rows": table, "answers": table, "question": {"target": "yes"}}))]
requests += [("POST", "/v1/models/m:explain", {"instances": [row]}, "application/json"),
             ("POST", f"/api/models/m/audit?by=c&question={asked}", table, "text/csv"), ("POST", "/api/models/m/jobs", table, "text/csv")]
for number, (method, path, body, kind) in enumerate(requests):
    text = "" if body is None else body if isinstance(body, str) else json.dumps(body)
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
    if body is not None:
        head += f"Content-Type: {kind}\r\nContent-Length: {len(text)}\r\n"
    with open(f"{sys.argv[1]}/request_{number}", "w", newline="") as file:
        file.write(head + "\r\n" + text)
