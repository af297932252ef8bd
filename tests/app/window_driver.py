"""A real window under Xvfb, driven by keys and mouse with xdotool; what is on screen is read from --state-file."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time


@contextlib.contextmanager
def display(folder):
    """A display of one's own, drawn in software; what the app keeps and is set to lies in the folder."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1700x1000x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stderr=subprocess.DEVNULL)
    try:
        os.close(write)
        number = b""
        while not number.endswith(b"\n"):  # the server ends if nobody reads its number to the end
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
        server.wait(10)


def picture(folder, name):
    """Of the whole display, where a folder is given."""
    if folder:
        time.sleep(0.4)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", "root", str(folder / f"{name}.png")], check=True)


class App:
    def __init__(self, program, state_file, failures, *arguments, moves=False):
        self.state_file, self.failures = state_file, failures
        self.process = subprocess.Popen(
            [program, *([] if "--size" in arguments else ["--size", "1600x900"]), *([] if moves else ["--still"]),
             "--state-file", str(state_file), *arguments])
        self.state = self.wait(lambda s: s["seen"].get("totals"), "the first frame", 60)
        self.window = self.do("search", "--sync", "--onlyvisible", "--name", "^Warplens$").split()[0]
        self.do("windowfocus", self.window)

    def do(self, *arguments):
        return subprocess.run(["xdotool", *arguments], capture_output=True, text=True, timeout=60).stdout

    def read(self):
        return json.loads(self.state_file.read_text())

    def wait(self, test, what, seconds=20):
        end, state = time.time() + seconds, None
        while time.time() < end:
            try:
                state = self.read()
                if test(state):
                    self.state = state
                    return state
            except (OSError, ValueError, KeyError, TypeError):
                pass
            if self.process.poll() is not None:
                raise SystemExit(f"{what}: the app ended with {self.process.returncode}")
            time.sleep(0.03)
        self.failures.append(f"{what}: did not happen; on screen: {json.dumps(state)}")
        return self.state

    def settle(self):
        """The state once it has stayed the same for a moment."""
        time.sleep(0.25)
        self.state = self.read()
        return self.state

    def key(self, keys, test, what):
        # To the focused window, not with --window: events sent that way bear no time, and GLFW drops a key press that
        # is older than the last one of the same key.
        self.do("key", "--clearmodifiers", keys)
        return self.wait(test, what)

    def press(self, x, y):
        """The left button, in pixels of the window; held long enough for a frame to see it."""
        self.do("mousemove", str(x), str(y))
        time.sleep(0.1)
        self.do("mousedown", "1")
        time.sleep(0.1)
        self.do("mouseup", "1")

    def quit(self):
        self.do("key", "--clearmodifiers", "ctrl+q")
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "no end"
        if code != 0:
            self.failures.append(f"Ctrl+Q: ended with {code}; {json.dumps(self.read())}")
