#!/usr/bin/env python3
"""Whatever is dropped onto a real window, it goes on answering: texts that compile for long, endless loops, words as long
as the file, a hundred thousand accesses, pipes, and a source of a drag that is gone.   check_busy.py WARPLENS DROP_FILES"""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from window_driver import PATIENCE, App, display, until  # noqa: E402

root = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_busy_"))
failures = []
slowest = (0.0, "")  # of what a person waits for: reported, since it is another on every machine


def put(name, text):
    path = folder / name
    path.write_text(text)
    return path


def bomb():
    """As many statements as a kernel may have: it compiles for as long as a text can."""
    return "__global__ void bomb(float* o) {\n  int i = threadIdx.x;\n" + "if(o[i]>0)i+=2;\n" * 50_000 + "o[i] = 1;\n}\n"


def drop(app, path):
    window = app.do("search", "--onlyvisible", "--name", "^Warplens$").split()[0]
    code = subprocess.run([sys.argv[2], window, str(path)], timeout=PATIENCE).returncode
    if code != 0:
        failures.append(f"{path.name}: the window did not take the drop ({code})")
    else:
        app.was_done()


@contextlib.contextmanager
def timed(what):
    global slowest
    began = time.monotonic()
    yield
    slowest = max(slowest, (time.monotonic() - began, what))


def answers(app, what):
    """Keys show; gives the state after them."""
    for wanted in (True, False):
        with timed(f"{what}: F1"):
            app.key("F1", lambda s: s["help"] == wanted, f"{what}: F1")
    return app.state


def looks_at(state):
    return {key: state["seen"].get(key) for key in ("text", "units", "access", "space")}


def kernel(state):
    return state.get("own", {}).get("kernel")


def compiling(app):
    """How long it takes depends on the machine: what can be stopped, and what stays on screen, is looked at in running()."""
    before = looks_at(app.settle())
    drop(app, put("bomb.cu", bomb()))
    busy = app.wait(lambda s: "reading" in s["seen"] or kernel(s) == "bomb", "a bomb is being read")
    if "reading" in busy["seen"] and looks_at(busy) != before:
        failures.append(f"the picture of the kernel before is gone: {json.dumps(busy['seen'])}")
    answers(app, "while a bomb is read and compiled")
    app.wait(lambda s: kernel(s) == "bomb" and s["seen"]["fresh"], "the bomb is compiled")
    app.key("ctrl+z", lambda s: s["scenario"] == "transpose_shared" and s["seen"]["fresh"], "undo leads back")


def running(app):
    before = looks_at(app.settle())
    drop(app, put("forever.cu", "__global__ void forever(float* a) { for (int i = 0; i < 2000000000; ++i) a[i & 31] += 1; }\n"))
    busy = app.wait(lambda s: kernel(s) == "forever" and s["seen"]["busy"] and not s["seen"]["compiling"],
                    "a loop that takes long")
    if looks_at(busy) != before or busy["seen"]["fresh"]:
        failures.append(f"the picture of the kernel before is gone: {json.dumps(busy['seen'])}")
    if not answers(app, "while a block is simulated")["seen"]["busy"]:
        failures.append("the loop came to its end before a key was pressed: that shows nothing")
    app.key("ctrl+period", lambda s: s["seen"]["halted"] and not s["seen"]["busy"], "Ctrl+. stops it")
    app.key("ctrl+period", lambda s: not s["seen"]["halted"] and s["seen"]["busy"], "Ctrl+. goes on with it")
    # What is done within a moment is not spoken of, and Escape does not stop it.
    until(lambda: app.do("key", "Escape") is None or app.wait(lambda s: True, "Escape is heard")["seen"]["halted"], pause=0.5)
    app.wait(lambda s: s["seen"]["halted"], "Escape stops it too")
    app.key("ctrl+z", lambda s: s["scenario"] == "transpose_shared" and s["seen"]["fresh"], "undo leads back")
    # A newer one takes its place.
    drop(app, folder / "forever.cu")
    app.wait(lambda s: kernel(s) == "forever" and s["seen"]["busy"], "the loop again")
    drop(app, put("small.cu", "__global__ void small(float* a) { a[threadIdx.x * 2] = 1; }\n"))
    app.wait(lambda s: kernel(s) == "small" and s["seen"]["fresh"], "a kernel dropped while the loop runs")
    if app.state["seen"]["units"] != 8:
        failures.append(f"the small kernel's picture: {json.dumps(app.state['seen'])}")


def told(app, what, path, *words):
    if "notice" in app.settle()["seen"]:
        app.key("Escape", lambda s: "notice" not in s["seen"], f"{what}: the words before go")
    drop(app, path)
    app.wait(lambda s: all(word in json.dumps([s["seen"].get("notice"), s["seen"]["problems"]]) for word in words), what)
    answers(app, what)


