"""The files of build/dist, each installed by itself: python3 dist_check.py build/dist VERSION ends with 'N passed, N failed'.

The source archive is configured and built in a folder of its own, where the README's snippets must run. The sdist is
installed by pip into a new environment, where Python's quick start must run. (For both, the library's objects are those
of build/libscfe.a: compiling them again takes as long as everything else together.) The .deb is unpacked into a root
that holds nothing but the files of the packages it depends on; there the command line's quick start must run, and a
program outside of that root must find the library and its headers. The wheel: python/tests/wheel_check.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = ROOT / "build" / "libscfe.a"
BARE = ["-DSCFE_TESTS=OFF", "-DSCFE_BENCH=OFF", f"-DSCFE_ARCHIVE={ARCHIVE}", "-DBUILD_SHARED_LIBS=ON", "-G", "Ninja"]
Check = tuple[str, object, object]  # what is checked, what was expected, what came

sys.path.insert(0, str(ROOT / "python" / "tests"))
import wheel_check  # noqa: E402


def output(*words: object, cwd: Path | str = ROOT) -> str:
    done = subprocess.run(list(map(str, words)), cwd=cwd, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else f"exit status {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}"


def quick_start() -> tuple[list[str], str]:
    """The commands of README.md and what they print."""
    found = re.search(r"## Command line\n\n```sh\n(.*?)```\n<!-- output -->\n```text\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert found is not None, "README.md has no quick start of the command line"
    return found[1].splitlines(), found[2]


def source_archive(path: Path, version: str, folder: Path) -> Iterator[Check]:
    with tarfile.open(path) as file:
        held = {member.name.partition("/")[2] for member in file.getmembers() if not member.isdir()}
        file.extractall(folder, filter="data")
    listed = output("git", "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    yield "the source archive holds every committed file", set(), set(listed) - held
    tree = folder / f"scfe-{version}"
    log = output("cmake", "-S", tree, "-B", tree / "build", *BARE) and output(
        "cmake", "--build", tree / "build", "--target", "scfe_cli", "quickstart"
    )
    yield "the source archive builds", True, (tree / "build" / "scfe").exists() or log
    said = output(sys.executable, tree / "scripts" / "snippets", tree / "build" / "scfe", tree / "build" / "examples" / "quickstart")
    yield "the source archive: snippets of its pages", True, said.rstrip().endswith(" 0 failed") or said


def python_sdist(path: Path, version: str, folder: Path) -> Iterator[Check]:
    output(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    define = f"cmake.define.SCFE_ARCHIVE={ARCHIVE}"
    said = output(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-C", define, path, "pandas")
    code, printed = wheel_check.quick_start()
    yield "the sdist: Python's quick start", printed, said or wheel_check.run(str(python), "-c", code)
    yield "the sdist: its version", version, wheel_check.run(str(python), "-c", "import scfe; print(scfe.__version__)").strip()


def needed_packages(deb: Path) -> set[str]:
    """All packages that the .deb depends on, directly or not, by what is installed here."""
    found: set[str] = set()
    fields = [output("dpkg-deb", "-f", deb, "Depends")]
    while fields:
        for alternatives in fields.pop().split(","):
            for one in alternatives.split("|"):
                name = re.sub(r"\(.*?\)|:\w+", "", one).strip()
                depends = subprocess.run(["dpkg-query", "-W", "-f", "${Pre-Depends}, ${Depends}", name], capture_output=True, text=True)
                if name and depends.returncode == 0:
                    if name not in found:
                        found.add(name)
                        fields.append(depends.stdout)
                    break
    return found


def copy_package(name: str, root: Path) -> None:
    """A package's files, with the links on their way: /lib may be a link to /usr/lib."""
    for path in map(Path, output("dpkg-query", "-L", name).splitlines()):
        if path.is_dir() or not os.path.lexists(path) or "/share/" in str(path):
            continue
        copy = root / path.parent.resolve().relative_to("/") / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(copy):
            shutil.copy2(path, copy, follow_symlinks=False)


def choose_alternatives(root: Path) -> None:
    """Libraries of which Debian has several (LAPACK): the links that installing a package makes."""
    for link in Path("/usr/lib").glob("*-linux-gnu*/*.so*"):
        copy = root / link.relative_to("/")
        if link.is_symlink() and os.readlink(link).startswith("/etc/alternatives/") and (root / link.resolve().relative_to("/")).exists():
            os.symlink(link.resolve(), copy)


def debian_package(path: Path, version: str, folder: Path) -> Iterator[Check]:
    root = folder / "root"
    root.mkdir()
    for link in ("lib", "lib64", "bin", "sbin"):  # as in every Debian 12
        os.symlink(f"usr/{link}", root / link)
    packages = needed_packages(path)
    yield "the .deb depends on the C++ library", True, "libstdc++6" in packages or packages
    for name in sorted(packages):
        copy_package(name, root)
    choose_alternatives(root)
    output("dpkg-deb", "-x", path, root)
    yield "the .deb: its version", version, output("dpkg-deb", "-f", path, "Version").strip()
    for name in ("work", "proc"):
        (root / name).mkdir(exist_ok=True)
    os.symlink("/usr/share/scfe", root / "work" / "data")
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    inside = ["unshare", *as_root, "--pid", "--fork", "--mount-proc", f"--root={root}", "--wd=/work"]
    commands, printed = quick_start()
    said = "".join(output(*inside, *command.replace("build/scfe", "/usr/bin/scfe").split()) for command in commands)
    yield "the .deb: the command line's quick start", printed, said
    demo = output(*inside, "/usr/bin/scfe", "demo")
    yield "the .deb: the demo", True, "refused -> approved" in demo or demo
    output("cmake", "-S", ROOT / "tests" / "consumer", "-B", folder / "user", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={root}/usr")
    built = output("cmake", "--build", folder / "user")
    ran = subprocess.run([folder / "user" / "consumer"], capture_output=True, text=True) if (folder / "user" / "consumer").exists() else None
    yield "the .deb: a C++ program that links it", 0, built if ran is None else ran.returncode


def main() -> int:
    made, version = Path(sys.argv[1]).resolve(), sys.argv[2]
    parts = (
        (source_archive, f"scfe-{version}-source.tar.gz"),
        (python_sdist, f"scfe-{version}.tar.gz"),
        (debian_package, f"scfe_{version}_{output('dpkg', '--print-architecture').strip()}.deb"),
    )
    passed = failed = 0
    for part, name in parts:
        with tempfile.TemporaryDirectory() as folder:
            for what, expected, came in part(made / name, version, Path(folder)):
                good = expected == came
                passed, failed = passed + good, failed + (not good)
                print(f"{what}: passed" if good else f"{what}: expected {expected}, got {came}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
