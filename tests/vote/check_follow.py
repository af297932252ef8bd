#!/usr/bin/env python3
"""A laptop in the hall: Chromium opens /app/ of a real lecturer's window, follows where the lecturer goes, is asked what the class
is asked, with the picture covered, sees it after the reveal, leaves to try something, and comes back.

    check_follow.py PROGRAM SITE [PICTURES]      SITE: the browser edition, as ./web has built it"""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parent / "app"), str(here.parent / "web"), str(here.parent)]
import patience  # noqa: E402
from browser import Browser  # noqa: E402
from crowd import Phone, vote  # noqa: E402
from window_driver import App, display, end, expect, failures  # noqa: E402

program, site = sys.argv[1], pathlib.Path(sys.argv[2])
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
if not shutil.which("chromium") or not (site / "index.html").exists():
    print("skipped: no chromium, or no web build is here: ./web makes one, or tests/web/run")
    sys.exit(77)


def until(page, holds, what):
    state = None

    def look():
        nonlocal state
        state = page.run("warplens.state()")
        return state and holds(state)
    if not patience.until(look):
        failures.append(f"{what}: did not happen: {json.dumps(state)[:1500]}")
    return state or {}


def key(page, name, code, text=""):
    for kind in ("keyDown", "keyUp"):
        page.do("Input.dispatchKeyEvent", type=kind, key=name, code=code, **({"text": text} if text and kind == "keyDown" else {}))


def follow(app, page):
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    url = vote(app.state)["url"]
    page.listen()
    page.size(1280, 720)
    page.do("Page.navigate", url=url.split("#")[0] + "app/")
    expect(page.wait("typeof warplens === 'object' && warplens.ready.then(() => true)"), "the browser edition is never ready")
    seen = until(page, lambda s: s["scenario"] == "transpose_shared" and s["seen"]["class"]["hidden"], "the laptop is asked what the class is asked")
    expect("truth" not in json.dumps(seen), "the laptop is told the truth")
    if pictures:
        page.picture(pictures / "laptop-1-asked.png")
    phone = Phone(url, expect)
    expect(phone.vote(16) == 200, "a phone votes meanwhile")
    app.wait(lambda s: vote(s)["votes"] == 1, "its vote counts")
    app.key("r", lambda s: vote(s)["phase"] == "revealed", "revealed")
    until(page, lambda s: not s["seen"]["class"]["hidden"], "after the reveal the laptop shows the picture")
    if pictures:
        page.picture(pictures / "laptop-2-revealed.png")
    app.key("Return", lambda s: "phase" not in vote(s), "the round ends")
    app.do("key", "Escape")
    app.key("p", lambda s: s["values"]["pad"] == 1, "the lecturer turns a parameter")
    until(page, lambda s: s["values"]["pad"] == 1, "the laptop follows")
    key(page, "p", "KeyP", "p")
    until(page, lambda s: s["values"]["pad"] == 2, "a try of one's own")
    app.key("shift+p", lambda s: s["values"]["pad"] == 0, "the lecturer goes on")
    time.sleep(3)
    expect(page.run("warplens.state()")["values"]["pad"] == 2, "who has left is fetched back")
    page.run("document.getElementById('follow').click()")
    until(page, lambda s: s["values"]["pad"] == 0, "back to the lecture")
    app.key("ctrl+shift+F9", lambda s: "vote" not in s["seen"], "the class leaves")
    time.sleep(2)
    expect(page.run("warplens.state()")["scenario"] == "transpose_shared", "the laptop goes on without the class")
    problems = [one for one in page.problems if "ERR_CONNECTION" not in one and "not heard" not in one]
    expect(not problems, f"the browser reports: {problems}")


folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_follow_"))
if pictures:
    pictures.mkdir(parents=True, exist_ok=True)
# As it is installed: the site beside the other assets.
source = here.parents[1]
for name in ("kernels", "shaders"):
    (folder / name).symlink_to(source / name)
(folder / "assets").mkdir()
for one in (source / "assets").iterdir():
    (folder / "assets" / one.name).symlink_to(one)
(folder / "assets" / "web").symlink_to(site.resolve())
with display(folder):
    os.environ["WARPLENS_DATA"] = str(folder)
    browser = Browser(draws=True)
    app = App(program, folder / "state.json", failures, "transpose_shared", "--lang", "en")
    try:
        follow(app, browser.page())
    finally:
        app.process.terminate(), app.process.wait()
        browser.close()
end("followed, asked, left, back")
