#!/usr/bin/env python3
"""The phases of a corner turn in a real window: stepped and played by keys and mouse, beside another, as stills, while
language and theme change. With a folder as second argument: a picture of every station, to be looked at."""
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from window_driver import App, display, picture  # noqa: E402

folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_phases_"))
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
failures = []


def at(event):
    return lambda s: s["seen"]["event"] == event


def step(app):
    app.key("F11", lambda s: s["phases"], "F11 shows the phases")
    app.key("Home", at(0), "Home")
    for event in (1, 2, 3):
        app.key("Right", at(event), f"Right goes through the block: access {event}")
    if app.state["seen"]["warp"] != 1:
        failures.append("the third access of the block is not the second warp's")
    app.key("Left", at(2), "Left goes back through it")
    picture(pictures, "1-stepped")


def play(app):
    app.key("space", lambda s: s["playing"], "Space plays")
    app.wait(lambda s: s["seen"]["event"] >= 3, "an access later")
    app.key("F7", lambda s: s["language"] == "zh-CN" and s["playing"], "F7 while it plays")
    app.key("F6", lambda s: s["theme"] == "light" and s["playing"], "F6 while it plays")
    before = app.state["seen"]["event"]
    app.wait(lambda s: s["seen"]["event"] > before, "it plays on")
    picture(pictures, "2-playing-in-chinese-and-light")
    # The speed's slider, at its right end: 32 times.
    app.press(1531, 787)
    app.wait(lambda s: s["speed"] > 4, "the slider of the speed")
    app.wait(lambda s: s["seen"]["event"] > 30, "faster")
    app.key("space", lambda s: not s["playing"], "Space pauses")
    rests = app.settle()["seen"]["event"]
    time.sleep(0.3)
    if app.read()["seen"]["event"] != rests:
        failures.append("paused, it goes on")
    app.key("F7", lambda s: s["language"] == "en", "F7")
    app.key("F6", lambda s: s["theme"] == "dark", "F6")
    app.key("End", lambda s: s["seen"]["access"] == s["seen"]["accesses"] - 1, "End", already=True)
    app.key("space", lambda s: s["playing"], "Space plays")
    app.wait(lambda s: not s["playing"] and s["seen"]["event"] == 63, "the block's end ends the playing")
    picture(pictures, "3-at-the-end")


def stills(app):
    app.key("Home", lambda s: s["seen"]["access"] == 0, "Home")
    app.key("F12", lambda s: s["stills"], "F12: nothing moves")
    first = app.state["seen"]["event"]
    app.key("Right", at(first + 1), "Right, in stills")
    picture(pictures, "4-stills")
    app.key("p", lambda s: s["values"]["pad"] == 1 and s["phases"], "padding turns, the phases stay")
    app.key("F12", lambda s: not s["stills"], "F12 again")


def beside_another(app):
    app.key("F3", lambda s: "a" in s and s["phases"], "F3 pins, the phases stay")
    app.key("p", lambda s: s["values"]["pad"] == 2 and s["a"]["values"]["pad"] == 1, "B's padding turns")
    app.key("Home", lambda s: s["seen"]["access"] == 0, "Home")
    before = app.state["seen"]["event"]
    app.key("Right", at(before + 1), "both go through the block")
    picture(pictures, "5-beside-another")
    app.key("F5", lambda s: s["present"], "F5 presents both")
    picture(pictures, "6-presenting-both")
    app.key("F5", lambda s: not s["present"], "F5 again")
    app.key("shift+F3", lambda s: s["a"]["scenario"] != s["scenario"], "against the rung before")
    picture(pictures, "7-one-has-none")
    app.key("Escape", lambda s: "a" not in s, "Escape leaves")


def elsewhere(app):
    app.key("F10", lambda s: s["map"]["shown"] and not s["phases"], "a map takes their place")
    app.key("F11", lambda s: s["phases"] and not s["map"]["shown"], "and they the map's")
    app.key("F9", lambda s: s["seen"]["class"]["hidden"] and s["phases"], "a question hides them")
    picture(pictures, "8-behind-a-question")
    app.key("F9", lambda s: not s["seen"]["class"]["hidden"], "F9 again")
    for x in range(1190, 1000, -12):  # the tabs in the heading: lanes, matrix, phases
        app.press(x, 72)
        if not app.settle()["phases"]:
            break
    else:
        failures.append("no click in the heading leaves the phases")


with display(folder):
    began = time.time()
    app = App(sys.argv[1], folder / "state.json", failures, "transpose_shared", moves=True)
    for part in (step, play, stills, beside_another, elsewhere):
        part(app)
    app.quit()
    print(f"{time.time() - began:.0f} s")

print("\n".join(failures) or "the phases do what they are told")
sys.exit(1 if failures else 0)
