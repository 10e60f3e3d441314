"""A Spark standalone cluster on this machine: a master and worker processes of one core each."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pyspark
from pyspark.sql import SparkSession

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # Java that starts quickly and leaves the cores to the rows


@contextmanager
def spark_cluster(workers: int = 2) -> Iterator[SparkSession]:
    home = os.path.dirname(pyspark.__file__)
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "log"), "w") as log:
        environment = {**os.environ, "SPARK_HOME": home, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m",
                       "SPARK_DAEMON_JAVA_OPTS": QUICK}  # fmt: skip

        def start(name: str, *words: str) -> subprocess.Popen[bytes]:
            command = [os.path.join(home, "bin", "spark-class"), f"org.apache.spark.deploy.{name}", *words]
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)

        port = free_port()
        started = [start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")]
        session = None
        try:
            wait_for(port)
            for _ in range(workers):
                place = ["--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", folder]
                started.append(start("worker.Worker", *place, f"spark://127.0.0.1:{port}"))
            session = open_session(f"spark://127.0.0.1:{port}", workers, folder)
            yield session
        finally:
            if session is not None:
                session.stop()
            for process in started:
                process.kill()
                process.wait()


def open_session(master: str, workers: int, folder: str) -> SparkSession:
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    settings = {
        "spark.executor.cores": "1",
        "spark.executor.memory": "512m",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": QUICK,
        "spark.executor.extraJavaOptions": QUICK,
        "spark.ui.enabled": "false",
        "spark.log.level": "OFF",
        "spark.local.dir": folder,
        "spark.sql.warehouse.dir": folder,
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.adaptive.enabled": "false",  # it would join the small partitions that the tests ask for
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "60s",
        "spark.cores.max": str(workers),
    }
    builder = SparkSession.builder.master(master).appName("scfe")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def executors() -> list[psutil.Process]:
    """The processes that run tasks, children of the worker processes."""
    return [one for one in psutil.Process().children(recursive=True) if _runs_tasks(one)]


def _runs_tasks(process: psutil.Process) -> bool:
    try:
        return any("CoarseGrainedExecutorBackend" in word for word in process.cmdline())
    except psutil.NoSuchProcess:  # it has ended meanwhile, or waits to be collected by its parent
        return False


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(port: int, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(f"nothing listens on port {port} after {seconds} seconds")
