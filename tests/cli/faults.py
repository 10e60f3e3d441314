"""Whatever happens to a run of scfe explain, a run with --resume writes the same bytes as an undisturbed one.

    python3 faults.py PATH_OF_SCFE SOURCE_FOLDER

Three outputs (CSV, JSON lines, HTML) are written at once. fault_shim.c is preloaded and lets the n-th call that changes a
file fail: for every n the process is killed before the call, killed within a write, and finds the disk full from then on.
Further runs are killed at random times, read from files that fail, and resume from damaged journals. The last line says how
much was tested.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

scfe, source = sys.argv[1], sys.argv[2]
here = os.path.dirname(os.path.abspath(__file__))
data = os.path.join(source, "data")
endings = ["csv", "json", "html"]
tested = {}
failures = 0


def fail(what):
    global failures
    failures += 1
    print("FAILED:", what, file=sys.stderr)
    if failures > 20:
        sys.exit("too many failures")


def count(what):
    tested[what] = tested.get(what, 0) + 1


def run(arguments, fault=None, at=0, wait=None):
    """Exit status and stderr; negative: killed. wait: seconds after which it is killed."""
    environment = dict(os.environ)
    if fault:
        environment.update(LD_PRELOAD=shim, SCFE_FAULT=fault, SCFE_FAULT_AT=str(at), SCFE_FAULT_LOG="calls")
    process = subprocess.Popen([scfe, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        errors = process.communicate(timeout=wait)[1]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        errors = process.communicate()[1]
    return process.returncode, errors.decode(errors="replace")


def question(rows, name, resume=False, endings=endings):
    flags = ["--threads", "1", "--density", "none", "--plausible", "none", "--max-changes", "1", "--hints", "false"]
    for ending in endings:
        flags += ["-o", f"{name}.{ending}"]
    return ["explain", "wine.scfe", rows, *flags] + (["--resume"] if resume else [])


def content(path):
    with open(path, "rb") as file:
        return file.read()


def remains():
    return sorted(name for name in os.listdir(".") if ".part" in name)


def clear():
    for name in os.listdir("."):
        if name.startswith(("out.", ".out.")):
            os.remove(name)


def expect_whole(what, whole):
    for ending in endings:
        path = f"out.{ending}"
        if not os.path.exists(path) or content(path) != whole[ending]:
            fail(f"{what}: {path} differs from an undisturbed run")


def expect_no_half(what, whole):
    """A file that has its name is complete."""
    for ending in endings:
        if os.path.exists(f"out.{ending}") and content(f"out.{ending}") != whole[ending]:
            fail(f"{what}: out.{ending} is there and not complete")


def expect_one_line(what, status, errors):
    if status != 2 or errors.count("\n") != 1 or not errors.startswith("scfe: ") or len(errors) > 400:
        fail(f"{what}: exit {status}, {errors!r}")


def resume(what, rows, whole):
    status, errors = run(question(rows, "out", resume=True))
    if status not in (0, 1):
        fail(f"{what}: resume: exit {status}, {errors!r}")
    expect_whole(what, whole)
    if [name for name in remains() if name.endswith(".partial")]:
        fail(f"{what}: left behind: {remains()}")


def calls_of(rows):
    clear()
    status, errors = run(question(rows, "out"), "count")
    if status not in (0, 1):
        fail(f"undisturbed run: {errors}")
    changes, reads = map(int, content("calls").split())
    return {ending: content(f"out.{ending}") for ending in endings}, changes, reads


def every_call(rows):
    whole, changes, reads = calls_of(rows)
    if changes < 40 or reads < 4:
        fail(f"only {changes} changes and {reads} reads were seen: the shim does not work")
    for at in range(1, changes + 1):
        for fault in ["kill", "torn", "full"]:
            clear()
            what = f"{fault} at call {at} of {changes}"
            status, errors = run(question(rows, "out"), fault, at)
            if fault == "kill" and status != -signal.SIGKILL:
                fail(f"{what}: exit {status}")
            if status >= 0 and fault == "full" and status not in (0, 1):
                expect_one_line(what, status, errors)
                if [name for name in remains() if name.startswith(".")]:
                    fail(f"{what}: a temporary file is left: {remains()}")
            if status in (0, 1):  # no write came after that call
                expect_whole(what, whole)
                count(f"no {fault} any more")
                continue
            expect_no_half(what, whole)
            resume(what, rows, whole)
            count(fault)


def full_disk_keeps_rows(rows):
    """The rows of all batches before are there: a resumed run reads fewer answers than it would compute anew."""
    _, changes, _ = calls_of(rows)
    kept = 0
    for at in range(changes // 2, changes):
        clear()
        status, errors = run(question(rows, "out"), "full", at)
        if status == 2 and "--resume" in errors:
            kept += 1
            if len([name for name in remains() if name.endswith(".partial")]) < 1:
                fail(f"full at {at}: {errors!r}, but nothing is kept")
    if kept < 5:
        fail(f"a full disk kept rows only {kept} times")
    count("full disk that keeps rows")


def reads_that_fail(rows):
    _, _, reads = calls_of(rows)
    for at in range(1, reads + 1):
        clear()
        status, errors = run(question(rows, "out"), "read", at)
        if status in (0, 1):
            count("read that was not needed")
            continue
        expect_one_line(f"read {at} fails", status, errors)
        count("failing read")
    if tested.get("failing read", 0) < 2:
        fail("no read failed")


def kills_at_random(rows, kills):
    clear()
    began = time.time()
    run(question(rows, "out"))
    whole, takes = {ending: content(f"out.{ending}") for ending in endings}, time.time() - began
    chance = random.Random(7)
    done, resumed_rows = 0, 0
    while done < kills:
        clear()
        first = True
        while done < kills:
            status, errors = run(question(rows, "out", resume=not first), wait=chance.uniform(0.01, 0.7 * takes))
            first = False
            if status >= 0:
                if status == 2:
                    fail(f"after {done} kills: {errors!r}")
                break
            done += 1
            count("kill at a random time")
            expect_no_half("random kill", whole)
        resumed_rows += any(name.endswith(".partial") for name in remains())
        resume("random kills", rows, whole)
    if resumed_rows == 0:
        fail("no random kill left rows")


def kill_after_first_batch(rows, changes):
    """The journals of a run that is killed when each of them has some rows, and none has all."""
    for at in range(1, changes):
        clear()
        run(question(rows, "out"), "kill", at)
        journals = {name: content(name) for name in remains() if name.endswith(".partial")}
        if len(journals) == 3 and min(map(len, journals.values())) > 2000:
            return journals
    fail("no kill left three journals with rows")
    return {}


def damaged_journals(rows):
    """Torn, zeroed and flipped journals: what is damaged is computed again."""
    whole, changes, _ = calls_of(rows)
    journals = kill_after_first_batch(rows, changes)
    chance = random.Random(11)

    def flip(bytes):
        at = chance.randrange(13, len(bytes))
        return bytes[:at] + b"%c" % (bytes[at] ^ (1 << chance.randrange(8))) + bytes[at + 1:]

    def zeros(bytes):
        at = chance.randrange(len(bytes))
        return bytes[:at] + bytes[at:at + 4096].translate(b"\0" * 256) + bytes[at + 4096:]

    ways = {"flipped": flip, "zeros": zeros, "torn": lambda bytes: bytes[:chance.randrange(len(bytes))],
            "zeros at the end": lambda bytes: bytes + b"\0" * 4096, "empty": lambda bytes: b"",
            "other bytes": lambda bytes: chance.randbytes(len(bytes)), "twice": lambda bytes: bytes + bytes[100:]}
    for way, damage in ways.items():
        for _ in range(4):
            clear()
            for name, bytes in journals.items():
                with open(name, "wb") as file:
                    file.write(damage(bytes))
            resume(f"journal {way}", rows, whole)
            count("damaged journal")


def changed_rows(rows):
    """Every row that is answered already is compared, not only the first ones; later rows may change."""
    _, changes, _ = calls_of(rows)
    kill_after_first_batch(rows, changes)
    lines = content(rows).splitlines(keepends=True)
    for row, accepted in [(1, False), (60, False), (len(lines) - 1, True)]:
        changed = lines[:]
        changed[row] = b"12.34" + changed[row][changed[row].index(b","):]
        with open("changed.csv", "wb") as file:
            file.write(b"".join(changed))
        status, errors = run(question("changed.csv", "out", resume=True))
        if not accepted:
            expect_one_line(f"row {row} changed", status, errors)
            if "same question" not in errors:
                fail(f"row {row} changed: {errors!r}")
        elif status not in (0, 1):
            fail(f"row {row} changed: {errors!r}")
        count("changed rows")
    kill_after_first_batch(rows, changes)
    with open("changed.csv", "wb") as file:
        file.write(b"".join(lines[:30]))
    status, errors = run(question("changed.csv", "out", resume=True))
    expect_one_line("fewer rows", status, errors)
    count("changed rows")


def two_runs(rows):
    """The second run says who writes the output, and changes nothing."""
    clear()
    first = subprocess.Popen([scfe, *question(rows, "out")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not os.path.exists("out.csv.partial") and first.poll() is None:
        time.sleep(0.001)
    refused = 0
    for name in ["out", "./out", os.path.abspath("out")]:
        status, errors = run(question(rows, name, endings=["csv"]))
        if first.poll() is not None:
            break
        expect_one_line("second run", status, errors)
        if f"process {first.pid}" not in errors:
            fail(f"who holds the output: {errors!r}")
        refused += 1
    first.wait()
    if refused == 0:
        fail("the first run was over too soon")
    else:
        count("two runs at once")


def main():
    global shim
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        shim = os.path.join(folder, "shim.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", shim, os.path.join(here, "fault_shim.c"), "-ldl"], check=True)
        subprocess.run([scfe, "fit", "--model", f"{data}/models/wine.onnx", "--data", f"{data}/wine.csv", "--schema",
                        f"{data}/wine.schema.json", "--density", "none", "-o", "wine.scfe"], check=True, stdout=subprocess.DEVNULL)
        lines = content(f"{data}/wine.csv").splitlines(keepends=True)
        with open("few.csv", "wb") as file:
            file.write(b"".join(lines))
        with open("many.csv", "wb") as file:
            file.write(lines[0] + b"".join(lines[1:]) * 12)
        for test, arguments in [(every_call, ["few.csv"]), (full_disk_keeps_rows, ["few.csv"]), (reads_that_fail, ["few.csv"]),
                                (damaged_journals, ["few.csv"]), (changed_rows, ["few.csv"]), (two_runs, ["many.csv"]),
                                (kills_at_random, ["many.csv", 100])]:
            began = time.time()
            test(*arguments)
            print(f"{test.__name__}: {time.time() - began:.1f} s")
        os.chdir("/")
    print(", ".join(f"{number} {what}" for what, number in sorted(tested.items())))
    print("all passed" if failures == 0 else f"{failures} failures")
    sys.exit(failures > 0)


main()
