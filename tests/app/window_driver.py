"""A real window under Xvfb, driven by keys and mouse with xdotool; what is on screen is read from --state-file."""
import json
import os
import subprocess
import time


def start_display():
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1700x1000x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    number = b""
    while not number.endswith(b"\n"):  # the server ends if nobody reads its number to the end
        part = os.read(read, 16)
        if not part:
            raise SystemExit("Xvfb did not start")
        number += part
    os.close(read)
    return server, ":" + number.decode().strip()


class App:
    def __init__(self, program, state_file, failures, *arguments, moves=False):
        self.state_file, self.failures = state_file, failures
        self.process = subprocess.Popen(
            [program, *([] if "--size" in arguments else ["--size", "1600x900"]), *([] if moves else ["--still"]), "--state-file", str(state_file), *arguments])
        self.state = self.wait(lambda s: s["seen"].get("totals"), "the first frame", 60)
        window = self.do("search", "--sync", "--onlyvisible", "--name", "^Warplens$").split()[0]
        self.do("windowfocus", window)

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

    def quit(self):
        self.do("key", "--clearmodifiers", "ctrl+q")
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "no end"
        if code != 0:
            self.failures.append(f"Ctrl+Q: ended with {code}; {json.dumps(self.read())}")
