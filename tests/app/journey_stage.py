#!/usr/bin/env python3
"""The stage in a real desktop. The speaker's window opens beside it, tells what the scene is about, hears keys as the stage does, and nothing of it is on the stage. A│B's divider follows the mouse.

    journey_stage.py PROGRAM DROP_FILES [PICTURES]"""
import pathlib
import subprocess
import sys
import tempfile

from window_driver import App, display, end, failures, picture, until

program, dropper = sys.argv[1:3]
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_stage_"))


def speaker(state):
    return state["seen"]["speaker"]


def window():
    """The speaker's, by its title; None: it is not open."""
    done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "speaker$"], capture_output=True, text=True)
    return (done.stdout.split() or [None])[0]


def pixels(of):
    return subprocess.run(["import", "-silent", "-window", of, "rgb:-"], capture_output=True, check=True).stdout


def present(app):
    app.settle()
    stage = pixels(app.window)
    # One monitor, so the hall sees it: it tells no answer before the class has given one.
    app.key("ctrl+shift+b", lambda s: not speaker(s)["answer"] and speaker(s)["place"] == "1 / 9", "Ctrl+Shift+B opens it, without the answer")
    if not until(window):
        failures.append("no window has the speaker's title")
    picture(pictures, "opened")
    app.do("windowfocus", "--sync", window())
    app.key("Next", lambda s: s["scene"] == 1 and speaker(s)["place"] == "2 / 9" and not speaker(s)["answer"],
            "PgDn, pressed there, goes on, and the notes with it")
    before = pixels(window())
    app.key("Prior", lambda s: s["scene"] == 0 and speaker(s)["place"] == "1 / 9", "PgUp goes back")
    if not until(lambda: pixels(window()) != before):
        failures.append("another scene, and the same pixels in the speaker's window")
    app.idles("with the speaker's window open")
    app.key("ctrl+shift+b", lambda s: "speaker" not in s["seen"] and s["present"], "its key, pressed there, closes it, and the presentation goes on")
    if not until(lambda: window() is None):
        failures.append("the speaker's window is still there")
    app.do("windowfocus", "--sync", app.window)
    app.settle()
    if not until(lambda: pixels(app.window) == stage):
        failures.append("the stage is not as it was before the notes were asked for")
    app.key("ctrl+shift+b", lambda s: speaker(s)["place"] == "1 / 9", "it opens again")
    app.key("F5", lambda s: not s["present"] and "speaker" not in s["seen"], "off the stage there are no notes")
    app.key("F5", lambda s: s["present"] and speaker(s)["place"] == "1 / 9", "on it again there are")
    subprocess.run([dropper, window(), "--close"], check=True)
    app.wait(lambda s: "speaker" not in s["seen"] and s["present"], "its cross closes it, and the presentation goes on")


def drag(app, start, end):
    app.do("mousemove", str(start), "400")
    app.do("mousedown", "1")
    app.wait(lambda s: True, "the divider is taken hold of")
    for x in (start + 20, end):
        app.do("mousemove", str(x), "400")
        app.settle()
    app.do("mouseup", "1")


def compare(app):
    while app.state["scene"] < 6:
        scene = app.state["scene"]
        app.key("Next", lambda s: s["scene"] == scene + 1, "PgDn goes on")
    app.wait(lambda s: s["seen"]["time_of_a"]["seconds"] > s["seen"]["time"]["seconds"] > 0, "scene 7 has both times, and B's is the shorter one")
    app.do("windowfocus", "--sync", app.window)
    app.settle()
    drag(app, 640, 800)
    app.wait(lambda s: 0.6 < s["divider"] < 0.66, "the divider follows the mouse")
    picture(pictures, "divider")


with display(folder, "1300x760"):
    app = App(program, folder / "state.json", failures, "--size", "1280x720", "--lang", "en", "--lecture", "ten-minutes", "--tell-answers", panels=None)
    present(app)
    compare(app)
    app.settle()
    app.quit(dropper)
end("the stage is as it should be")
