#!/usr/bin/env python3
"""The first minute of a new user, in a real window with an empty home: a picture of each thing met, to be looked at.

    tests/app/walk_first_minute.py build/release/bin/warplens out/first_minute [--lang zh-CN]

Welcome, tour, keys, palette, a file opened and found again among the recent ones, undo and redo, a text typed and the app
killed, and what it says when it is started again. Ends with 1 where something did not happen."""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from window_driver import PATIENCE, App, display

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--lang", default="en")
options = parser.parse_args()
options.folder.mkdir(parents=True, exist_ok=True)
home = pathlib.Path(tempfile.mkdtemp(prefix="warplens_home_"))
failures, taken = [], []


def picture(name):
    time.sleep(0.6)
    file = options.folder / f"{len(taken) + 1:02}-{name}.png"
    subprocess.run(["import", "-window", "root", "-crop", "1280x720+0+0", "+repage", str(file)], check=True)
    taken.append(file.name)


def start():
    return App(options.program, home / "state.json", failures, "--size", "1280x720", "--lang", options.lang,
               panels=None)


def tour(app):
    app.key("shift+F1", lambda s: s["seen"]["class"].get("tour") == 0, "Shift+F1 begins the tour")
    stop = 0
    while True:
        picture(f"tour-{stop + 1}")
        app.do("key", "--clearmodifiers", "Right")
        here = app.settle()["seen"]["class"].get("tour")
        if here is None or here == stop or stop > 20:
            break
        stop = here
    app.key("Escape", lambda s: "tour" not in s["seen"]["class"], "Escape ends the tour")


def keys_and_palette(app):
    app.do("key", "--clearmodifiers", "F1")
    picture("keys")
    app.do("key", "--clearmodifiers", "Escape")
    app.key("ctrl+p", lambda s: "palette" in s["seen"]["class"], "Ctrl+P")
    picture("palette")
    app.do("type", "swizzled t")
    app.wait(lambda s: s["seen"]["field"]["text"] == "swizzled t" and s["seen"]["class"]["palette"]["found"], "typing in the palette")
    picture("palette-typed")
    app.key("Return", lambda s: "palette" not in s["seen"]["class"], "Enter chooses")
    picture("palette-chosen")


def a_file_and_its_memory(app):
    mine = home / "mine.cu"
    mine.write_text("__global__ void scale(float* a, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  if (i < n) a[2 * i] = 2.0f * a[2 * i];\n}\n")
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O")
    picture("open")
    app.do("key", "--clearmodifiers", "ctrl+a")
    app.do("type", str(mine))
    app.do("key", "--clearmodifiers", "Return")
    app.wait(lambda s: "mine.cu" in json.dumps(s), "the file is opened")
    picture("opened")
    app.do("key", "--clearmodifiers", "1")
    app.key("ctrl+p", lambda s: "palette" in s["seen"]["class"], "Ctrl+P")
    app.do("type", "mine")
    app.wait(lambda s: s["seen"]["class"]["palette"]["found"], "the recent file is found")
    picture("recent")
    app.do("key", "--clearmodifiers", "Return")
    app.settle()
    picture("recent-opened")


def undo_and_crash(app):
    app.do("key", "--clearmodifiers", "ctrl+z")
    picture("undo")
    app.do("key", "--clearmodifiers", "ctrl+y")
    picture("redo")
    app.do("key", "--clearmodifiers", "F2")
    app.settle()
    app.do("key", "--clearmodifiers", "ctrl+Home")
    app.do("type", "// mine\n")
    time.sleep(4)  # it is kept after a moment
    picture("typed")
    app.process.send_signal(signal.SIGKILL)
    app.process.wait(PATIENCE)


with display(home):
    app = start()
    picture("welcome")
    tour(app)
    keys_and_palette(app)
    a_file_and_its_memory(app)
    undo_and_crash(app)
    app = start()
    picture("after-a-crash")
    app.quit()
page = "".join(f'<figure><img src="{name}" width="100%"><figcaption>{name}</figcaption></figure>\n' for name in taken)
(options.folder / "index.html").write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>The first minute</title>\n{page}')
print("\n".join(failures) or f"{len(taken)} pictures and index.html in {options.folder}")
sys.exit(1 if failures else 0)
