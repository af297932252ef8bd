#!/usr/bin/env python3
"""README's two minutes and the lecture of docs/teaching.md, done to the letter in a real window: the keys are read from the page, and
what each sentence says is looked up in the state.

    check_lecture.py PROGRAM [PICTURES]     a folder for a picture of every step, to be looked at

In a window of 1280x720 in English and one of 1920x1080 in Chinese; F7 changes the language halfway, which may change nothing else."""
import pathlib
import re
import sys
import tempfile
import time

from window_driver import App, display, passes, picture

program = sys.argv[1]
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
root = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_lecture_"))
failures = []

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


def hold(state, what, claims):
    """claims: words of the sentence -> what they say of the state."""
    for words, test in claims.items():
        if not passes(test, state):
            shown = {k: state["seen"].get(k) for k in ("text", "units", "ideal", "warp", "access", "wavefront", "time", "problems", "class")}
            failures.append(f"{what}: \"{words}\" is not so: {state['scenario']} {state['values']} {shown}")


def conflict(n):
    return lambda s: s["seen"]["space"] == "shared" and s["seen"]["units"] == n and s["seen"]["ideal"] == 1


def asked(s):
    return s["seen"]["class"]["hidden"] and not s["seen"]["class"]["predicting"]["locked"]


def answered(units, ideal):
    return lambda s: (s["seen"]["class"]["predicting"]["locked"] and not s["seen"]["class"]["hidden"]
                      and (s["seen"]["units"], s["seen"]["ideal"]) == (units, ideal))


def seconds(s):
    return s["seen"]["time"]["seconds"]


# ---- the two minutes of README.md -------------------------------------------------------------------------------------------

def steps_of_readme():
    page = (root / "README.md").read_text()
    section = page[page.index("## Two minutes with it"):]
    section = section[:section.index("\n<kbd>F8")]
    return {int(n): " ".join(words.split()) for n, words in re.findall(r"^(\d)\. (.*?)(?=^\d\. |\Z)", section, re.M | re.S)}


def told(app, steps, step, words):
    """The sentence stands there."""
    if words not in steps[step]:
        failures.append(f"README step {step} does not say: {words}")
    return words


def place_on_the_ladder(size, language, scenario):
    """Where in the top bar the rung is, by what clicks do, in a window of its own."""
    app = App(program, folder / "scout.json", failures, "--size", size, "--lang", language, "transpose_naive_row")
    try:
        for x in range(400, 900, 12):  # right of the first rungs
            app.press(x, 22)
            time.sleep(0.3)  # letting go is no input that is counted
            app.do("key", "--clearmodifiers", "Escape")
            if app.settle()["scenario"] == scenario:
                return x + 8  # a rung is wider where it is the present one
        failures.append(f"no click on the ladder chooses {scenario}")
        return 0
    finally:
        app.quit()


