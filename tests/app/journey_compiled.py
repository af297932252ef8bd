#!/usr/bin/env python3
"""A kernel of one's own as the programs of the CUDA Toolkit see it, in a real window: as compiled, by Ctrl J, beside the text; and
measured by a program that is lost. What the compiler says stands at its line; that one is stopped, missing or broken is told, and the
window goes on.

    journey_compiled.py WARPLENS STAND_IN_GPU

nvcc is a stand-in: it does what the file `how` beside it says."""
import os
import pathlib
import sys
import tempfile

from window_driver import App, display, end, expect, failures, notice

program, stand_in = sys.argv[1:3]

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "stand_in_nvcc"
KERNEL = (DATA / "copy.cu").read_text()
REFUSED = KERNEL.replace("sum = 0;", "sum = [](auto... all) { return sizeof...(all); }(1);")
def is_told(key):
    return lambda s: notice(s)[1] == key


def at_line(state, line):
    return [p["message"] for p in state["seen"]["problems"] if p.get("line") == line]


def kernel(state):
    return pathlib.Path(state["own"]["file"]).name


def put(name, text, mode=0o644):
    path = folder / name
    path.write_text(text)
    path.chmod(mode)
    return path


def start(*arguments):
    return App(program, folder / "state.json", failures, *map(str, arguments))


def compiled():
    os.environ["CUDACXX"] = str(put("nvcc", (DATA / "nvcc").read_text(), 0o755))
    put("how", "sleep 1000\n")
    app = start(folder / "copy.cu")
    app.key("ctrl+j", is_told("compile.running"), "it is being compiled")
    app.key("ctrl+j", is_told("compile.stopped"), "the same key stops it")
    put("how", 'echo "copy.cu(4): error: no such thing" >&2; exit 1\n')
    said = app.key("ctrl+j", is_told("compile.cannot"), "what the compiler says is told")
    expect("nvcc 99.1.7 does not compile copy.cu, line 4: no such thing" in notice(said)[0], f"the compiler's words: {notice(said)}")
    expect(at_line(said, 4) == ["no such thing"], f"they stand at their line: {said['seen']['problems']}")
    put("how", 'cp "$here/made.ptx" "$out"\n')
    both = app.key("ctrl+j", lambda s: is_told("compile.done")(s) and s.get("a"), "A│B")
    expect((kernel(both), both["a"]["own"]["kernel"], both["own"]["compiler"])
           == ("copy.ptx", "copy", "nvcc 99.1.7, sm_90"), f"A│B: {both['own']}, {both['a']['own']}")
    expect(not both["seen"]["edited"], "what a compiler made is no edited text")
    became = app.wait(lambda s: s["seen"]["became"], "what became of the lines")["seen"]["became"]
    expect(became == {"4": "unrolled", "6": "dropped"}, f"what became of the lines: {became}")
    session = put("kept.warplens.json", (folder / "state.json").read_text())
    app.key("ctrl+j", lambda s: kernel(s) == "copy.cu" and "a" not in s, "and back")
    app.key("ctrl+o", lambda s: s["seen"].get("dialog"), "the chooser")
    app.do("type", "--delay", "5", str(folder / "refused.cu"))
    app.key("Return", lambda s: kernel(s) == "refused.cu" and s["seen"]["problems"], "a file that is refused")
    alone = app.key("ctrl+j", is_told("compile.alone"), "as compiled alone")
    expect(kernel(alone) == "refused.ptx" and "a" not in alone, f"a refused file as compiled: {kernel(alone)}, {'a' in alone}")
    app.wait(lambda s: s["seen"].get("units") == 4, "its picture")
    app.quit()
    # A session has all of it, where there is no compiler too.
    os.environ["CUDACXX"] = str(folder / "none")
    app = start(session)
    again = app.wait(lambda s: s["seen"]["became"] == became, "the session's A│B")["own"]
    expect((again["fields"], again["source"]) == (both["own"]["fields"], KERNEL), f"the session: {again}")
    app.quit()
    app = start(folder / "copy.cu")
    missing = app.key("ctrl+j", is_told("compile.cannot"), "there is no compiler")
    expect(all(w in notice(missing)[0] for w in ("none could not be started", "CUDACXX=path")), f"without a compiler: {notice(missing)}")
    app.quit()
    left = list((folder / "tmp").iterdir())
    expect(not left, f"left behind: {left}")


def measured(how, text, why):
    """How the stand-in behaves, and what then stands in the top bar, and in its tooltip or the panel of times."""
    app = start("transpose_shared", "--via", f"{stand_in} {how}")
    app.wait(lambda s: s["seen"]["gpu"]["text"].startswith(text) and why in s["seen"]["gpu"]["tooltip"] + s["seen"]["gpu"]["trouble"],
             f"'{how}': \"{text}\" and \"{why}\"")
    pad = app.state["values"]["pad"]
    app.key("p", lambda s: s["values"]["pad"] == pad + 1 and s["seen"]["fresh"], f"'{how}': it goes on")
    app.quit()


with tempfile.TemporaryDirectory(prefix="warplens_compiled_") as name, display(name):
    folder = pathlib.Path(name)
    os.environ.update(XDG_CACHE_HOME=str(folder / "cache"), TMPDIR=str(folder / "tmp"))
    (folder / "tmp").mkdir()
    put("made.ptx", (DATA / "copy.ptx").read_text())  # line 4 unrolled, line 6 with one of its two loads
    put("copy.cu", KERNEL)
    put("refused.cu", REFUSED)
    compiled()
    measured("", "Stand-in GPU · live", "")
    measured("no-gpu", "GPU: not available", "no NVIDIA driver")
    measured("crashes", "Stand-in GPU", "the last word")

end("as compiled and measured: said, stopped, missing, lost, as they should be")
