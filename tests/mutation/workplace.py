"""Where a mutant is compiled and tried: one object, beside those of build/release as ./test made them, of which none changes."""
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

# A test has not ended after this many times of what it takes without a fault.
TIMES, SECONDS_MORE = 10, 20


class WorkplaceError(Exception):
    """The sources as they are do not build or do not pass."""


def called(command, folder):
    """The words of a command that fails; empty where it does not."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stdout + done.stderr)[-3000:] or f"exit {done.returncode}"


class Build:
    """How the build compiles each source, by itself or with others, and how it links each test program."""

    def __init__(self, root):
        self.root, self.folder = pathlib.Path(root), pathlib.Path(root) / "build/release"
        self._commands, self._units, self._links = {}, {}, {}

    def make(self, programs):
        """Builds the test programs that this machine can have."""
        targets = set(self._said("ninja", "-t", "targets", "all").replace(":", "\n").split("\n"))
        programs = [p for p in programs if p in targets]
        self._said("ninja", *programs)
        for entry in json.loads((self.folder / "compile_commands.json").read_text()):
            unit = pathlib.Path(entry["file"])
            self._commands[unit] = shlex.split(entry["command"])
            sources = [unit]
            if unit.parent.name == "Unity":
                sources = map(pathlib.Path, re.findall(r'^#include "(.+)"', unit.read_text(), re.M))
            self._units.update((source, unit) for source in sources)
        for program in programs:
            last = self._said("ninja", "-t", "commands", program).strip().splitlines()[-1]
            self._links[program] = shlex.split(re.split(" && ", last)[1])

    def _said(self, *command):
        done = subprocess.run([command[0], "-C", self.folder, *command[1:]], cwd=self.root, capture_output=True, text=True)
        if done.returncode != 0:
            raise WorkplaceError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-3000:]}")
        return done.stdout

    def programs_of(self, path):
        """Those of the programs made that link the source."""
        unit = self._units.get(self.root / path)
        if unit is None:
            return []
        own = self._object_of(unit)
        target = re.search(r"CMakeFiles/([^/]+)\.dir/", own)[1]
        return [p for p, words in self._links.items() if own in words or any(w.endswith(f"/lib{target}.a") for w in words)]

    def _object_of(self, unit):
        words = self._commands[unit]
        return words[words.index("-o") + 1]

    def compile(self, path, text, place):
        """Compiles a source as the build does, with this text; gives the object, and the compiler's words where it fails."""
        source = self.root / path
        unit, changed, to = self._units[source], place / "changed.cpp", place / "changed.o"
        changed.write_text(f'#line 1 "{path}"\n{text}', encoding="utf-8")
        words = list(self._commands[unit])
        compiled = changed
        if unit != source:
            compiled = place / "unit.cpp"
            compiled.write_text(unit.read_text().replace(f'"{source}"', f'"{changed}"'))
        words = [str(compiled) if w == str(unit) else w for w in words if w != "-Werror"]
        words[words.index("-o") + 1] = str(to)
        words = words[[i for i, w in enumerate(words) if re.search(r"(\+\+|clang\+\+|g\+\+)[-\d.]*$", w)][0]:]  # without ccache
        return to, called([*words, "-iquote", str(source.parent), "-w"], self.folder)

    def link(self, program, path, new, place):
        """The program with the new object in place of its own or of the one in a library, which is not looked for any more."""
        own = self._object_of(self._units[self.root / path])
        words = [str(new) if w == own else w for w in self._links[program]]
        words[words.index("-o") + 1] = str(place / program)
        first = next(i for i, w in enumerate(words) if w.endswith(".o"))
        fast = ["-fuse-ld=mold"] if shutil.which("mold") else []
        added = [] if own in self._links[program] else [str(new)]
        return called(words[:first] + fast + added + words[first:], self.folder)


class Run:
    """How a test program ended: whether all passed, the test that did not, the seconds of each test."""
    def __init__(self):
        self.passed, self.failed, self.how, self.seconds = False, "", "", {}


def run_tests(program, folder, usual=None, commands=None):
    """Runs a test program up to its first failure. `usual`: seconds of each test without a fault; `commands`: the program of the
    command line that its tests start, where it is there."""
    usual, run, current = usual or {}, Run(), ""
    # Also where nobody watches any more it ends.
    most = int(TIMES * sum(usual.values(), 600 if not usual else 0)) + SECONDS_MORE
    command = ["prlimit", f"--cpu={most}", program, "--gtest_fail_fast", "--gtest_color=no", "--gtest_brief=0"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GTEST_", "WARPLENS_"))}
    if commands is not None and commands.exists():
        environment["WARPLENS_TESTED_CLI"] = str(commands)
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
