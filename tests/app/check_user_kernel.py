#!/usr/bin/env python3
"""A kernel of one's own in a real window under Xvfb: opened by keys, edited by typing, launched by its form."""
import pathlib
import sys
import tempfile

from window_driver import App, display  # noqa: E402

program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_own_"))
failures = []
KERNEL = """__global__ void scale(float* out, const float* in, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}
"""
INDEX = """#define INDEX (threadIdx.x * 4)
__global__ void look(float* out, const float* in) {
  out[threadIdx.x] = in[INDEX];
}
"""


def units(n):
    return lambda s: s["seen"]["fresh"] and s["seen"].get("units") == n


def chooser(app):
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O")
    app.do("type", str(folder / "none.cu"))
    app.wait(lambda s: s["seen"]["field"]["text"].endswith("none.cu"), "typing a path")
    app.key("Return", lambda s: "none.cu" in s["seen"]["dialog"]["trouble"], "a file that is not there")
    app.key("Escape", lambda s: "dialog" not in s["seen"], "Escape closes the chooser")
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O again")
    app.do("type", str(folder))
    app.key("Return", lambda s: s["seen"]["dialog"]["folder"] == str(folder), "a folder is listed")
    app.do("type", "scal")
    app.wait(lambda s: s["seen"]["dialog"]["entries"] == ["scale.cu"], "a part of a name")
    app.key("Return", lambda s: s.get("own", {}).get("kernel") == "scale" and s["seen"]["fresh"], "Enter opens")
    app.key("Home", lambda s: s["seen"]["access"] == 0 and s["seen"]["units"] == 4, "the first picture", already=True)


def form(app):
    app.key("l", lambda s: not s["seen"]["form"], "L hides the form")
    app.key("l", lambda s: s["seen"]["form"], "L shows it")
    # Where the fields stand is a matter of the layout: click down the form until one takes the keyboard.
    for y in range(440, 720, 9):
        app.do("mousemove", str(200), str(y), "click", "1")
        if app.settle()["seen"]["field"]["id"] == "scalar.n":
            break
        if app.state["seen"]["field"]["id"]:
            app.do("key", "Return")
        app.do("mousemove", str(400), str(y), "click", "1")
        if app.settle()["seen"]["field"]["id"] == "scalar.n":
            break
        if app.state["seen"]["field"]["id"]:
            app.do("key", "Return")
    app.wait(lambda s: s["seen"]["field"]["id"] == "scalar.n", "a click on the argument n")
    app.do("type", "4096")
    app.wait(lambda s: s["own"]["fields"]["scalar.n"] == "4096" and s["values"]["n"] == 4096, "typing an argument")
    app.key("Escape", lambda s: s["own"]["fields"]["scalar.n"] == "1048576", "Escape brings it back")


def editor(app):
    app.key("e", lambda s: s["editing"] and s["text"] == KERNEL, "E edits, and is not typed")
    app.do("key", "ctrl+Home")  # to the beginning, as the next words show
    app.do("type", "oops ")
    app.wait(lambda s: s["text"].startswith("oops ") and s["seen"]["problems"] and not s["seen"]["fresh"],
             "a mistake is told")
    if app.state["seen"].get("units") != 4:
        failures.append(f"the last good picture is gone: {app.state['seen']}")
    for _ in range(5):
        app.do("key", "BackSpace")
    app.wait(lambda s: s["text"] == KERNEL and s["seen"]["fresh"] and not s["seen"]["problems"], "mending it")
    # in[i] becomes in[i*8]: the picture follows. The third line's end, back before the bracket.
    app.do("key", "ctrl+Home", "Down", "Down", "End", "Left", "Left")
    app.do("type", "*8")
    app.wait(lambda s: "in[i*8]" in s["text"] and s["seen"]["edited"], "typing")
    # n elements are too few for that: told with its place, and mended in the text.
    app.wait(lambda s: s["seen"]["problems"] and s["seen"]["problems"][0].get("line") == 3, "out of range")
    app.do("type", "%1024")
    app.wait(lambda s: "in[i*8%1024]" in s["text"] and not s["seen"]["problems"], "in range again")
    app.key("Escape", lambda s: not s["editing"], "Escape ends")
    app.key("Home", units(32), "the picture follows the text", already=True)
    app.key("ctrl+s", lambda s: not s["seen"]["edited"], "Ctrl+S")
    if "in[i*8%1024]" not in (folder / "scale.cu").read_text():
        failures.append("the file was not saved")


def index(app):
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O")
    app.do("type", "look")
    app.key("Return", lambda s: s.get("own", {}).get("kernel") == "look" and s["seen"]["fresh"], "the index kernel")
    app.key("Home", units(16), "stride 4: 16 sectors", already=True)
    app.key("i", lambda s: s["seen"]["field"]["id"] == "index", "I")
    app.do("type", "threadIdx.x/8")
    app.wait(units(1), "eight lanes a word: 1 sector")
    app.do("type", "*")
    app.wait(lambda s: s["seen"]["problems"], "an unfinished expression")
    app.do("type", "64")
    app.wait(units(4), "four words, far apart")
    app.key("Return", lambda s: not s["seen"]["field"]["id"], "Enter leaves")


(folder / "scale.cu").write_text(KERNEL)
(folder / "look.cu").write_text(INDEX)
with display(folder):
    app = App(program, folder / "state.json", failures, "transpose_shared")
    chooser(app)
    form(app)
    editor(app)
    index(app)
    app.quit()

print("\n".join(failures) or "a kernel of one's own is opened, launched, edited and saved")
sys.exit(1 if failures else 0)
