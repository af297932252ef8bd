"""A copy of the sources in which a fault is made. What it touches is compiled there and linked with a build of the
checkout, of which nothing is changed."""
import hashlib
import json
import os
import pathlib
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import time

# What a test's outcome does not depend on, as far as the table goes.
LEFT_OUT = ("docs/", "tests/mutation/", "tests/scene/", "tests/app/")
COPIED = ("sim/", "kernels/", "app/", "tests/")
# A test has not ended after this many times of what it takes without a fault.
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
        if not file.endswith(".md"):
            total.update(file.encode() + b"\0" + hashlib.sha256((pathlib.Path(root) / file).read_bytes()).digest())
    return total.hexdigest()[:16]


class Checkout:
    """A build of the checkout as ./test makes it, but with each source compiled by itself: how it compiles each, and how
    it links each test program."""

    def __init__(self, root):
        self.root, self.build = pathlib.Path(root), pathlib.Path(root) / "build/mutation/build"
        self._sources, self._users, self._links = {}, {}, {}

    def make(self, programs):
        """Builds the test programs; gives those that this machine can have."""
        if not (self.build / "build.ninja").is_file():
            self._call("cmake", "--preset", "release", "-B", self.build, "-DBUILD_TESTING=ON", "-DCMAKE_UNITY_BUILD=OFF")
        targets = set(self._call("ninja", "-C", self.build, "-t", "targets", "all").replace(":", "\n").split("\n"))
        programs = [p for p in programs if p in targets]
        self._call("ninja", "-C", self.build, *programs)
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            file = os.path.relpath(entry["file"], self.root)
            if file.startswith(COPIED):
                self._sources[file] = shlex.split(entry["command"])
        self._read_users()
        for program in programs:
            last = self._call("ninja", "-C", self.build, "-t", "commands", program).strip().splitlines()[-1]
            self._links[program] = shlex.split(re.split(" && ", last)[1])
        return programs

    def _call(self, *command):
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
        if done.returncode != 0:
            raise WorkplaceError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-3000:]}")
        return done.stdout

    def _read_users(self):
        users, source = self._users, None
        for line in self._call("ninja", "-C", self.build, "-t", "deps").splitlines():
            if line and not line.startswith(" "):
                source = None
            elif line.strip():
                file = os.path.relpath(self.build / line.strip(), self.root)
                source = source or file
                if source in self._sources:
                    users.setdefault(file, set()).add(source)

    def compiled_with(self, file):
        """The sources to compile anew where `file` changes; tests only where the table names them."""
        users = [] if file in self._sources else sorted(self._users.get(file, ()))
        return [file] if file in self._sources else [f for f in users if not f.startswith("tests/")]

    def _object_of(self, source):
        words = self._sources[source]
        return words[words.index("-o") + 1]

    def compile_command(self, file, tree, to):
        """As the checkout compiles it, from a copy. A fault may leave a variable unused: that is no error."""
        words = [w.replace(str(self.root / file), str(tree / file)) if w == str(self.root / file) else w
                 for w in self._sources[file]]
        words = [f"-I{tree}" if w == f"-I{self.root}" else w for w in words]
        words[words.index("-o") + 1] = str(to)
        return [w for w in words if w != "-Werror"]

    def link_command(self, program, objects, to):
        """The test program with some objects, by source, in place of its own and of those in the libraries."""
        anew = {self._object_of(source): str(o) for source, o in objects.items()}
        own = set(self._links[program]) & set(anew)
        words = [anew.get(w, w) for w in self._links[program]]
        words[words.index("-o") + 1] = str(to)
        first = next(i for i, w in enumerate(words) if w.endswith(".o"))
        fast = ["-fuse-ld=mold"] if shutil.which("mold") else []
        return words[:first] + fast + [o for name, o in anew.items() if name not in own] + words[first:]


class Workplace:
    def __init__(self, folder, checkout):
        self.folder, self.checkout = pathlib.Path(folder), checkout
        self.tree = self.folder / "tree"
        self.objects = {}

    def copy(self, files):
        """Makes the copy equal to the checkout."""
        shutil.rmtree(self.tree, ignore_errors=True)
        for file in files:
            if file.startswith(COPIED) and file.endswith((".h", ".cpp")):
                (self.tree / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.checkout.root / file, self.tree / file)
        (self.folder / "bin").mkdir(exist_ok=True)

    def has(self, file):
        return (self.tree / file).is_file()

    def read(self, file):
        return (self.tree / file).read_text(encoding="utf-8")

    def write(self, file, text):
        (self.tree / file).write_text(text, encoding="utf-8")

    def compile(self, file, through=()):
        """Compiles what a change of `file` touches. The compiler's words where it fails; empty: done."""
        self.objects = {}
        sources = list(through) or self.checkout.compiled_with(file)
        if not sources:
            return f"no source is compiled with {file}"
        for number, source in enumerate(sources):
            to = self.folder / f"bin/{number}.o"
            words = self._call(self.checkout.compile_command(source, self.tree, to))
            if words:
                return words
            self.objects[source] = to
        return ""

    def link(self, program):
        return self._call(self.checkout.link_command(program, self.objects, self.folder / "bin" / program))

    def _call(self, command):
        done = subprocess.run(command, cwd=self.checkout.build, capture_output=True, text=True)
        return "" if done.returncode == 0 else (done.stdout + done.stderr)[-3000:]

    def run(self, program, usual, only=""):
        return run_tests(self.folder / "bin" / program, self.checkout.root, usual, only)


def run_tests(program, folder, usual=None, only=""):
    """Runs a test program up to its first failure. `usual`: seconds of each test without a fault."""
    command = [program, "--gtest_fail_fast", "--gtest_color=no", "--gtest_brief=0"]
    if only:
        command.append("--gtest_filter=" + only)
    return _watch(command, folder, usual or {})


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
