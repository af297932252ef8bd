#!/usr/bin/env python3
"""A student goes through every lesson in a real window, by keys alone, in both languages; every answer is right, every
challenge is met (by turning parameters, or by typing the kernel of tests/data/solutions), and the score is kept.

    tests/app/walk_lessons_window.py build/release/bin/warplens out/lessons_window [--only padding] [--lang zh-CN]

Takes minutes; a picture of every step as asked and as answered, to be looked at (index.html). Ends with 1 if something was
not as it should be."""
import argparse
import html
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from window_driver import App, display

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--only", default="")
parser.add_argument("--lang", default="")
options = parser.parse_args()
root = pathlib.Path(__file__).resolve().parents[2]
options.folder.mkdir(parents=True, exist_ok=True)
lessons = [json.loads(f.read_text(encoding="utf-8")) for f in sorted((root / "assets/lessons").glob("*.lesson.json"))]
home = pathlib.Path(tempfile.mkdtemp(prefix="warplens_student_"))
failures, taken = [], []


def lesson(test):
    return lambda s: "lesson" in s["seen"]["class"] and test(s["seen"]["class"]["lesson"])


def picture(name):
    time.sleep(0.3)
    file = options.folder / f"{name}.png"
    subprocess.run(["import", "-window", "root", "-crop", "1280x720+0+0", "+repage", str(file)], check=True)
    taken.append(file.name)


def answer(app, one, step, name):
    """The step's question, if it asks one, answered rightly."""
    here = app.wait(lesson(lambda l: l["step"] == step and l["as_put"] and (not l["asks"] or "answer" in l)), f"{name}: shown")
    picture(name)
    if here["seen"]["class"]["lesson"]["asks"]:
        right = here["seen"]["class"]["lesson"]["answer"]
        choice = "choices" in one["steps"][step]["predict"]
        for digit in str(right + 1 if choice else right):
            app.do("key", digit)
        app.wait(lesson(lambda l: not l["guess"]["locked"] and len(l["guess"]) > 1), f"{name}: an answer is typed")
        app.key("Return", lesson(lambda l: l["guess"]["locked"]), f"{name}: locked")
        if app.state["seen"]["class"]["hidden"]:
            failures.append(f"{name}: hidden after the answer")
        picture(f"{name}-answered")
    app.key("Return", lesson(lambda l: l["step"] == step + 1), f"{name}: on to the next")


def turn(app, scenario, name, to):
    """A parameter to a value, by its key."""
    file = json.loads((root / f"kernels/{scenario}.scenario.json").read_text(encoding="utf-8"))
    key = next(p["key"] for p in file["parameters"] if p["name"] == name)
    for _ in range(60):
        now = app.settle()["values"].get(name)
        if now == to:
            return
        app.key(key if now < to else f"shift+{key}", lambda s: s["values"].get(name) != now, f"{name} is turned")
    failures.append(f"{scenario}: {name} does not come to {to} by its key")


def edit(app, text):
    app.key("F2", lambda s: s["editing"], "F2 edits")
    app.do("key", "ctrl+a")
    # Line by line, each from its own beginning: the editor indents by itself.
    for line in text.rstrip("\n").split("\n"):
        app.do("key", "shift+Home")
        if line.strip():
            app.do("type", "--delay", "2", line)
        app.do("key", "Return")
    app.key("Escape", lambda s: not s["editing"], "Escape ends editing")


def challenge(app, one, name):
    app.wait(lesson(lambda l: l["challenge"] and l.get("passed") is False), f"{name}: not met at first")
    picture(name)
    todo = one["challenge"]
    for parameter, to in todo.get("solution", {}).items():
        turn(app, todo["show"]["scenario"], parameter, to)
    if not todo.get("solution"):
        edit(app, (root / f"tests/data/solutions/{one['name']}.cu").read_text())
    app.wait(lesson(lambda l: l.get("passed")), f"{name}: met")
    picture(f"{name}-met")


def walk(app, index, one, language):
    app.key("F8", lambda s: "list" in s["seen"]["class"], "F8 shows the lessons")
    if app.state["seen"]["class"]["list"] != 0:  # it opens at the first that is not passed
        app.key("Home", lambda s: s["seen"]["class"].get("list") == 0, "Home")
    for n in range(1, index + 1):
        app.key("Down", lambda s, n=n: s["seen"]["class"].get("list") == n, "Down")
    if index == 3:
        picture(f"list-{language}")
    app.key("Return", lesson(lambda l: l["name"] == one["name"]), f"{one['name']} begins")
    for step in range(len(one["steps"])):
        answer(app, one, step, f"{one['order']:02}-{one['name']}-{language}-{step + 1}")
    challenge(app, one, f"{one['order']:02}-{one['name']}-{language}-{len(one['steps']) + 1}")
    app.key("shift+F8", lambda s: "lesson" not in s["seen"]["class"], "Shift+F8 leaves")


def score(kept, one, language):
    asked = [str(i) for i, step in enumerate(one["steps"]) if "predict" in step]
    record = kept.get(one["name"], {})
    if not record.get("passed") or any(not record.get("predictions", {}).get(i, {}).get("first") for i in asked):
        failures.append(f"{language}: the score of {one['name']} is not as it was made: {record}")


with display(home):
    for language in [options.lang] if options.lang else ["en", "zh-CN"]:
        os.environ["XDG_STATE_HOME"] = str(home / language)
        app = App(options.program, home / "state.json", failures, "--size", "1280x720", "--lang", language, "--tell-answers")
        chosen = [(i, one) for i, one in enumerate(lessons) if options.only in ("", one["name"])]
        for i, one in chosen:
            walk(app, i, one, language)
        app.quit()
        kept = json.loads((home / language / "warplens/lessons.json").read_text())["lessons"]
        for _, one in chosen:
            score(kept, one, language)
        print(f"{language}: {len(chosen)} lessons walked and scored", flush=True)
page = "".join(f'<figure><img src="{html.escape(p)}" width="100%"><figcaption>{html.escape(p)}</figcaption></figure>\n' for p in taken)
(options.folder / "index.html").write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>Every lesson</title>\n{page}')
print("\n".join(failures) or f"{len(taken)} pictures and index.html in {options.folder}")
sys.exit(1 if failures else 0)
