"""A real window under Xvfb, driven by keys and mouse with xdotool; what is on screen is read from --state-file."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from patience import PATIENCE, until  # noqa: E402


@contextlib.contextmanager
def display(folder, size="1700x1000"):
    """A display of one's own, drawn in software; what the app keeps and is set to lies in the folder."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stderr=subprocess.DEVNULL)
    try:
        os.close(write)
        number = b""
        while not number.endswith(b"\n"):  # the server ends unless its number is read to the end
            part = os.read(read, 16)
            if not part:
                raise SystemExit("Xvfb did not start")
            number += part
        os.close(read)
        for name in [n for n in os.environ if n.startswith("XDG_") or n == "WAYLAND_DISPLAY"]:
            del os.environ[name]
        folder = pathlib.Path(folder)
        os.environ.update(DISPLAY=":" + number.decode().strip(), LIBGL_ALWAYS_SOFTWARE="1", HOME=str(folder),
                          XDG_STATE_HOME=str(folder / "state"), XDG_CONFIG_HOME=str(folder / "config"))
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE)


failures = []  # in words, told at the end


def expect(holds, what):
    if not holds:
        failures.append(what)


def end(words):
    """What failed, or that all is as it should be."""
    print("\n".join(failures) or words)
    sys.exit(1 if failures else 0)


def picture(folder, name):
    """Of the whole display, where a folder is given."""
    if folder:
        time.sleep(0.4)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", "root", str(folder / f"{name}.png")], check=True)


def notice(state):
    """What the line below the top bar says: its words and its key."""
    said = state["seen"].get("notice") or {}
    return said.get("words", ""), said.get("key", "")


def passes(test, state):
    try:
        return bool(test(state))
    except (KeyError, TypeError):
        return False


MODIFIERS = {"ctrl", "control", "shift", "alt", "super", "meta", "control_l", "shift_l", "alt_l", "super_l"}
COMMANDS = {"key", "keydown", "keyup", "type", "click", "mousedown", "mouseup", "mousemove", "search", "windowfocus",
            "windowsize", "windowmove", "windowclose", "windowquit", "getwindowgeometry"}
MOST_WOKEN = 20  # times a second, by timers; who draws all the time is woken by each frame
WITH_VALUE = {"--delay", "--window", "--repeat", "--repeat-delay", "--name"}


def inputs(arguments):
    """How many inputs the window hears of an xdotool command: one each key that is no modifier, each button pressed, each
    released, and each notch of the wheel."""
    count, command, repeat, words = 0, None, 1, list(arguments)
    buttons = {"1", "2", "3"}  # the others are the wheel's
    while words:
        word = words.pop(0)
        if word.startswith("--") and command:
            value = words.pop(0) if word in WITH_VALUE else None
            repeat = int(value) if word == "--repeat" else repeat
        elif command == "type":
            return count + len("".join([word, *words]))
        elif word in COMMANDS:
            command, repeat = word, 1
        elif command == "click":
            count += repeat * (2 if word in buttons else 1)
        elif command in ("mousedown", "mouseup"):
            count += 1
        elif command in ("key", "keydown") and word.split("+")[-1].lower() not in MODIFIERS:
            count += repeat
    return count