def refused(app):
    stars = "*" * 40000
    told(app, "deep types", put("deep.cu", f"__global__ void deep(int* out) {{ int {stars}p; out[0] = 1; }}\n"), "nested")
    pipe = folder / "pipe.cu"
    os.mkfifo(pipe)
    told(app, "a pipe", pipe, "pipe.cu")
    scenario = json.loads((root / "kernels" / "transpose_shared.scenario.json").read_text())
    scenario.update(source="pipe.cu", name="mine")
    told(app, "a scenario whose source is a pipe", put("mine.scenario.json", json.dumps(scenario)), "pipe.cu")


def long_texts(app):
    word = "__global__ void %s(float* out) { out[threadIdx.x] = 1; }\n//" + "x" * 900_000 + "\n"
    drop(app, put("word.cu", word % "word"))
    app.wait(lambda s: kernel(s) == "word" and s["seen"]["fresh"], "a word as long as the file")
    answers(app, "with a long word")
    app.key("e", lambda s: s["editing"], "E edits")
    with timed("typing beside a long word"):
        app.do("type", "q")
        app.wait(lambda s: s["seen"]["edited"], "typing beside a long word")
    app.key("Escape", lambda s: not s["editing"], "Escape ends")
    name = "v" * 50_000
    told(app, "a message with a long word", put("name.cu", f"__global__ void k(float* a) {{ a[0] = {name}; }}\n"), "vvv")
    # volatile: a compiler keeps every access
    lines = "__global__ void lines(volatile float* out) {\n" + "  out[threadIdx.x] += 1;\n" * 40_000 + "}\n"
    drop(app, put("lines.cu", lines))
    app.wait(lambda s: kernel(s) == "lines" and s["seen"]["fresh"], "forty thousand lines")
    app.key("Home", lambda s: s["seen"]["access"] == 0, "the first access", already=True)
    answers(app, "with forty thousand lines")
    for step in range(1, 4):
        with timed("a step among forty thousand lines"):
            app.key("Right", lambda s: s["seen"]["access"] == step, "a step among them")


def doubling(app):
    """Forty lines whose bases would be a million million, as a file, a session and a lecture: each opens with its words."""
    lines = "".join(f"struct L{i} : A{i - 1} {{}}; struct R{i} : A{i - 1} {{}}; struct A{i} : L{i}, R{i} {{}};\n"
                    for i in range(1, 41))
    text = f"struct A0 {{}};\n{lines}__global__ void k(int* out) {{ A40 a; out[threadIdx.x] = sizeof(a); }}\n"
    own = {"scenario": "k", "text": text, "own": {"file": "k.cu", "kernel": "k", "fields": {"grid.x": "1", "block.x": "32"}}}
    words = {"en": "w"}
    for name, content in [("bases.cu", text), ("bases.warplens.json", json.dumps({"schema": "warplens.session/1", **own})),
                          ("bases.lecture.json", json.dumps({"schema": "warplens.lecture/1", "title": words,
                                                             "scenes": [{"name": words, **own}]}))]:
        drop(app, folder / "small.cu")
        app.wait(lambda s: kernel(s) == "small" and s["seen"]["fresh"], f"before {name}")
        told(app, name, put(name, content), "too many base classes")
    # A file that could not be finished opens all the same.
    told(app, "an unfinished text", put("unfinished.cu", "__global__ void k(float* a {\n  a[0] = 1;\n}\n"), "expected")


def vanished(app):
    """The source of a drag gives up and goes while the window does not answer."""
    window = app.do("search", "--onlyvisible", "--name", "^Warplens$").split()[0]
    os.kill(app.process.pid, signal.SIGSTOP)
    source = subprocess.Popen([sys.argv[2], window, str(folder / "small.cu")])
    time.sleep(1)
    source.kill()
    source.wait()
    os.kill(app.process.pid, signal.SIGCONT)
    answers(app, "after a drag whose source is gone")
    drop(app, folder / "small.cu")
    app.wait(lambda s: kernel(s) == "small" and s["seen"]["fresh"], "the next drag")


with display(folder):
    app = App(sys.argv[1], folder / "state.json", failures, "transpose_shared")
    for part in (compiling, running, refused, doubling, vanished, long_texts):
        began = time.time()
        part(app)
        print(f"{part.__name__}: {time.time() - began:.0f} s")
    app.quit()

print(f"the longest wait: {slowest[0]:.1f} s, {slowest[1]}")
print("\n".join(failures) or "the window answers, whatever is dropped onto it")
sys.exit(1 if failures else 0)