def readme(app):
    steps = steps_of_readme()
    if sorted(steps) != [1, 2, 3, 4, 5]:
        failures.append(f"README has other steps: {sorted(steps)}")
    time.sleep(5)  # somebody reads
    first = app.read()
    hold(first, "README 1", {told(app, steps, 1, "The app opens with one picture, of the naive transpose"):
                             lambda s: not s["panels"] and not s["playing"] and s["scenario"] == "transpose_naive_row"})
    before = first["seen"]["access"], first["seen"]["warp"]
    app.key("space", lambda s: (s["seen"]["access"], s["seen"]["warp"]) != before,
            told(app, steps, 1, "<kbd>Space</kbd> plays the next access"))
    while app.settle()["seen"]["text"] != "out[col * nrows + row]":
        app.do("key", "--clearmodifiers", "Right")
    hold(app.state, "README 1", {told(app, steps, 1, "one store of one warp touches 32 sectors where 4 would do"):
                                 lambda s: s["seen"]["op"] == "store" and (s["seen"]["units"], s["seen"]["ideal"]) == (32, 4)})
    here = app.state["seen"]["access"], app.state["seen"]["warp"]
    app.key("Left", lambda s: s["seen"]["access"] != here[0], "← steps by access")
    app.key("Right", lambda s: s["seen"]["access"] == here[0], "→ steps by access")
    app.key("Down", lambda s: s["seen"]["warp"] == here[1] + 1, "↓ steps by warp")
    picture(pictures, f"readme-0-{app.size}")
    app.key("w", lambda s: s["panels"] == ["source", "lanes", "access", "grid", "times"], told(app, steps, 1, "opens the workbench"))
    picture(pictures, f"readme-1-{app.size}")
    told(app, steps, 2, "Choose **tile** on the ladder at the top")
    app.press(app.tile, 22)
    app.wait(lambda s: s["scenario"] == "transpose_shared", "a click on tile")
    tile = app.settle()
    hold(tile, "README 2", {
        told(app, steps, 2, "the lanes fall into the shafts of banks 0 and 1 and queue there, sixteen in each"):
            lambda s: conflict(16)(s) and s["seen"]["warp"] == 0 and s["seen"]["text"] == "tile[c][r]"})
    picture(pictures, f"readme-2-{app.size}")
    app.key("ctrl+Right", lambda s: s["seen"]["wavefront"] == 1, "Ctrl+→ plays wavefronts one by one")
    slow = seconds(app.settle())
    app.key("p", lambda s: s["values"]["pad"] == 1, "P")
    hold(app.settle(), "README 3", {told(app, steps, 3, "for padding 1, and the queues slide apart: two lanes still share a bank"): conflict(2)})
    app.key("p", lambda s: s["values"]["pad"] == 2, "P again")
    hold(app.settle(), "README 3", {told(app, steps, 3, "Press it again: no conflict"): conflict(1),
                                    told(app, steps, 3, "and the recorded time follow"):
                                        lambda s: s["seen"]["time"]["recorded"] and seconds(s) < slow})
    picture(pictures, f"readme-3-{app.size}")
    found = False
    for key in ("x", "y", "shift+x", "shift+y", "shift+y"):
        before = app.state["values"]["block_x"], app.state["values"]["block_y"]
        app.do("key", "--clearmodifiers", key)
        state = app.settle()
        hold(state, f"README 4, {key} from {before}", {"a shape that can be launched": lambda s: not s["seen"]["problems"] and s["seen"]["fresh"]})
        found = found or state["seen"].get("units", 0) > state["seen"].get("ideal", 0)
    if not found:
        failures.append(f"README 4: {told(app, steps, 4, 'find another that conflicts')}: none was met")
    picture(pictures, f"readme-4-{app.size}")
    app.key("shift+F3", lambda s: s["a"]["scenario"] == "transpose_naive_col", told(app, steps, 5, "puts this rung beside the one before it"))
    hold(app.settle(), "README 5", {"both are to be seen": lambda s: not s["seen"]["problems"]})
    picture(pictures, f"readme-5-{app.size}")
    app.key("F10", lambda s: s["map"]["shown"], told(app, steps, 5, "shows the array as a matrix"))
    app.settle()
    picture(pictures, f"readme-6-{app.size}")


# ---- the lecture of docs/teaching.md ----------------------------------------------------------------------------------------

