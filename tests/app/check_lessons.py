#!/usr/bin/env python3
"""A lesson walked in a real window, by keys, in both languages: chosen, predicted, played with, put back, passed, kept."""
import json
import os
import pathlib
import sys
import tempfile

from window_driver import App, display  # noqa: E402

program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_lessons_"))
failures = []


def lesson(test):
    return lambda s: test(s["seen"]["class"]["lesson"])


def walk(app):
    app.key("F8", lambda s: "list" in s["seen"]["class"], "F8 shows the lessons")
    app.key("Down", lambda s: s["seen"]["class"]["list"] == 1, "Down")
    app.key("Home", lambda s: s["seen"]["class"]["list"] == 0, "Home")
    for n in range(1, 10):  # the tenth: padding
        app.key("Down", lambda s, n=n: s["seen"]["class"]["list"] == n, "Down")
    app.key("Return", lesson(lambda l: l["name"] == "padding" and l["step"] == 0 and "answer" in l), "Enter begins")
    steps = app.state["seen"]["class"]["lesson"]["steps"]
    for step in range(steps):
        here = app.wait(lesson(lambda l: l["step"] == step and "answer" in l and l["as_put"]), f"step {step + 1}")
        if not here["seen"]["class"]["hidden"]:
            failures.append(f"step {step + 1}: the costs can be seen before the answer")
        app.key("p", lesson(lambda l: not l["as_put"]), "playing with the padding")
        app.key("ctrl+r", lesson(lambda l: l["as_put"]), "Ctrl+R puts it back")
        app.key("ctrl+h", lesson(lambda l: l["hints"] == 1), "Ctrl+H hints")
        answer = str(here["seen"]["class"]["lesson"]["answer"] + (1 if step == 0 else 0))
        for digit in answer:
            app.do("key", digit)
        app.wait(lesson(lambda l: l["guess"].get("typed") == answer), f"typing {answer}")
        app.key("Return", lambda s: s["seen"]["class"]["lesson"]["guess"]["locked"] and not s["seen"]["class"]["hidden"], "Enter locks")
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
    app.key("Return", lambda s: s["seen"]["class"]["predicting"]["locked"] and not s["seen"]["class"]["hidden"], "Enter locks")
    app.key("Right", lambda s: s["seen"]["class"]["hidden"], "the next access is asked about anew")
    app.key("Escape", lambda s: "predicting" not in s["seen"]["class"], "Escape ends")


def first_minute(app):
    app.key("shift+F1", lambda s: s["seen"]["class"].get("tour") == 0, "Shift+F1 begins the tour")
    app.key("Right", lambda s: s["seen"]["class"].get("tour") == 1, "on")
    app.key("Escape", lambda s: "tour" not in s["seen"]["class"], "Escape ends the tour")
    app.key("ctrl+p", lambda s: "palette" in s["seen"]["class"], "Ctrl+P")
    app.do("type", "swizzle")
    app.wait(lambda s: s["seen"]["field"]["text"] == "swizzle" and s["seen"]["class"]["palette"]["found"], "typing")
    app.key("Escape", lambda s: "palette" not in s["seen"]["class"], "Escape closes it")


with display(folder):
    for language in ("en", "zh-CN"):
        state = folder / language
        os.environ["XDG_STATE_HOME"] = str(state)
        app = App(program, folder / "state.json", failures, "transpose_shared", "--lang", language, "--tell-answers")
        walk(app)
        predict(app)
        first_minute(app)
        app.quit()
        kept = json.loads((state / "warplens" / "lessons.json").read_text())["lessons"]["padding"]
        if not kept["passed"] or kept["predictions"]["0"]["first"] or not kept["predictions"]["1"]["first"]:
            failures.append(f"{language}: progress is not as it was made: {kept}")

print("\n".join(failures) or "a lesson is walked, scored and kept, in both languages")
sys.exit(1 if failures else 0)
