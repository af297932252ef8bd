#!/usr/bin/env python3
"""A lesson in a real window, by keys: chosen, predicted, played with, put back, passed, kept; a prediction of one's own; and two
windows, which keep what was answered in both.   journey_lesson.py PROGRAM [PICTURES]"""
import json
import pathlib
import sys
import tempfile
import time

from window_driver import PATIENCE, App, display, end, failures, picture, until

program = sys.argv[1]
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_lessons_"))
progress = folder / "state" / "warplens" / "lessons.json"


def kept(name):
    return json.loads(progress.read_text())["lessons"].get(name, {}) if progress.exists() else {}


def lesson(test):
    return lambda s: test(s["seen"]["class"]["lesson"])


def walk(app):
    app.key("F8", lambda s: s["seen"]["class"].get("palette", {}).get("found"), "F8 shows the lessons")
    for n in range(1, 10):  # the tenth: padding
        app.key("Down", lambda s, n=n: s["seen"]["class"]["palette"]["selected"] == n, "Down")
    app.key("Return", lesson(lambda l: l["name"] == "padding" and l["step"] == 0 and "answer" in l), "Enter begins")
    steps = app.state["seen"]["class"]["lesson"]["steps"]
    for step in range(steps):
        here = app.wait(lesson(lambda l: l["step"] == step and "answer" in l and l["as_put"]), f"step {step + 1}")
        picture(pictures, f"step-{step + 1}")
        if not here["seen"]["class"]["hidden"]:
            failures.append(f"step {step + 1}: the costs can be seen before the answer")
        app.key("ctrl+h", lesson(lambda l: l["hints"] == 1), "Ctrl+H hints")
        answer = str(here["seen"]["class"]["lesson"]["answer"] + (1 if step == 0 else 0))
        for digit in answer:
            app.do("key", digit)
        app.wait(lesson(lambda l: l["guess"].get("typed") == answer), f"typing {answer}")
        if step == 0:
            app.key("Return", lambda s: "first" in s["seen"]["class"]["lesson"]["guess"] and s["seen"]["class"]["hidden"], "a second try is left")
        app.key("Return", lambda s: s["seen"]["class"]["lesson"]["guess"]["locked"] and not s["seen"]["class"]["hidden"], "Enter locks")
        app.key("p", lesson(lambda l: not l["as_put"]), "playing with the padding")
        app.key("ctrl+r", lesson(lambda l: l["as_put"]), "Ctrl+R puts it back")
        app.key("Return", lesson(lambda l: l["step"] == step + 1), "Enter goes on")
    app.wait(lesson(lambda l: l["challenge"] and l.get("passed") is False), "the challenge is not met at first")
    for _ in range(8):
        app.do("key", "p")
        if app.settle()["seen"]["class"]["lesson"].get("passed"):
            break
    app.wait(lesson(lambda l: l.get("passed")), "padding passes it")
    app.key("Return", lesson(lambda l: l["name"] == "broadcast" and l["step"] == 0), "Enter goes to the next lesson")
    app.key("shift+F8", lambda s: "lesson" not in s["seen"]["class"], "Shift+F8 leaves")


def predict(app):
    app.key("F9", lambda s: "predicting" in s["seen"]["class"] and s["seen"]["class"]["hidden"], "F9 asks")
    app.do("key", "8")
    app.do("key", "Return")
    if not app.settle()["seen"]["class"]["predicting"]["locked"]:
        app.do("key", "Return")
    app.wait(lambda s: s["seen"]["class"]["predicting"]["locked"] and not s["seen"]["class"]["hidden"], "Enter opens the answer")
    app.key("Right", lambda s: s["seen"]["class"]["hidden"], "the next access is asked about anew")
    app.key("Escape", lambda s: "predicting" not in s["seen"]["class"], "Escape ends")


def two_windows():
    """Each answers another step of a lesson that neither has been in before."""
    apps = [App(program, folder / f"w{step}.json", failures, "--size", "900x560", "--lesson", "warps", "--lesson-step", str(step))
            for step in (2, 3)]
    windows = apps[0].do("search", "--onlyvisible", "--name", "^Warplens$").split()
    windows = [apps[0].window] + [w for w in windows if w != apps[0].window]
    for number, (app, window) in enumerate(zip(apps, windows), 1):
        app.do("windowraise", window, "windowfocus", "--sync", window)
        time.sleep(0.5)
        app.do("type", "7")
        app.key("Return", lambda s: True, "an answer", already=True)
        until(lambda: len(kept("warps").get("predictions", {})) >= number)
    if len(kept("warps").get("predictions", {})) != 2:
        failures.append(f"of two answers in two windows this is left: {kept('warps')}")
    for app in apps:
        app.process.terminate()
        app.process.wait(PATIENCE)


with display(folder):
    app = App(program, folder / "state.json", failures, "transpose_shared", "--lang", "zh-CN", "--tell-answers")
    walk(app)
    predict(app)
    app.quit()
    done = kept("padding")
    if not done["passed"] or done["predictions"]["0"]["first"] or not done["predictions"]["1"]["first"]:
        failures.append(f"progress is not as it was made: {done}")
    two_windows()

end("a lesson is walked, scored and kept, in two windows too")
