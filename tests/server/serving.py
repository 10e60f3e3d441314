"""Starts `scfe serve` for a test, and asks it. Standard library only."""
import csv
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse


class Server:
    def __init__(self, scfe, *arguments, port=0):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([scfe, "serve", "--port", str(port), *arguments], stdout=subprocess.PIPE,
                                        stderr=self.log, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://([^/]+):(\d+)/", line)
        if not found:
            self.process.wait()
            self.log.seek(0)
            raise RuntimeError(line + self.log.read().decode())
        self.host, self.port = found.group(1), int(found.group(2))

    def ask(self, method, path, body=None, headers=None, kind="application/json", timeout=120):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        headers = dict(headers or {})
        if body is not None:
            headers.setdefault("Content-Type", kind)
            if not isinstance(body, (bytes, str)):
                body = json.dumps(body)
            if isinstance(body, str):
                body = body.encode()
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return Answer(response.status, dict((k.lower(), v) for k, v in response.getheaders()), data)

    def raw(self, data, timeout=30):
        """Sends bytes as they are, and returns all that comes back until the connection ends."""
        with socket.create_connection((self.host, self.port), timeout=timeout) as connection:
            connection.sendall(data)
            received = b""
            try:
                while piece := connection.recv(65536):
                    received += piece
            except (TimeoutError, ConnectionResetError):
                pass
            return received

    def job(self, model, text, **query):
        path = f"/api/models/{model}/jobs?" + urllib.parse.urlencode(query)
        return self.ask("POST", path, text, kind="text/csv")

    def wait_for(self, job, state="done", seconds=120):
        end = time.time() + seconds
        while time.time() < end:
            answer = self.ask("GET", "/api/jobs/" + job).json
            if answer["state"] == state:
                return answer
            assert answer["state"] in ("waiting", "running"), answer
            time.sleep(0.02)
        raise AssertionError(f"job is {answer['state']} after {seconds} s, expected {state}")

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def stop(self, signal_number=signal.SIGTERM, seconds=30):
        self.process.send_signal(signal_number)
        return self.process.wait(seconds)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def detail(self):
        assert self.headers["content-type"] == "application/problem+json", (self.status, self.body[:300])
        problem = self.json
        assert problem["status"] == self.status and problem["title"] and problem["type"] == "about:blank", problem
        return problem["detail"]


def run(scfe, *arguments, good=(0, 1)):
    result = subprocess.run([scfe, *arguments], capture_output=True, text=True)
    assert result.returncode in good, (arguments, result.stderr)
    return result.stdout


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def typed(row, features):
    """A row of a CSV file as cells of a request."""
    return {f["name"]: row[f["name"]] if f["levels"] else float(row[f["name"]]) for f in features}
