#!/usr/bin/env python3
"""Exports from a real window: every row of the sheet in every form, nothing overwritten, and the line of text that is
copied and pasted.   check_share.py PROGRAM [FOLDER-FOR-PICTURES]"""
import csv
import json
import os
import pathlib
import shutil
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from window_driver import App, display, picture

program = str(pathlib.Path(sys.argv[1]).resolve())
pictures = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
failures = []
work = pathlib.Path(tempfile.mkdtemp(prefix="warplens-share"))
out = work / "out"
out.mkdir()
os.chdir(out)  # the folder that exports go to where none is named


def share(state):
    return state["seen"].get("share", {})


def check(condition, words):
    if not condition:
        failures.append(words)


def png_size(file):
    data = file.read_bytes()
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def sound(file):
    """Whether the file is what its name says."""
    if file.is_dir():
        return len(list(file.iterdir())) == 4 and all(sound(f) for f in file.iterdir())
    data = file.read_bytes()
    if file.suffix == ".png":
        return data[:8] == b"\x89PNG\r\n\x1a\n" and (png_size(file) == (1920, 1080) or "window" in file.name)
    if file.suffix == ".svg":
        return xml.etree.ElementTree.fromstring(data).tag == "{http://www.w3.org/2000/svg}svg" and b"Warplens 0" in data
    if file.suffix == ".csv":
        rows = list(csv.reader(data.decode().splitlines()))
        return len(rows) > 2 and len({len(row) for row in rows}) == 1
    if file.suffix == ".gif":
        return data[:4] == b"GIF8"
    return json.loads(data)["schema"] in ("warplens.session/1", "warplens.launch/1")


with display(work):
    app = App(program, work / "state.json", failures,
              "warplens:transpose_shared?nrows=2048&ncols=2048&block=32x16&pad=1#block=1,2&warp=3&access=3")
    seen = app.state["seen"]
    check((seen["block"], seen["warp"], seen["access"]) == ([1, 2, 0], 3, 2), f"the pasted place was not opened: {seen}")
    check(app.state["values"]["pad"] == 1, "the pasted padding was not taken")
    app.key("ctrl+e", lambda s: share(s).get("row") == "slide.png", "Ctrl+E opens the sheet")
    picture(pictures, "sheet")
    app.key("Home", lambda s: share(s)["row"] == "window.png", "Home goes to the first row")
    rows = [("window", [".png"])] + [(w, [".png", ".svg"]) for w in ("slide", "global", "shared", "map", "matrix", "timeline", "landscape")]
    rows += [(w, [".png", ".svg"]) for w in ("layout", "why", "fragments", "occupancy", "roofline")]
    rows += [("profile", [".png"]), ("phases", [".png", ".svg"]), ("ptx", [".png"]), ("comparison", [".png"])]
    rows += [(w, [".png", ".svg", ".csv"]) for w in ("source", "lanes", "times")]
    rows += [("counters", [".csv"]), ("steps", [".png", ".svg", ".gif"]), ("session", [".warplens.json"]), ("launch", [".launch.json"])]
    written = []
    for name, forms in rows:
        for i, form in enumerate(forms):
            app.wait(lambda s: share(s)["row"] == name + form, f"the keys choose {name}{form}")
            app.do("key", "Return")
            # No profile is open, nothing is compared, a transpose computes nothing, and no compiler was asked.
            if name in ("profile", "comparison", "roofline", "fragments", "ptx"):
                app.wait(lambda s: share(s)["told"] == "share.nothing", f"a {name} of nothing is told")
                app.do("key", "Right" if i + 1 < len(forms) else "Down")
                continue
            state = app.wait(lambda s: share(s)["told"] in ("share.written", "share.failed", "share.nothing")
                             and not share(s)["busy"] and share(s)["words"] not in map(str, written),
                             f"{name}{form} is written")
            told = share(state)
            check(told["told"] == "share.written", f"{name}{form}: {told}")
            file = out / told["words"].rsplit(" (", 1)[0]
            check(file.exists() and sound(file), f"{file}: is not sound")
            written.append(told["words"])
            app.do("key", "Right" if i + 1 < len(forms) else "Down")
        app.do("key", "Left", "Left", "Left")
        app.settle()
    check(not [f for f in out.iterdir() if ".part" in f.name], f"half-written files: {list(out.iterdir())}")

    # A figure for a page of one's own, of the size that is chosen and without the parameters that are left out.
    app.key("End", lambda s: share(s).get("row", "").startswith("figure"), "End goes to the figure")
    app.do("key", "1", "Return")
    state = app.wait(lambda s: share(s)["told"] == "share.copied", "the figure is copied")
    snippet = share(state)["words"]
    check(snippet.startswith('<iframe src="./?embed&amp;controls=') and "nrows" not in snippet.split("#")[0], f"copied: {snippet}")
    picture(pictures, "figure")
    app.do("key", "1")

    # The same again does not overwrite: it gets a name of its own, and the same bytes.
    app.do("key", "Home", "Down")
    app.wait(lambda s: share(s)["row"] == "slide.png", "back to the slide")
    app.do("key", "Return")
    state = app.wait(lambda s: share(s)["words"].endswith("-2.png"), "a second slide has another name")
    first, second = out / "warplens-transpose_shared-slide-access3.png", out / share(state)["words"]
    check(first.read_bytes() == second.read_bytes(), "the same export gave other bytes")

    # A folder that is not there is told, and nothing is written.
    app.do("key", "Tab")
    app.wait(lambda s: s["seen"]["field"]["id"] == "share.folder", "Tab goes to the folder")
    app.do("type", "/nowhere/at/all")
    app.key("Return", lambda s: s["seen"]["field"]["id"] == "", "Enter leaves the folder")
    app.key("Return", lambda s: share(s)["told"] == "share.no_folder", "a folder that is not there is told")
    picture(pictures, "no_folder")
    app.key("ctrl+c", lambda s: share(s)["told"] == "share.copied", "Ctrl+C copies the line of text")
    line = share(app.read())["words"]
    check(line == "warplens:transpose_shared?nrows=2048&ncols=2048&block=32x16&pad=1#block=1,2&warp=3&access=3&wavefront=1"
          "&language=en&theme=dark",
          f"the line is {line}")
    app.key("Escape", lambda s: "share" not in s["seen"], "Esc closes the sheet")

    # Elsewhere, then pasted back.
    app.key("bracketleft", lambda s: s["scenario"] != "transpose_shared" and s["seen"]["totals"], "another rung")
    app.key("ctrl+v", lambda s: s["scenario"] == "transpose_shared" and s["seen"]["access"] == 2 and s["seen"]["warp"] == 3,
            "Ctrl+V opens the line of text")
    check(app.state["values"]["pad"] == 1, f"pasted: {app.state['values']}")
    picture(pictures, "pasted")

    # Files of ours dropped or opened: a scenario joins the catalog.
    own = work / "mine.scenario.json"
    gallery = pathlib.Path(__file__).resolve().parents[2] / "kernels"
    shutil.copy(gallery / "copy_row.scenario.json", own)
    shutil.copy(gallery / "copy_row.cu", work / "copy_row.cu")
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O")
    app.do("type", str(own))
    app.key("Return", lambda s: s["scenario"].startswith("copy_row") and "dialog" not in s["seen"], "a scenario file opens")
    app.quit()
shutil.rmtree(work, ignore_errors=True)
print("\n".join(failures) or "exports and the pasted line work")
sys.exit(1 if failures else 0)
