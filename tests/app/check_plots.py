#!/usr/bin/env python3
"""The block's timeline and the landscape of two parameters in a real window: by keys, wheel and mouse, behind a question.
With a folder as second argument: a picture of every station, to be looked at."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from window_driver import App, display, picture  # noqa: E402

folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_plots_"))
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
failures = []


def place(state):
    return state["seen"]["warp"], state["seen"]["access"]


def shows(name):
    return lambda s: s["plot"]["shown"] == name


def timeline(app):
    app.key("ctrl+a", shows("timeline"), "Ctrl+A shows the timeline")
    picture(pictures, "1-timeline")
    before = place(app.state)
    for y in (200, 260, 320, 380):  # a row a warp: one of these is another's
        app.press(900, y)
        if place(app.settle()) != before:
            break
    else:
        failures.append("no click on a brick goes there")
    app.do("mousemove", "900", "300")
    app.do("click", "4")
    app.wait(lambda s: s["plot"]["zoom"] > 1, "the wheel enlarges")
    app.key("plus", lambda s: s["plot"]["zoom"] > 2, "+ enlarges")
    picture(pictures, "2-enlarged")
    app.key("0", lambda s: s["plot"]["zoom"] == 1, "0 shows all")
    warp = app.state["seen"]["warp"]
    app.key("Up" if warp else "Down", lambda s: s["seen"]["warp"] != warp and s["plot"]["shown"] == "timeline",
            "the arrows go on to another warp")


def landscape(app):
    app.do("mousemove", "8", "8")  # away from the cells, before there are any: the one under the pointer is where the keys begin
    app.key("ctrl+l", shows("landscape"), "Ctrl+L shows the landscape")
    app.key("Return", lambda s: s["plot"]["held"], "Enter takes the arrow keys")
    app.key("Right", lambda s: s["plot"]["pointed"] == [1, 32], "Right points at the next padding")
    app.key("Right", lambda s: s["plot"]["pointed"] == [2, 32], "and at the next")
    picture(pictures, "3-pointed-at")
    app.key("Return", lambda s: s["values"]["pad"] == 2 and not s["plot"]["held"], "Enter goes there")
    app.key("ctrl+z", lambda s: s["values"]["pad"] == 0, "one step of undo")
    before = app.state["values"]
    app.press(850, 260)
    state = app.wait(lambda s: s["values"] != before, "a click on a cell goes there")
    changed = {name for name, value in state["values"].items() if value != before[name]}
    if not changed <= {"pad", "block_x"}:
        failures.append(f"a click on a cell turns {changed}")
    picture(pictures, "4-gone-there")
    app.key("F9", lambda s: s["seen"]["class"]["hidden"], "a question hides it")
    picture(pictures, "5-behind-a-question")
    app.key("F9", lambda s: not s["seen"]["class"]["hidden"], "F9 again")
    app.key("Escape", shows("none"), "Esc leaves it")


with display(folder):
    app = App(sys.argv[1], folder / "state.json", failures, "transpose_shared")
    for part in (timeline, landscape):
        part(app)
    app.quit()

print("\n".join(failures) or "timeline and landscape do what they are told")
sys.exit(1 if failures else 0)
