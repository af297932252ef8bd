"""A copy of the sources with a build folder of its own, in which faults are made and tests are run."""
import hashlib
import os
import pathlib
import re
import selectors
import shutil
import signal
import subprocess
import time

# What no test program of the table reads.
LEFT_OUT = ("docs/", "tests/mutation/")
# A test has not ended after so many times of what it takes without a fault.
TIMES, SECONDS_MORE = 10, 20


class WorkplaceError(Exception):
    """The sources as they are do not build or do not pass."""


class Run:
    """How a test program ended: whether all passed, the test that did not, the seconds of each test."""

    def __init__(self):
        self.passed, self.failed, self.how, self.seconds = False, "", "", {}


def source_files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
                            check=True, capture_output=True).stdout.decode().split("\0")
    return sorted(f for f in listed if f and not f.startswith(LEFT_OUT) and (pathlib.Path(root) / f).is_file())


def hash_of(root, files):
    total = hashlib.sha256()
    for file in files:
        total.update(file.encode() + b"\0" + hashlib.sha256((pathlib.Path(root) / file).read_bytes()).digest())
    return total.hexdigest()[:16]


class Workplace:
    def __init__(self, folder):
        self.tree, self.build = pathlib.Path(folder) / "tree", pathlib.Path(folder) / "build"

    def copy(self, root, files):
        """Makes the copy equal to the checkout; what is equal already keeps its time."""
        wanted = set(files)
        for found in [p for p in self.tree.rglob("*") if p.is_file() or p.is_symlink()]:
            if str(found.relative_to(self.tree)) not in wanted:
                found.unlink()
        for file in files:
            here, there = self.tree / file, pathlib.Path(root) / file
            if here.is_file() and here.read_bytes() == there.read_bytes():
                continue
            here.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(there, here)

    def configure(self):
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=ON", "-DWARPLENS_APP=OFF", "-DWARPLENS_WERROR=OFF",
                   # A fault may make even the list of tests fail: that is for the run to tell.
                   "-DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST"]
        if shutil.which("mold"):
            options.append("-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold")
        done = subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *options],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise WorkplaceError("cmake failed:\n" + done.stdout + done.stderr)

    def make(self, targets, jobs=1):
        """The words of the compiler or linker where they fail; empty: built."""
        done = subprocess.run(["ninja", "-C", self.build, "-j", str(jobs), *targets], capture_output=True, text=True)
        return "" if done.returncode == 0 else (done.stdout + done.stderr)[-3000:]

    def has_target(self, target):
        done = subprocess.run(["ninja", "-C", self.build, "-t", "query", target], capture_output=True)
        return done.returncode == 0

    def read(self, file):
        return (self.tree / file).read_text(encoding="utf-8")

    def write(self, file, text):
        (self.tree / file).write_text(text, encoding="utf-8")

    def run(self, program, usual=None, only=""):
        """Runs a test program up to its first failure. `usual`: seconds of each test without a fault."""
        command = [self.build / "bin" / program, "--gtest_fail_fast", "--gtest_color=no", "--gtest_brief=0"]
        if only:
            command.append("--gtest_filter=" + only)
        return _watch(command, self.tree, usual or {})


def _watch(command, folder, usual):
    run, current = Run(), ""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GTEST_", "WARPLENS_"))}
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
    os.set_blocking(process.stdout.fileno(), False)
    waiting = selectors.DefaultSelector()
    waiting.register(process.stdout, selectors.EVENT_READ)
    pending, since, ended = "", time.monotonic(), False
    try:
        while not ended:
            limit = TIMES * usual.get(current, 60 if usual else 600) + SECONDS_MORE
            if not waiting.select(max(0.0, since + limit - time.monotonic())):
                run.failed, run.how = current, "did not end"
                break
            data = process.stdout.read()
            ended = data == b""
            pending += (data or b"").decode(errors="replace")
            *lines, pending = pending.split("\n")
            for line in lines:
                begun = re.match(r"\[ RUN      \] (\S+)", line)
                over = re.match(r"\[  (     OK|FAILED ) \] (\S+?),? .*\((\d+) ms\)", line)
                if begun:
                    current, since = begun[1], time.monotonic()
                elif over:
                    run.seconds[over[2]] = int(over[3]) / 1000
                    if over[1] == "FAILED " and not run.failed:
                        run.failed = over[2]
                    current, since = "", time.monotonic()
    finally:
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    run.passed = process.returncode == 0 and not run.failed
    if not run.passed and not run.failed:
        run.failed, run.how = current or "before its first test", "crashed"
    return run
