"""What leaves the page by the sheet of exports: the snippet of a figure, and an animation without another program."""
import html
import pathlib
import re
import subprocess
import tempfile

from visit import Visit, need
from embedded import Around


def share_sheet(visit, up):
    """The sheet, with the row chosen that is so many above its last one."""
    need(visit.act("share") == {"ok": True}, "the sheet")
    visit.until(lambda s: "share" in s["seen"], "the sheet")
    visit.key("End")
    for _ in range(up):
        visit.key("ArrowUp")
    return visit


def check_snippet(browser, url):
    """The sheet copies HTML that shows, in another page, what is on screen with its parameters."""
    visit = Visit(browser, url + "#transpose_shared?pad=1!warp=3&access=3")
    visit.rests()
    visit.js("navigator.clipboard.writeText = async text => { window.copied = text; }")  # a browser without a person refuses
    share_sheet(visit, 0)
    visit.key("ArrowRight")
    visit.key("Enter")
    visit.until(lambda s: s["seen"]["share"]["told"] == "share.copied", "the snippet")
    copied = visit.js("window.copied")
    need(copied == visit.js("warplens.snippet()"), f"not what scripts get: {copied}")
    need(re.fullmatch(r'<iframe src="[^"<>]*" width="800" height="450" allow="fullscreen" title="[^"<>]+"></iframe>', copied), copied)
    address = html.unescape(re.search('src="([^"]*)"', copied)[1])
    need(address.startswith(url + "?embed&controls="), address)
    offered = address.split("controls=")[1].split("#")[0].split(",")
    need("pad" in offered and "nrows" in offered, f"{offered} are offered")
    with Around(browser, url, copied) as around:
        seen = around.at_rest()
        values = around.ask({"type": "state"})["state"]["values"]
        need((values["pad"], seen["warp"], seen["access"]) == (1, 3, 2), f"{values}, {seen}")
    need(visit.act("predict") == {"ok": True}, "a prediction")
    visit.until(lambda s: s["seen"]["class"].get("predicting"), "the question")
    title = re.search('title="([^"]*)"', visit.js("warplens.snippet()"))[1]
    need("wavefront" not in title, f"the title gives the answer away: {title}")
    return ", ".join(offered)


def check_film(browser, url):
    """A GIF of every step, made in the page."""
    with tempfile.TemporaryDirectory() as folder:
        visit = Visit(browser, url + "#transpose_shared?nrows=64&ncols=64!warp=0")
        visit.page.do("Page.setDownloadBehavior", behavior="allow", downloadPath=folder)
        visit.rests()
        share_sheet(visit, 4)
        for _ in range(2):
            visit.key("ArrowRight")
        visit.until(lambda s: s["seen"]["share"]["row"] == "steps.gif", "the GIF of every step")
        visit.key("Enter")
        told = visit.until(lambda s: not s["seen"]["share"]["busy"] and s["seen"]["share"]["told"] not in ("", "share.busy"), "the film")
        need(told["seen"]["share"]["told"] == "share.written", str(told["seen"]["share"]))
        need(visit.page.wait("true") and visit.until(lambda _: list(pathlib.Path(folder).glob("*.gif")), "the download"), "no file")
        film = next(pathlib.Path(folder).glob("*.gif"))
        frames = subprocess.run(["identify", "-format", "%W %H %T\n", film], capture_output=True, text=True).stdout.split("\n")[:-1]
        need(len(frames) >= 4, f"{len(frames)} pictures")
        need(all(int(f.split()[2]) > 0 for f in frames), "a picture has no time")
        return f"{len(frames)} pictures, {film.stat().st_size:,} bytes"
