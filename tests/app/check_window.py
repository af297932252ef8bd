#!/usr/bin/env python3
"""A real window under Xvfb, driven by keys and mouse with xdotool; what is on screen is read from --state-file."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from png import Picture  # noqa: E402
from window_driver import PATIENCE, App, display  # noqa: E402

program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_window_"))
state_file = folder / "state.json"
failures = []


def start(*arguments):
    return App(program, state_file, failures, *arguments, moves=True)


def seen(name, value):
    return lambda s: s["seen"][name] == value


def shows_the_picture(opengl):
    """What stands on the display is what --screenshot writes: nothing turned over, no colour for another. Of a kernel
    whose source need not scroll, so that it matters little what was looked at before. `opengl`: core, or es, as browsers
    have it; the picture that is written is of the other."""
    os.environ["WARPLENS_OPENGL"] = "es" if opengl == "es" else ""
    still = App(program, folder / "still.json", failures, "copy_offset")
    still.key("Home", seen("access", 0), "Home, which takes away the hint of a first start too", already=True)
    if still.settle()["seen"]["window"]["opengl"].startswith("OpenGL ES") != (opengl == "es"):
        failures.append(f"asked for {opengl}, the window has {still.state['seen']['window']['opengl']}")
    subprocess.run(["import", "-window", still.window, "-depth", "8", f"PNG24:{folder / 'window.png'}"], check=True)
    still.quit()
    os.environ["WARPLENS_OPENGL"] = "es" if opengl == "core" else ""
    subprocess.run([program, "copy_offset", "--size", "1600x900", "--step", "1", "--screenshot", str(folder / "written.png")],
                   check=True, timeout=PATIENCE)
    del os.environ["WARPLENS_OPENGL"]
    window, written = (Picture(folder / name).cells(40, 24) for name in ("window.png", "written.png"))
    far = sum(1 for a, b in zip(window, written) if any(abs(x - y) > 8 for x, y in zip(a, b)))
    if far > 10:  # the line of the GPU may be another
        failures.append(f"the window ({opengl}) shows something else than a screenshot: {far} of {len(written)} parts of it differ")


def keys(app):
    app.key("Home", seen("access", 0), "Home")
    app.key("Right", seen("access", 1), "Right")
    app.key("Right", seen("access", 2), "Right again")
    if app.state["seen"].get("units") != 16:
        failures.append(f"the tile's load costs {app.state['seen']}")
    app.key("ctrl+Right", seen("wavefront", 1), "Ctrl+Right")
    app.key("ctrl+Left", seen("wavefront", 0), "Ctrl+Left")
    app.key("p", lambda s: s["values"]["pad"] == 1 and s["seen"]["units"] == 2, "P pads by one")
    app.key("p", lambda s: s["values"]["pad"] == 2 and s["seen"]["units"] == 1, "P pads by two")
    app.key("shift+p", lambda s: s["values"]["pad"] == 1, "Shift+P")
    app.key("ctrl+z", lambda s: s["values"]["pad"] == 2, "Ctrl+Z")
    app.key("ctrl+y", lambda s: s["values"]["pad"] == 1, "Ctrl+Y")
    app.key("Down", seen("warp", 1), "Down")
    app.key("Up", seen("warp", 0), "Up")
    app.key("Next", seen("block", [1, 0, 0]), "PgDn")
    app.key("Prior", seen("block", [0, 0, 0]), "PgUp")
    app.key("End", seen("access", 3), "End")
    app.key("Left", seen("access", 2), "Left")
    app.key("shift+Right", seen("access", 3), "Shift+Right")
    app.key("bracketright", lambda s: s["scenario"] == "transpose_padded", "]")
    app.key("bracketleft", lambda s: s["scenario"] == "transpose_shared", "[")
    app.key("F6", lambda s: s["theme"] == "light", "F6")
    app.key("F6", lambda s: s["theme"] == "dark", "F6 again")
    app.key("F7", lambda s: s["language"] == "zh-CN", "F7")
    app.key("F7", lambda s: s["language"] == "en", "F7 again")
    app.key("F5", lambda s: s["present"], "F5")
    app.key("Escape", lambda s: not s["present"], "Escape leaves presenting")
    app.key("F1", lambda s: s["help"], "F1")
    app.key("F1", lambda s: not s["help"], "F1 again")
    app.key("space", lambda s: s["playing"], "Space plays")
    app.key("space", lambda s: not s["playing"], "Space pauses")


def editing(app):
    app.key("F2", lambda s: s["editing"], "F2")
    app.do("type", "oops ")
    app.wait(lambda s: s.get("text", "").startswith("oops ") and not s["seen"]["fresh"] and s["seen"]["problems"], "typing")
    problem = (app.state["seen"]["problems"] or [{}])[0]
    behind = next(i for i, line in enumerate(app.state["text"].splitlines(), 1) if line.startswith("template"))
    if problem.get("line") != behind:  # what stands behind "oops" is what is not expected
        failures.append(f"the mistake has another place than line {behind}: {problem}")
    if app.state["seen"].get("units") is None:
        failures.append("the last good picture is gone")
    app.key("Escape", lambda s: not s["editing"], "Escape ends editing")
    app.key("ctrl+z", lambda s: "text" not in s and s["seen"]["fresh"], "Ctrl+Z takes the typing back")


def mouse(app):
    # Where things are is a matter of the layout: look for what a click does on a raster, as a person's eye would.
    app.key("Home", seen("access", 0), "Home")
    app.press(262, 819)  # at nothing in particular
    led_to = set()
    for y in range(60, 420, 7):
        app.press(200, y)
        led_to.add(app.settle()["seen"]["access"])
    if 1 not in led_to or not led_to & {2, 3}:  # two lines have two accesses each, and a click goes on to the next of them
        failures.append(f"clicks on source lines do not lead to the accesses of both: {sorted(led_to)}")
    # The scrubber: from its left end to its right.
    app.key("Home", seen("access", 0), "Home")
    app.do("mousemove", "--window", app.window, "1200", "812")
    time.sleep(0.1)
    app.do("mousedown", "1")
    app.wait(lambda s: s["seen"]["access"] != 0, "the scrubber")
    app.do("mouseup", "1")
    # The theme button stands between the buttons of language and lessons: walk over it from the left.
    for x in range(1136, 1560, 10):
        app.do("mousemove", "--window", app.window, str(x), "22", "click", "1")
        if app.settle()["theme"] == "light":
            break
    else:
        failures.append("no click on the buttons changes the theme")


with display(folder):
    for kind in ("core", "es"):
        shows_the_picture(kind)
    first = start()
    if first.state["scenario"] != "transpose_naive_row" or not first.state["playing"]:
        failures.append(f"the app does not open playing the naive store: {first.state}")
    first.quit()
    app = start("transpose_shared")
    if app.state["playing"]:
        app.key("space", lambda s: not s["playing"], "pause")
    keys(app)
    editing(app)
    mouse(app)
    app.do("mousemove", "--window", app.window, "5", "5")
    app.settle()
    app.idles("one kernel")  # no frame, no time
    app.quit()

print("\n".join(failures) or "the window does what it is told")
sys.exit(1 if failures else 0)