# minute -> words that stand in its row -> what they say, once its keys were pressed.
LECTURE = {
    0: {"4 sectors of 32 bytes, the ideal": answered(4, 4), "one load": lambda s: s["seen"]["op"] == "load"},
    2: {"the store": lambda s: s["seen"]["op"] == "store", "32 for 4": answered(32, 4)},
    3: {"on the matrix": lambda s: s["map"]["shown"] and s["seen"]["op"] == "store",
        "the same store": lambda s: s["scenario"] == "transpose_naive_row" and s["seen"]["units"] == 32},
    4: {"four phases": lambda s: s["phases"], "both global accesses are ideal now": lambda s: s["scenario"] == "transpose_shared",
        "stops": lambda s: not s["playing"]},
    5: {"the load `tile[c][r]`": lambda s: s["seen"]["text"] == "tile[c][r]", "sixteen words each in banks 0 and 1": conflict(16)},
    6: {"from wavefront 1 to 16": lambda s: s["seen"]["wavefront"] == 15},
    7: {"two, not one": answered(2, 1), "the padding is 1": lambda s: s["values"]["pad"] == 1},
    8: {"the padding is 2": lambda s: s["values"]["pad"] == 2, "no conflict": conflict(1)},
    9: {"padding 0 beside padding 2": lambda s: (s["a"]["values"]["pad"], s["values"]["pad"]) == (0, 2), "against 1": conflict(1),
        "with both times": lambda s: s["seen"]["time_of_a"]["seconds"] > seconds(s) > 0},
    10: {"the naive store beside the one": lambda s: s["a"]["scenario"] == "transpose_naive_row" and s["seen"]["op"] == "store",
         "against 4": lambda s: s["seen"]["units"] == 4, "the time that it takes": lambda s: s["seen"]["time_of_a"]["seconds"] > 3 * seconds(s)},
}


def rows_of_lecture():
    page = (root / "docs" / "teaching.md").read_text()
    return {int(n): (do, say) for n, do, say in re.findall(r"^\| (\d+) \| (.*) \| (.*) \|$", page, re.M)}


def press_of_lecture(app, keys):
    if keys == "Return" and asked(app.settle()):
        app.key("3", lambda s: s["seen"]["class"]["predicting"].get("typed") == "3", "a guess is typed")
    app.do("key", "--clearmodifiers", keys)
    app.settle() if keys != "space" else app.wait(lambda s: True, keys)


def lecture(app):
    rows = rows_of_lecture()
    if sorted(rows) != sorted(LECTURE):
        failures.append(f"docs/teaching.md has other minutes: {sorted(rows)}")
    hold(app.settle(), "minute 0", {"The first scene asks": asked})
    for scene, (minute, claims) in enumerate(LECTURE.items()):
        do, say = rows[minute]
        for keys, times in keys_of(do):
            for _ in range(times):
                press_of_lecture(app, keys)
        if minute == 5:
            app.key("F7", lambda s: s["language"] != app.language, "F7 changes the language")
        state = app.settle()
        for words in claims:
            if words not in do + " " + say:
                failures.append(f"minute {minute} does not say: {words}")
        hold(state, f"minute {minute} at {app.size}", claims)
        hold(state, f"minute {minute} at {app.size}", {"never leaves the stage": lambda s: s["present"]})
        picture(pictures, f"lecture-{minute:02}-{app.size}")
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
    picture(pictures, f"scenes-{app.size}")
    app.key("ctrl+s", lambda s: s["seen"]["dialog"]["saving"], "Ctrl+S asks for a name: the lecture is the program's own")
    app.do("key", "--clearmodifiers", "ctrl+a")
    file = folder / f"mine-{app.size}.lecture.json"
    app.do("type", str(file))
    app.wait(lambda s: s["seen"]["field"]["text"] == str(file), "the name is typed")
    app.key("Return", lambda s: not s["seen"]["lecture_unsaved"], "it is saved")
    if '"Mine"' not in file.read_text():
        failures.append("the file does not hold the scene")


with display(folder, "1940x1100"):
    for size, language in (("1280x720", "en"), ("1920x1080", "zh-CN")):
        tile = place_on_the_ladder(size, language, "transpose_shared")
        for tour, arguments in ((readme, []), (lecture, ["--lecture", "ten-minutes"])):
            for left in (folder / "state").rglob("window.json"):  # as for the first time
                left.unlink()
            app = App(program, folder / "state.json", failures, "--size", size, "--lang", language, *arguments,
                      panels=None)
            app.size, app.language, app.tile = f"{size}-{language}", language, tile
            tour(app)
            if tour is lecture and language == "en":
                scenes_are_kept(app)
            app.quit()
print("\n".join(failures) or "README's two minutes and the lecture are as they are written")
sys.exit(1 if failures else 0)