class App:
    """The app in a window. What is waited for is looked for in states that were written after the window heard all that
    was done to it: the app counts its inputs in the state file, and so does this."""

    def __init__(self, program, state_file, failures, *arguments, moves=False, panels="all"):
        self.state_file, self.failures, self.state = state_file, failures, None
        self.done, self.missed = 0, 0  # inputs, and waits that were in vain
        state_file.unlink(missing_ok=True)  # that of another app tells nothing of this one
        self.process = subprocess.Popen(
            [program, *([] if "--size" in arguments else ["--size", "1600x900"]), *([] if moves else ["--still"]),
             *(["--panels", panels] if panels else []),  # without: as a person finds it
             "--state-file", str(state_file), *arguments])
        self.wait(lambda s: s["seen"].get("totals"), "the first frame")
        self.window = self.do("search", "--sync", "--onlyvisible", "--name", "^Warplens$").split()[0]
        self.do("windowfocus", "--sync", self.window)

    def do(self, *arguments):
        """xdotool's answer. What follows is seen by wait()."""
        done = subprocess.run(["xdotool", *arguments], capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0:
            self.failures.append(f"xdotool {' '.join(arguments)}: ended with {done.returncode}: {done.stderr}")
        self.done += inputs(arguments)
        return done.stdout

    def drop(self, dropper, *paths):
        """Drops the files onto the window as a file manager does; `dropper` is the program drop_files."""
        code = subprocess.run([dropper, self.window, *map(str, paths)], timeout=PATIENCE).returncode
        if code != 0:
            self.failures.append(f"{paths}: the window did not take the drop ({code})")
        else:
            self.done += 1

    def holds(self, what, claims):
        """claims: words of a page -> what they say of the state that was waited for last."""
        for words, test in claims.items():
            if not passes(test, self.state):
                seen = {k: self.state["seen"].get(k) for k in ("text", "units", "ideal", "warp", "access", "wavefront", "time", "problems", "class")}
                self.failures.append(f"{what}: \"{words}\" is not so: {self.state['scenario']} {self.state['values']} {seen}")

    def read(self):
        return json.loads(self.state_file.read_text())

    def wait(self, test, what):
        """The first state that passes the test and was written after all that was done was heard."""
        end, state = time.monotonic() + PATIENCE, None
        while time.monotonic() < end:
            try:
                state = self.read()
                if state["seen"]["window"]["heard"] >= self.done and test(state):
                    self.state = state
                    return state
            except (OSError, ValueError, KeyError, TypeError):
                pass  # no such state yet
            if self.process.poll() is not None:
                raise SystemExit("\n".join([*self.failures, f"{what}: the app ended with {self.process.returncode}"]))
            time.sleep(0.03)
        heard = state["seen"]["window"]["heard"] if state else 0
        self.failures.append(f"{what}: did not happen; the window heard {heard} of {self.done} inputs; on screen: "
                             f"{json.dumps(state)}")
        self.done, self.missed = heard, self.missed + 1
        if state is None or self.missed == 3:  # what follows would only wait in vain too
            self.process.kill()
            raise SystemExit("\n".join(self.failures))
        self.state = state
        return state

    def settle(self):
        """The state once the window rests: nothing moves, and nothing is being worked out."""
        return self.wait(lambda s: s["seen"]["window"]["rests"], "the window comes to rest")

    def idles(self, what):
        """It comes to rest and stays there: for two seconds its threads are woken no more often than timers need, nor does one
        always want a processor. Counted, since what a processor is had for differs with what else runs."""
        def threads(file, of):
            for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
                with contextlib.suppress(OSError):  # it has ended
                    yield of((task / file).read_text())

        def wakes():
            return sum(threads("status", lambda text: int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])))

        def rests():
            nonlocal woken
            begun, before, wanting = time.monotonic(), wakes(), 0
            for _ in range(40):
                time.sleep(0.05)
                wanting += "R" in threads("stat", lambda text: text.rpartition(") ")[2][0])
            woken = (wakes() - before) / (time.monotonic() - begun)
            return woken <= MOST_WOKEN and wanting <= 20
        woken = 0
        if not until(rests, pause=0):
            self.failures.append(f"{what}, idle: woken {woken:.0f} times a second, or always at work")
        print(f"{what}, idle: woken {woken:.1f} times a second")

    def key(self, keys, test, what, already=False):
        """Presses the keys and waits for what they do. `already`: it may be so before, and only has to stay so."""
        before = None if already else self.settled_before(what)
        # To the focused window, not with --window: events sent that way bear no time, and GLFW drops a key press that
        # is older than the last one of the same key.
        self.do("key", "--clearmodifiers", keys)
        after = self.wait(test, what)
        if before is not None and passes(test, before):
            self.failures.append(f"{what}: was so before {keys} was pressed, which shows nothing")
        return after

    def settled_before(self, what):
        """The state before something is done, without waiting for rest: a window that plays never rests."""
        return self.wait(lambda s: True, f"before {what}")

    def press(self, x, y):
        """The left button, in pixels of the window; held until a frame has seen it."""
        self.do("mousemove", str(x), str(y))
        time.sleep(0.1)
        self.do("mousedown", "1")
        self.wait(lambda s: True, f"the button pressed at {x}, {y}")
        time.sleep(0.1)
        self.do("mouseup", "1")

    def quit(self, dropper=None):
        """By Ctrl+Q, or with `dropper` by the window's cross."""
        if dropper:
            subprocess.run([dropper, self.window, "--close"], timeout=PATIENCE, check=True)
        else:
            self.do("key", "--clearmodifiers", "ctrl+q")
        how = "the cross" if dropper else "Ctrl+Q"
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "no end"
        if code != 0:
            self.failures.append(f"{how}: ended with {code}; {json.dumps(self.read())}")
