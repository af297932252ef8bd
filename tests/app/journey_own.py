#!/usr/bin/env python3
"""Kernels of one's own in a real window: opened by keys, launched by the form, edited by typing, saved; dropped as files; texts
that would take for ever; and what is not saved when the program ends.

    journey_own.py PROGRAM DROP_FILES [PICTURES]"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from window_driver import PATIENCE, App, display, end, expect, failures, notice, picture

signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a shell it is ignored, by children too
program, dropper = sys.argv[1:3]
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_own_"))
state_folder = folder / "state" / "warplens"
KERNEL = """__global__ void scale(float* out, const float* in, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}
"""
BEYOND = """__global__ void twice(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] *= 2;
}
int main() {
  int n = 1000;
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  twice<<<(n + 255) / 256, 256>>>(a, n);
}
"""
STRIDED = "__global__ void %s(float* out, const float* in) {\n  out[threadIdx.x] = in[threadIdx.x * 2];\n}\n"


def put(name, text):
    path = folder / name
    path.write_text(text)
    return path


def kernel(state):
    return state.get("own", {}).get("kernel")


def looks_at(state):
    return {key: state["seen"].get(key) for key in ("text", "units", "access", "space")}


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
    picture(pictures, "1-opened")


def form(app):
    app.key("l", lambda s: not s["seen"]["form"], "L hides the form")
    app.key("l", lambda s: s["seen"]["form"], "L shows it")
    # Where the fields stand is a matter of the layout: click down the form until one takes the keyboard.
    for x, y in ((x, y) for y in range(440, 720, 9) for x in (200, 400)):
        app.do("mousemove", str(x), str(y), "click", "1")
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
    expect(app.state["seen"].get("units") == 4, f"the last good picture is gone: {app.state['seen']}")
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
    expect("in[i*8%1024]" in (folder / "scale.cu").read_text(), "the file was not saved")


def dropped(app):
    """Each kind opens, or is told in words that name it and leaves what was on screen."""
    app.drop(dropper, put("ein kern ä.cu", STRIDED % "strided"))
    app.wait(lambda s: kernel(s) == "strided" and s["seen"]["fresh"], "a kernel is dropped")
    app.drop(dropper, put("one.cu", STRIDED % "first"), put("other.cu", STRIDED % "second"))
    app.wait(lambda s: kernel(s) == "second", "two kernels are dropped")
    app.key("ctrl+z", lambda s: kernel(s) == "first", "undo goes back through them")
    app.drop(dropper, put("beyond.cu", BEYOND))
    app.wait(lambda s: kernel(s) == "twice" and s["seen"]["block"] == [3, 0, 0] and s["seen"]["warp"] == 7, "the thread that leaves its array is shown")
    app.key("ctrl+z", lambda s: kernel(s) == "first", "undo goes back")
    noise = folder / "noise.cu"
    noise.write_bytes(os.urandom(4096))
    app.drop(dropper, noise)
    app.wait(lambda s: "noise.cu" in notice(s)[0] and kernel(s) == "first", "garbage is refused by its name")
    pipe = folder / "pipe.cu"
    os.mkfifo(pipe)
    app.drop(dropper, pipe)
    app.wait(lambda s: notice(s)[1] == "write.no_file" and "pipe.cu" in notice(s)[0], "a pipe is refused, and nobody waits for it")
    picture(pictures, "2-refused")
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O")
    app.drop(dropper, put("saved.warplens.json", json.dumps({"schema": "warplens.session/1", "scenario": "transpose_shared",
                                                             "values": {"pad": 2}, "theme": "dark"})))
    app.wait(lambda s: s["scenario"] == "transpose_shared" and s["values"]["pad"] == 2 and "dialog" not in s["seen"],
             "a session dropped onto the chooser")


def answers(app, what):
    """Keys show; gives the state after them."""
    for wanted in (True, False):
        app.key("F1", lambda s: s["help"] == wanted, f"{what}: F1")
    return app.state


def busy(app):
    """As many statements as a kernel may have, then a loop that ends in hours: the window answers, keeps the picture before, stops
    it, and takes what comes next."""
    before = looks_at(app.settle())
    app.drop(dropper, put("bomb.cu", "__global__ void bomb(float* o) {\n  int i = threadIdx.x;\n" + "if(o[i]>0)i+=2;\n" * 50_000 +
                                     "o[i] = 1;\n}\n"))
    read = app.wait(lambda s: "reading" in s["seen"] or kernel(s) == "bomb", "a bomb is being read")
    expect("reading" not in read["seen"] or looks_at(read) == before, f"the picture of the kernel before is gone: {read['seen']}")
    answers(app, "while a bomb is read and compiled")
    app.wait(lambda s: kernel(s) == "bomb" and s["seen"]["fresh"], "the bomb is compiled")
    app.key("ctrl+z", lambda s: s["scenario"] == "transpose_shared" and s["seen"]["fresh"], "undo leads back")
    before = looks_at(app.settle())
    app.drop(dropper, put("forever.cu", "__global__ void forever(float* a) { for (int i = 0; i < 2000000000; ++i) a[i & 31] += 1; }\n"))
    runs = app.wait(lambda s: kernel(s) == "forever" and s["seen"]["busy"] and not s["seen"]["compiling"], "a loop that takes long")
    expect(looks_at(runs) == before and not runs["seen"]["fresh"], f"the picture of the kernel before is gone: {runs['seen']}")
    expect(answers(app, "while a block is simulated")["seen"]["busy"], "the loop came to its end before a key was pressed: that shows nothing")
    app.key("ctrl+period", lambda s: s["seen"]["halted"] and not s["seen"]["busy"], "Ctrl+. stops it")
    app.key("ctrl+period", lambda s: not s["seen"]["halted"] and s["seen"]["busy"], "Ctrl+. goes on with it")
    # The source of a drag gives up and goes while the window does not answer.
    os.kill(app.process.pid, signal.SIGSTOP)
    source = subprocess.Popen([dropper, app.window, str(folder / "one.cu")])
    time.sleep(1)
    source.kill()
    source.wait()
    os.kill(app.process.pid, signal.SIGCONT)
    answers(app, "after a drag whose source is gone")
    app.drop(dropper, folder / "one.cu")
    app.wait(lambda s: kernel(s) == "first" and s["seen"]["fresh"], "a kernel dropped while the loop runs")


def edit(app, words):
    app.key("e", lambda s: s["editing"], "E edits")
    app.key("ctrl+Home", lambda s: True, "to the beginning", already=True)
    app.do("type", words)
    return app.wait(lambda s: s.get("text", "").startswith(words), f"typing {words}")


def recoveries():
    return sorted(state_folder.glob("recovery-*.warplens.json"))


def start(*arguments):
    return App(program, folder / "s.json", failures, "--size", "900x560", *arguments)


def unsaved():
    """Three ends by signals, of which each keeps the last word that was typed; then they are brought back, and the name that came
    with the text is not written to unasked. (By SIGKILL, at random moments: tests/soak/kill.)"""
    for path in recoveries():
        path.unlink()
    mine = put("mine.cu", STRIDED % "mine")
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        app = start(str(mine))
        edit(app, f"//{number.name} last")
        app.process.send_signal(number)
        expect(app.process.wait(PATIENCE) == -number, f"{number.name}: ended otherwise")
        expect(any(f"{number.name} last" in path.read_text() for path in recoveries()), f"{number.name}: the last word was lost")
    expect(len(recoveries()) == 3, f"of three texts {len(recoveries())} are kept")
    expect(mine.read_text() == STRIDED % "mine", "the file was written")
    app = start()
    expect(notice(app.state) == ("3", "files.recover.more"), f"they are not offered: {notice(app.state)}")
    app.press(825, 60)  # the last word of the line below the top bar
    app.wait(lambda s: "//SIGINT last" in s.get("text", ""), "the newest is brought back")
    app.key("ctrl+s", lambda s: s["seen"]["dialog"]["saving"], "the name came with it: it is asked for")
    app.key("Return", lambda s: s["seen"]["dialog"]["trouble_key"] == "files.exists", "and whether it is replaced")
    expect(mine.read_text() == STRIDED % "mine", "the file was written unasked")
    app.key("Return", lambda s: notice(s)[1] == "files.saved" and not s["seen"]["edited"], "saved")
    app.quit()
    expect(len(recoveries()) == 2, "what was saved is kept, or what was not is not")
    expect(mine.read_text().startswith("//SIGINT last"), "the saved text is not in its file")


def nothing_can_be_kept():
    """Where the state folder should be there is something else: the window says so, and asks before it closes."""
    os.environ["XDG_STATE_HOME"] = str(put("blocked", "no folder"))
    app = start()
    edit(app, "//lost? ")
    app.wait(lambda s: notice(s)[1] == "kept.cannot", "the window says that nothing is kept")
    app.key("ctrl+q", lambda s: notice(s)[1] == "leave.ask", "it asks before it closes")
    expect(app.process.poll() is None, "it closed")
    app.quit()  # once more


put("scale.cu", KERNEL)
with display(folder):
    app = App(program, folder / "state.json", failures, "transpose_shared")
    for part in (chooser, form, editor, dropped, busy):
        part(app)
    app.quit()
    unsaved()
    nothing_can_be_kept()

end("kernels of one's own are opened, launched, edited and saved, and none is lost")
