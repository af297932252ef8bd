#!/usr/bin/env python3
"""README's two minutes in a real window, to the letter: what each sentence says is looked up in the state. Then the tour, and
what only a real window has: keys and mouse as the system sends them, the clipboard, the picture on the display, rest.

    journey_tour.py PROGRAM [PICTURES]     a folder for a picture of every station, to be looked at"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from png import Picture
from window_driver import PATIENCE, App, display, end, expect, failures, picture

program = str(pathlib.Path(sys.argv[1]).resolve())
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
root = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_tour_"))


def seen(name, value):
    return lambda s: s["seen"][name] == value


def conflict(n):
    return lambda s: s["seen"]["space"] == "shared" and s["seen"]["units"] == n and s["seen"]["ideal"] == 1


def seconds(s):
    return s["seen"]["time"]["seconds"]


def steps_of_readme():
    page = (root / "README.md").read_text()
    section = page[page.index("## Two minutes with it"):]
    section = section[:section.index("\n<kbd>F8")]
    return {int(n): " ".join(words.split()) for n, words in re.findall(r"^(\d)\. (.*?)(?=^\d\. |\Z)", section, re.M | re.S)}


def readme(app):
    steps = steps_of_readme()
    expect(sorted(steps) == [1, 2, 3, 4, 5], f"README has other steps: {sorted(steps)}")

    def told(step, words):
        expect(words in steps[step], f"README step {step} does not say: {words}")
        return words
    time.sleep(5)  # somebody reads
    first = app.settle()
    app.holds("README 1", {told(1, "The app opens with one picture, of the naive transpose"):
                           lambda s: not s["panels"] and not s["playing"] and s["scenario"] == "transpose_naive_row"})
    # By Tab alone: backwards the last key of the picture, which opens the workbench.
    app.key("shift+Tab", lambda s: True, "Tab goes through the controls", already=True)
    app.key("Return", lambda s: s["panels"], "Enter presses the one with the outline")
    app.key("Escape", lambda s: s["panels"], "Esc leaves the controls, and closes nothing", already=True)
    app.key("w", lambda s: not s["panels"], "the picture alone again")
    before = first["seen"]["access"], first["seen"]["warp"]
    app.key("space", lambda s: (s["seen"]["access"], s["seen"]["warp"]) != before, told(1, "<kbd>Space</kbd> plays the next access"))
    while app.settle()["seen"]["text"] != "out[col * nrows + row]":
        app.do("key", "--clearmodifiers", "Right")
    app.holds("README 1", {told(1, "one store of one warp touches 32 sectors where 4 would do"):
                           lambda s: s["seen"]["op"] == "store" and (s["seen"]["units"], s["seen"]["ideal"]) == (32, 4)})
    here = app.state["seen"]["access"], app.state["seen"]["warp"]
    app.key("Left", lambda s: s["seen"]["access"] != here[0], "← steps by access")
    app.key("Right", lambda s: s["seen"]["access"] == here[0], "→ steps by access")
    app.key("Down", lambda s: s["seen"]["warp"] == here[1] + 1, "↓ steps by warp")
    picture(pictures, "1-first-picture")
    app.key("w", lambda s: s["panels"] == ["source", "access", "grid", "times"], told(1, "opens the workbench"))
    picture(pictures, "1-workbench")
    told(2, "Choose **tile** on the ladder at the top")
    for x in range(400, 900, 12):  # rung by rung, from the left
        app.press(x, 22)
        time.sleep(0.3)  # letting go is no input that is counted
        app.do("key", "--clearmodifiers", "Escape")
        if app.settle()["scenario"] == "transpose_shared":
            break
    app.holds("README 2", {told(2, "the lanes fall into the shafts of banks 0 and 1 and queue there, sixteen in each"):
                           lambda s: conflict(16)(s) and s["seen"]["warp"] == 0 and s["seen"]["text"] == "tile[c][r]"})
    picture(pictures, "2-tile")
    app.key("ctrl+Right", lambda s: s["seen"]["wavefront"] == 1, "Ctrl+→ plays wavefronts one by one")
    slow = seconds(app.settle())
    app.key("p", lambda s: s["values"]["pad"] == 1, "P")
    app.settle()
    app.holds("README 3", {told(3, "for padding 1, and the queues slide apart: two lanes still share a bank"): conflict(2)})
    app.key("p", lambda s: s["values"]["pad"] == 2, "P again")
    app.settle()
    app.holds("README 3", {told(3, "Press it again: no conflict"): conflict(1),
                           told(3, "and the recorded time follow"): lambda s: s["seen"]["time"]["recorded"] and seconds(s) < slow})
    picture(pictures, "3-padded")
    found = False
    for key in ("x", "y", "shift+x", "shift+y", "shift+y"):
        app.do("key", "--clearmodifiers", key)
        state = app.settle()
        app.holds(f"README 4, {key}", {"a shape that can be launched": lambda s: not s["seen"]["problems"] and s["seen"]["fresh"]})
        found = found or state["seen"].get("units", 0) > state["seen"].get("ideal", 0)
    expect(found, f"README 4: {told(4, 'find another that conflicts')}: none was met")
    app.key("shift+F3", lambda s: s["a"]["scenario"] == "transpose_naive_col", told(5, "puts this rung beside the one before it"))
    app.settle()
    app.holds("README 5", {"both are to be seen": lambda s: not s["seen"]["problems"]})
    picture(pictures, "5-beside")
    app.key("F10", lambda s: s["map"]["shown"], told(5, "shows the array as a matrix"))
    app.settle()
    picture(pictures, "5-map")
    app.idles("a map of two kernels")  # a grid that was begun is counted to its end first


def tour(app):
    def stops(n):
        return lambda s: s["seen"]["class"].get("tour") == n
    app.key("shift+F1", stops(0), "Shift+F1 begins the tour")
    for n, key in enumerate(("q", "space", "bracketright", "bracketright", "p", "p")):
        app.key(key, stops(n + 1), f"stop {n + 1} of the tour asks for {key}")
        app.settle()
        picture(pictures, f"tour-{n + 2}")
    app.holds("the tour", {"no lane waits at its end": conflict(1)})
    app.key("w", lambda s: "tour" not in s["seen"]["class"] and s["panels"], "the workbench ends the tour")


# One key after the other, and what is so afterwards and was not before: each reaches the window as the system sends it.
KEYBOARD = [
    ("Home", seen("access", 0)), ("Right", seen("access", 1)), ("Right", seen("access", 2)), ("ctrl+Right", seen("wavefront", 1)),
    ("ctrl+Left", seen("wavefront", 0)), ("p", lambda s: s["values"]["pad"] == 1), ("p", lambda s: s["values"]["pad"] == 2),
    ("shift+p", lambda s: s["values"]["pad"] == 1), ("ctrl+z", lambda s: s["values"]["pad"] == 2),
    ("ctrl+y", lambda s: s["values"]["pad"] == 1), ("Down", seen("warp", 1)), ("Up", seen("warp", 0)),
    ("Next", seen("block", [1, 0, 0])), ("Prior", seen("block", [0, 0, 0])), ("End", seen("access", 3)), ("Left", seen("access", 2)),
    ("bracketright", lambda s: s["scenario"] == "transpose_padded"), ("bracketleft", lambda s: s["scenario"] == "transpose_shared"),
    ("F6", lambda s: s["theme"] == "light"), ("F6", lambda s: s["theme"] == "dark"), ("F7", lambda s: s["language"] == "zh-CN"),
    ("F7", lambda s: s["language"] == "en"), ("F5", lambda s: s["present"]), ("F5", lambda s: not s["present"]),
    ("F1", lambda s: s["help"]), ("F1", lambda s: not s["help"]), ("space", lambda s: s["playing"]),
    ("space", lambda s: not s["playing"]), ("F10", lambda s: s["map"]["shown"]), ("Tab", lambda s: s["map"]["array"] != ""),
    ("plus", lambda s: s["map"]["zoom"] > 16), ("0", lambda s: s["map"]["zoom"] == 1),
    ("period", lambda s: not s["map"]["moved"]),
]


def keyboard(app):
    for keys, test in KEYBOARD:
        app.key(keys, test, keys)


def mouse(app):
    """On the map by wheel and by dragging; then, where things are being a matter of the layout, what clicks along a line do."""
    app.key("0", lambda s: s["map"]["zoom"] == 1, "0 shows all of the map", already=True)
    app.do("mousemove", "800", "200")
    app.settle()  # a map that is still being counted has nothing to turn the wheel over
    app.do("click", "4")
    app.wait(lambda s: s["map"]["zoom"] > 1.2, "the wheel zooms")
    app.key("plus", lambda s: s["map"]["zoom"] > 2, "+ zooms further", already=True)
    before = app.settle()["map"]["row"], app.state["map"]["column"]
    app.do("mousemove", "800", "200", "mousedown", "1")
    time.sleep(0.1)
    app.do("mousemove", "790", "170")
    time.sleep(0.1)
    app.do("mouseup", "1")
    app.wait(lambda s: (s["map"]["row"], s["map"]["column"]) != before, "dragging pans")
    app.key("F10", lambda s: not s["map"]["shown"], "F10 hides the map")
    app.key("Home", seen("access", 0), "Home")
    led_to = set()
    for y in range(60, 420, 7):
        app.press(200, y)
        led_to.add(app.settle()["seen"]["access"])
    expect(1 in led_to and led_to & {2, 3}, f"clicks on source lines do not lead to the accesses of both: {sorted(led_to)}")
    app.key("Home", seen("access", 0), "Home")
    app.do("mousemove", "--window", app.window, "1200", "812", "mousedown", "1")
    app.wait(lambda s: s["seen"]["access"] != 0, "the scrubber")
    app.do("mouseup", "1", "mousemove", "--window", app.window, "5", "5")
    app.settle()
    app.idles("one kernel")  # no frame, no time


def clipboard(app):
    """The line of text is copied, and pasted elsewhere; beside it a picture is written into the folder it is called from."""
    app.key("ctrl+e", lambda s: s["seen"]["share"]["row"] == "slide.png", "Ctrl+E opens the sheet")
    picture(pictures, "share")
    app.key("Return", lambda s: s["seen"]["share"]["told"] == "share.written", "Enter writes the slide")
    expect((folder / app.state["seen"]["share"]["words"].rsplit(" (", 1)[0]).exists(), "no slide was written")
    app.key("ctrl+c", lambda s: s["seen"]["share"]["told"] == "share.copied", "Ctrl+C copies the line of text")
    place = {name: app.state["seen"][name] for name in ("access", "warp", "block")}, app.state["values"]
    app.key("Escape", lambda s: "share" not in s["seen"], "Esc closes the sheet")
    app.key("bracketleft", lambda s: s["scenario"] != "transpose_shared" and s["seen"]["totals"], "another rung")
    app.key("ctrl+v", lambda s: s["scenario"] == "transpose_shared", "Ctrl+V opens the line of text")
    again = app.settle()
    expect(({name: again["seen"][name] for name in place[0]}, again["values"]) == place, f"pasted: {again['seen']}, not {place}")


def shows_the_picture():
    """What stands on the display is what --screenshot writes by the other OpenGL: nothing turned over, no colour for another. Of a
    kernel whose source need not scroll, so that it matters little what was looked at before."""
    still = App(program, folder / "still.json", failures, "copy_offset")
    still.key("Home", seen("access", 0), "Home, which takes away the hint of a first start too", already=True)
    still.settle()
    subprocess.run(["import", "-window", still.window, "-depth", "8", f"PNG24:{folder / 'window.png'}"], check=True)
    still.quit()
    subprocess.run([program, "copy_offset", "--size", "1600x900", "--step", "1", "--panels", "all", "--screenshot", str(folder / "written.png")],
                   check=True, timeout=PATIENCE, env={**os.environ, "WARPLENS_OPENGL": "es"})
    window, written = (Picture(folder / name).cells(40, 24) for name in ("window.png", "written.png"))
    far = sum(1 for a, b in zip(window, written) if any(abs(x - y) > 8 for x, y in zip(a, b)))
    expect(far <= 10, f"the window shows something else than a screenshot: {far} of {len(written)} parts of it differ")


def is_calm_where_the_desktop_asks():
    (folder / "config" / "gtk-3.0").mkdir(parents=True)
    (folder / "config" / "gtk-3.0" / "settings.ini").write_text("[Settings]\ngtk-enable-animations = false\n")
    calm = App(program, folder / "calm.json", failures, "transpose_shared")
    expect(calm.state["stills"], "the desktop asks for less motion, and the app moves")
    calm.quit()


os.chdir(folder)  # what is shared goes where the program was started
with display(folder):
    app = App(program, folder / "state.json", failures, "--size", "1280x720", panels=None)
    readme(app)
    app.quit()
    app = App(program, folder / "state.json", failures, "transpose_shared", moves=True)
    if app.state["playing"]:
        app.key("space", lambda s: not s["playing"], "pause")
    for part in (keyboard, mouse, clipboard, tour):
        part(app)
    app.quit()
    shows_the_picture()
    is_calm_where_the_desktop_asks()
end("README's two minutes are as they are written, and the window does what it is told")
