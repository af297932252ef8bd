#!/usr/bin/env python3
"""Getting about in a real window: values and blocks are typed and clicked, lists have the keyboard, and Esc closes what is
on top and only that."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from window_driver import App, display, picture  # noqa: E402

folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_about_"))
shots = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
failures = []


def field(name):
    return lambda s: s["seen"]["field"]["id"] == name


def values(app):
    app.key("v", field("value.pad"), "V: a value is typed")
    app.do("type", "3")
    app.wait(lambda s: s["seen"]["field"]["text"] == "3", "the digit is typed")
    picture(shots, "typing")
    app.key("Tab", lambda s: s["values"]["pad"] == 3 and s["seen"]["field"]["id"] == "value.nrows", "Tab takes it")
    app.do("type", "1023")
    app.key("Return", lambda s: s["values"]["nrows"] == 1023 and s["seen"]["field"]["id"] == "", "1023 rows")
    if app.state["scenario"] != "transpose_shared":
        failures.append("digits that were typed as a value climbed the ladder")
    app.key("v", field("value.pad"), "V again")
    app.do("type", "99")
    app.key("Return", field("value.pad"), "99 cannot be taken and waits", already=True)
    picture(shots, "refused")
    app.key("Escape", lambda s: s["seen"]["field"]["id"] == "" and s["values"]["pad"] == 3, "Escape: as it was")
    # A click on a value: the parameters stand in the lowest strip of the window.
    for x in range(560, 1500, 14):
        app.press(x, 843)
        if app.settle()["seen"]["field"]["id"].startswith("value."):
            break
    app.wait(lambda s: s["seen"]["field"]["id"].startswith("value."), "a click on a value")
    app.key("Escape", field(""), "Escape ends typing")


def blocks(app):
    app.key("ctrl+g", field("block"), "Ctrl+G")
    app.do("type", "5, 7")
    picture(shots, "block")
    app.key("Return", lambda s: s["seen"]["block"] == [5, 7, 0], "a block by its place")
    app.key("ctrl+g", field("block"), "Ctrl+G again")
    app.do("type", "131")
    app.key("Return", lambda s: s["seen"]["block"] == [3, 1, 0], "a block by its number")
    # The grid is at the right end of the block map: somewhere there a click goes to another block.
    before = app.settle()["seen"]["block"]
    for x in range(470, 380, -6):
        app.press(x, 812)
        if app.settle()["seen"]["block"] != before:
            break
    app.wait(lambda s: s["seen"]["block"] != before, "a click on the grid")


def lists(app):
    app.key("F5", lambda s: s["present"], "F5 presents")
    app.key("F3", lambda s: "a" in s, "F3 compares")
    app.key("ctrl+shift+p", lambda s: "palette" in s["seen"]["class"], "Ctrl+Shift+P lists the scenarios")
    picture(shots, "scenarios")
    app.key("Down", lambda s: s["seen"]["access"] == app.state["seen"]["access"], "the arrows are the list's", already=True)
    app.key("Escape", lambda s: "palette" not in s["seen"]["class"] and "a" in s and s["present"], "Escape closes the list alone")
    app.key("Escape", lambda s: "a" not in s and s["present"], "then the comparison")
    app.key("Escape", lambda s: not s["present"], "then presenting")
    app.key("ctrl+shift+p", lambda s: "palette" in s["seen"]["class"], "Ctrl+Shift+P")
    app.do("type", "structure of arrays")
    app.key("Return", lambda s: s["scenario"] == "sum_soa", "a scenario is found by its title")
    app.key("ctrl+F3", lambda s: "palette" in s["seen"]["class"], "Ctrl+F3")
    app.do("type", "array of structures")
    app.key("Return", lambda s: s["scenario"] == "sum_aos" and s["a"]["scenario"] == "sum_soa", "and put beside it")
    picture(shots, "beside")
    app.key("Escape", lambda s: "a" not in s, "Escape leaves the comparison")


def fix(app):
    app.key("ctrl+shift+p", lambda s: "palette" in s["seen"]["class"], "Ctrl+Shift+P")
    app.do("type", "shared_column")
    app.key("Return", lambda s: s["scenario"] == "shared_column" and s["seen"]["totals"], "a column")
    app.settle()
    picture(shots, "diagnosis")
    app.key("ctrl+d", lambda s: s["a"]["values"]["pad"] == 0 and s["values"]["pad"] > 0, "Ctrl+D shows the fix")
    picture(shots, "fix")
    app.key("Escape", lambda s: "a" not in s, "Escape")


with display(folder):
    app = App(sys.argv[1], folder / "state.json", failures, "transpose_shared")
    for part in (values, blocks, lists, fix):
        part(app)
    app.quit()

print("\n".join(failures) or "values, blocks, lists and Esc do what they are told")
sys.exit(1 if failures else 0)
