#!/usr/bin/env python3
"""The lecture of docs/teaching.md, held to the letter in a real window: the keys are read from the page, and what each sentence
says is looked up in the state. F7 changes the language halfway, which may change nothing else. Then a scene of one's own.

    journey_lecture.py PROGRAM [PICTURES]     a folder for a picture of every minute, to be looked at"""
import pathlib
import re
import sys
import tempfile

from window_driver import App, display, end, failures, picture

program = sys.argv[1]
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
root = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_lecture_"))

KEYS = {"→": "Right", "←": "Left", "↑": "Up", "↓": "Down", "Space": "space", "PgDn": "Next", "PgUp": "Prior", "Enter": "Return",
        "Ctrl": "ctrl", "Shift": "shift", "Esc": "Escape", "+": "plus"}
TIMES = {"twice": 2, "fifteen times": 15}


def keys_of(words):
    """"<kbd>Ctrl</kbd> + <kbd>→</kbd>, fifteen times" -> ("ctrl+Right", 15)"""
    chord = r"((?:<kbd>(?:Ctrl|Shift)</kbd> \+ )*)<kbd>([^<]*)</kbd>(?:,? (twice|[a-z]+ times))?"
    for match in re.finditer(chord, words):
        if match[2] in ("Ctrl", "Shift"):
            continue
        keys = re.findall(r"<kbd>([^<]*)</kbd>", match[1]) + [match[2]]
        yield "+".join(KEYS.get(k, k.lower() if len(k) == 1 else k) for k in keys), TIMES.get(match[3], 1)


def conflict(n):
    return lambda s: s["seen"]["space"] == "shared" and s["seen"]["units"] == n and s["seen"]["ideal"] == 1


def asked(s):
    return s["seen"]["class"]["hidden"] and not s["seen"]["class"]["predicting"]["locked"]


def answered(units, ideal):
    return lambda s: (s["seen"]["class"]["predicting"]["locked"] and not s["seen"]["class"]["hidden"]
                      and (s["seen"]["units"], s["seen"]["ideal"]) == (units, ideal))


def seconds(s):
    return s["seen"]["time"]["seconds"]


# minute -> words that stand in its row -> what they say, once its keys were pressed.
LECTURE = {
    0: {"4 sectors of 32 bytes, the ideal": answered(4, 4), "one load": lambda s: s["seen"]["op"] == "load"},
    2: {"the store": lambda s: s["seen"]["op"] == "store", "32 for 4": answered(32, 4)},
    3: {"on the matrix": lambda s: s["map"]["shown"] and s["seen"]["op"] == "store",
        "the same store": lambda s: s["scenario"] == "transpose_naive_row" and s["seen"]["units"] == 32},
    4: {"four phases": lambda s: s["phases"], "both global accesses are ideal now": lambda s: s["scenario"] == "transpose_shared",
        "stops": lambda s: not s["playing"]},
    5: {"the load `tile[c][r]`": lambda s: s["seen"]["text"] == "tile[c][r]", "sixteen words each in banks 0 and 1: 16": answered(16, 1)},
    6: {"two wavefronts": conflict(2), "without a question": lambda s: not s["seen"]["class"]["hidden"]},
    7: {"the padding is 2": lambda s: s["values"]["pad"] == 2, "one wavefront, no conflict": conflict(1)},
    8: {"padding 0 beside padding 2": lambda s: (s["a"]["values"]["pad"], s["values"]["pad"]) == (0, 2), "against 1": conflict(1),
        "with both times": lambda s: s["seen"]["time_of_a"]["seconds"] > seconds(s) > 0},
    9: {"the naive store beside the one": lambda s: s["a"]["scenario"] == "transpose_naive_row" and s["seen"]["op"] == "store",
        "against 4": lambda s: s["seen"]["units"] == 4, "the time that it takes": lambda s: s["seen"]["time_of_a"]["seconds"] > 3 * seconds(s)},
    10: {"two wavefronts": answered(2, 1), "32 × 32": lambda s: s["values"]["block_y"] == 32, "still 2": lambda s: s["values"]["pad"] == 2},
}


def rows_of_lecture():
    page = (root / "docs" / "teaching.md").read_text()
    return {int(n): (do, say) for n, do, say in re.findall(r"^\| (\d+) \| (.*) \| (.*) \|$", page, re.M)}


def press_of_lecture(app, keys):
    if keys == "Return" and asked(app.settle()):
        app.key("3", lambda s: s["seen"]["class"]["predicting"].get("typed") == "3", "a guess is typed")
        app.do("key", "--clearmodifiers", keys)
        if not asked(app.settle()):
            return
        # It was wrong, and no second one is given: Enter by itself opens the answer.
    app.do("key", "--clearmodifiers", keys)
    if keys == "ctrl+shift+r":
        app.wait(lambda s: "race" in s["seen"], "they race")
    elif keys == "space":
        app.wait(lambda s: True, keys)
    else:
        app.settle()


def lecture(app):
    rows = rows_of_lecture()
    if sorted(rows) != sorted(LECTURE):
        failures.append(f"docs/teaching.md has other minutes: {sorted(rows)}")
    app.settle()
    app.holds("minute 0", {"The first scene asks": asked})
    for minute, claims in LECTURE.items():
        do, say = rows[minute]
        for keys, times in keys_of(do):
            for _ in range(times):
                press_of_lecture(app, keys)
        if minute == 5:
            app.key("F7", lambda s: s["language"] == "en", "F7 changes the language")
        state = app.settle()
        for words in claims:
            if words not in do + " " + say:
                failures.append(f"minute {minute} does not say: {words}")
        app.holds(f"minute {minute}", {**claims, "never leaves the stage": lambda s: s["present"]})
        picture(pictures, f"minute-{minute:02}")
    if state["scene"] != 8:
        failures.append(f"the lecture does not end with its last scene: {state['scene']}")


def scenes_are_kept(app):
    """What the page says of a lecture of one's own: kept, listed, saved, opened."""
    count = len(app.state["lecture"]["scenes"])
    app.key("ctrl+b", lambda s: len(s["lecture"]["scenes"]) == count + 1 and s["seen"]["lecture_unsaved"], "Ctrl+B keeps a scene")
    app.key("ctrl+shift+l", lambda s: s["seen"]["scenes"] == count, "Ctrl+Shift+L lists the scenes, the new one selected")
    app.do("key", "--clearmodifiers", "F2")
    app.wait(lambda s: s["seen"]["field"]["id"] == "scene_name", "F2 names it")
    app.do("key", "--clearmodifiers", "ctrl+a")
    app.do("type", "Mine")
    app.key("Return", lambda s: s["lecture"]["scenes"][count]["name"] == "Mine", "its name", already=True)
    picture(pictures, "scenes")
    app.key("ctrl+s", lambda s: s["seen"]["dialog"]["saving"], "Ctrl+S asks for a name: the lecture is the program's own")
    app.do("key", "--clearmodifiers", "ctrl+a")
    file = folder / "mine.lecture.json"
    app.do("type", str(file))
    app.wait(lambda s: s["seen"]["field"]["text"] == str(file), "the name is typed")
    app.key("Return", lambda s: not s["seen"]["lecture_unsaved"], "it is saved")
    if '"Mine"' not in file.read_text():
        failures.append("the file does not hold the scene")


with display(folder, "1940x1100"):
    app = App(program, folder / "state.json", failures, "--size", "1920x1080", "--lang", "zh-CN", "--lecture", "ten-minutes", panels=None)
    lecture(app)
    scenes_are_kept(app)
    app.quit()
end("the lecture is as it is written")
