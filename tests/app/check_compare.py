#!/usr/bin/env python3
"""A│B, the matrix map and motion in a real window: by keys, by wheel and by dragging; idle, they take no time."""
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from window_driver import App, display  # noqa: E402

folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_compare_"))
failures = []


def compare(app):
    app.key("F3", lambda s: s["a"]["values"]["pad"] == 0, "F3 pins A")
    app.key("p", lambda s: s["values"]["pad"] == 1 and s["a"]["values"]["pad"] == 0, "P changes B alone")
    app.key("p", lambda s: s["values"]["pad"] == 2, "P again")
    app.key("Home", lambda s: s["seen"]["access"] == 0, "Home")
    app.key("Right", lambda s: s["seen"]["access"] == 1, "Right")
    app.key("Right", lambda s: s["seen"]["access"] == 2, "Right again")
    # A has sixteen wavefronts there and B one: B stays until A is done.
    for wavefront in range(1, 4):
        app.key("ctrl+Right", lambda s: s["position"]["wavefront"] == wavefront and s["seen"]["access"] == 2,
                f"Ctrl+Right, wavefront {wavefront} of A's")
    app.key("F4", lambda s: s["values"]["pad"] == 0 and s["a"]["values"]["pad"] == 2, "F4 swaps")
    app.key("F4", lambda s: s["values"]["pad"] == 2 and s["a"]["values"]["pad"] == 0, "F4 swaps back")
    app.key("shift+F4", lambda s: s["values"]["pad"] == 0, "Shift+F4 goes back to A")
    app.key("shift+F3", lambda s: s["a"]["scenario"] == "transpose_naive_col", "Shift+F3 compares with the rung before")
    app.key("F5", lambda s: s["present"] and "a" in s, "F5 presents both")
    app.key("F5", lambda s: not s["present"], "F5 again")
    app.idles("comparing")
    app.key("Escape", lambda s: "a" not in s, "Escape leaves")


def matrix(app):
    app.key("F10", lambda s: s["map"]["shown"], "F10 shows the map")
    app.key("shift+F10", lambda s: s["map"]["scope"] == 2, "Shift+F10: the whole grid")
    app.key("shift+F10", lambda s: s["map"]["scope"] == 0, "Shift+F10: the warp")
    app.key("Tab", lambda s: s["map"]["array"] != "", "Tab takes the next array")
    app.key("plus", lambda s: s["map"]["moved"] and s["map"]["zoom"] > 16, "+ zooms into the part around the block")
    close = app.state["map"]["zoom"]
    app.key("minus", lambda s: s["map"]["zoom"] == close / 2, "- zooms out")
    app.key("0", lambda s: s["map"]["zoom"] == 1, "0 shows all of it")
    app.do("mousemove", "800", "200")
    app.settle()  # a map that is still being counted has nothing to turn the wheel over
    app.do("click", "4")
    app.wait(lambda s: s["map"]["zoom"] > 1.2, "the wheel zooms")
    app.key("0", lambda s: s["map"]["zoom"] == 1, "0 shows all of it")
    app.key("Right", lambda s: s["seen"]["access"] == 3, "to the store")
    app.key("Tab", lambda s: s["map"]["array"] == "out", "Tab takes what is stored to")
    app.key("Left", lambda s: s["seen"]["access"] == 2, "a step back")
    app.key("Right", lambda s: s["seen"]["access"] == 3, "and again")
    app.key("plus", lambda s: s["map"]["zoom"] > 16, "+ zooms into the part around the access")
    app.key("0", lambda s: s["map"]["zoom"] == 1 and s["map"]["moved"], "0 shows all of it, and it stays")
    app.key("period", lambda s: not s["map"]["moved"], ". goes back to the access")
    app.key("plus", lambda s: s["map"]["zoom"] > 16, "+ zooms further")
    before = app.settle()["map"]["row"]
    app.do("mousemove", "800", "200", "mousedown", "1")
    time.sleep(0.1)
    app.do("mousemove", "790", "170")
    time.sleep(0.1)
    app.do("mouseup", "1")
    app.wait(lambda s: s["map"]["row"] != before, "dragging pans")
    app.idles("map")  # a grid that was begun is counted to its end first, whatever is looked at meanwhile
    app.key("F10", lambda s: not s["map"]["shown"], "F10 hides the map")
    app.key("F12", lambda s: s["stills"], "F12 turns motion off")
    app.key("F12", lambda s: not s["stills"], "F12 turns it on")


with display(folder):
    app = App(sys.argv[1], folder / "state.json", failures, "transpose_shared")
    compare(app)
    matrix(app)
    app.quit()
    (folder / "config" / "gtk-3.0").mkdir(parents=True)
    (folder / "config" / "gtk-3.0" / "settings.ini").write_text("[Settings]\ngtk-enable-animations = false\n")
    calm = App(sys.argv[1], folder / "calm.json", failures, "transpose_shared")
    if not calm.state["stills"]:
        failures.append("the desktop asks for less motion, and the app moves")
    calm.quit()

print("\n".join(failures) or "comparing, mapping and moving do what they are told")
sys.exit(1 if failures else 0)
