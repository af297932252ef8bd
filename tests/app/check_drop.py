#!/usr/bin/env python3
"""Files dropped onto a real window over XDND: each kind opens, or says in words why it does not, and what was on screen
stays.   check_drop.py WARPLENS DROP_FILES [FOLDER for pictures]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from window_driver import PATIENCE, App, display, passes, picture  # noqa: E402

root = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_drop_"))
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
failures = []

KERNEL = "__global__ void %s(float* out, const float* in) {\n  out[threadIdx.x] = in[threadIdx.x * 2];\n}\n"


def put(name, content, mode="w"):
    path = folder / name
    with open(path, mode) as file:
        file.write(content)
    return path


def drop(app, what, *paths):
    window = app.do("search", "--onlyvisible", "--name", "^Warplens$").split()[0]
    code = subprocess.run([sys.argv[2], window, *map(str, paths)], timeout=PATIENCE).returncode
    if code != 0:
        failures.append(f"{what}: the window did not take the drop ({code})")
    else:
        app.was_done()


def settings(state):
    return {key: state.get(key) for key in ("scenario", "values", "own", "text")}


def opens(app, what, paths, test):
    if passes(test, app.settle()):
        failures.append(f"{what}: was so before the drop, which shows nothing")
    drop(app, what, *paths)
    app.wait(test, what)
    picture(pictures, what.replace(" ", "-"))


def is_refused(app, what, path, *words, key="files.trouble"):
    """Told in words that name the file; the settings stay."""
    before = settings(app.settle())
    if "notice" in app.state["seen"]:
        app.key("Escape", lambda s: "notice" not in s["seen"], f"{what}: Escape takes the words away")
    drop(app, what, path)
    app.wait(lambda s: "notice" in s["seen"], f"{what}: something is said")
    told = app.state["seen"].get("notice", {}).get("words", "")
    if (found := app.state["seen"].get("notice", {}).get("key")) != key:
        failures.append(f"{what}: {found!r} in place of {key!r}")
    for word in (path.name, *words):
        if word not in told:
            failures.append(f"{what}: {word!r} is not in {told!r}")
    if settings(app.settle()) != before:
        failures.append(f"{what}: the settings did not survive")
    picture(pictures, what.replace(" ", "-"))


def good(app):
    kernel = put("ein kern ä.cu", KERNEL % "strided")
    opens(app, "a kernel", [kernel], lambda s: s["own"]["kernel"] == "strided" and s["seen"]["fresh"])
    session = put("saved.warplens.json", json.dumps({"schema": "warplens.session/1", "scenario": "transpose_shared",
                                                     "values": {"pad": 2}, "theme": "dark"}))
    opens(app, "a session", [session], lambda s: s["scenario"] == "transpose_shared" and s["values"]["pad"] == 2)
    pack = root / "assets" / "recorded" / "h200-gallery.json"
    opens(app, "a recorded pack", [pack], lambda s: s["seen"]["notice"]["key"] == "share.adopted")
    app.key("Escape", lambda s: "notice" not in s["seen"], "Escape takes the words away")
    if settings(app.state)["scenario"] != "transpose_shared":
        failures.append("a recorded pack changed the scenario")
    profiles = root / "tests" / "data" / "ncu"
    opens(app, "a profile", [profiles / "full_set.csv"], lambda s: s["plot"]["shown"] == "profile")
    is_refused(app, "a profile of another kernel", profiles / "stride_four.csv", "no launch of transpose_shared",
               key="explain.other_kernel")


def two(app):
    one, other = put("one.cu", KERNEL % "first"), put("other.cu", KERNEL % "second")
    opens(app, "two kernels", [one, other], lambda s: s["own"]["kernel"] == "second")
    app.key("ctrl+z", lambda s: s["own"]["kernel"] == "first", "undo goes back through them")
    garbage = put("photo.png", bytes(range(256)) * 8, "wb")
    opens(app, "garbage and a kernel", [garbage, other],
          lambda s: s["own"]["kernel"] == "second" and "photo.png" in s["seen"]["notice"]["words"])


def bad(app):
    is_refused(app, "garbage", put("noise.cu", os.urandom(4096), "wb"))
    is_refused(app, "no kernel in it", put("notes.cu", "int main() { return 0; }\n"), "__global__")
    is_refused(app, "an empty file", put("empty.cu", ""))
    is_refused(app, "a folder", folder, key="files.folder")
    is_refused(app, "too large", put("large.cu", "// much\n" * (1 << 18)), "larger")
    is_refused(app, "an unknown json", put("what.json", '{"schema": "else/1"}'), key="files.unknown")
    is_refused(app, "a broken session", put("broken.warplens.json", '{"schema": "warplens.session/1", "scen'), "JSON")
    is_refused(app, "a file that is gone", folder / "gone.cu")
    pipe = folder / "pipe.cu"
    os.mkfifo(pipe)
    is_refused(app, "a pipe", pipe, key="write.no_file")
    secret = put("secret.cu", KERNEL % "hidden")
    secret.chmod(0)
    if os.access(secret, os.R_OK):
        print("passed over: a file without permission, because root reads everything")
    else:
        is_refused(app, "without permission", secret)


with display(folder):
    began = time.time()
    app = App(sys.argv[1], folder / "state.json", failures, "transpose_shared")
    for part in (good, two, bad):
        part(app)
    # Dropped while a dialogue is open, a file opens and the dialogue goes.
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O")
    opens(app, "onto the chooser", [folder / "one.cu"], lambda s: s["own"]["kernel"] == "first" and "dialog" not in s["seen"])
    app.quit()
    print(f"{time.time() - began:.0f} s")

print("\n".join(failures) or "what is dropped opens, or says why not")
sys.exit(1 if failures else 0)
