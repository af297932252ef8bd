"""The browser says and shows what the desktop's programs say and show."""
import functools
import json
import subprocess
import sys
import tempfile
import pathlib

from visit import BINARIES, TREE, Visit, desktop, need

sys.path.insert(0, str(TREE / "tests/app"))
from png import Picture  # noqa: E402


@functools.cache
def scenarios():
    return [s["name"] for s in json.loads(desktop("list", "scenarios", "--json"))["scenarios"]]


def differences(there, here, at=""):
    """What one document says otherwise than the other, of all that it says."""
    if isinstance(there, dict) and isinstance(here, dict):
        return [d for key, value in there.items() for d in differences(value, here.get(key), f"{at}.{key}")]
    if isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        return [d for i, value in enumerate(there) for d in differences(value, here[i], f"{at}[{i}]")]
    return [] if there == here else [f"{at}: {str(there)[:60]}, not {str(here)[:60]}"]


def check_counts(browser, url):
    """Of every scenario all that a report tells is what the command line tells."""
    visit, wrong, told = Visit(browser, url), [], 0
    for name in scenarios():
        there = visit.report("warplens:" + name)
        need(isinstance(there, dict) and "error" not in there, f"{name}: {there}")
        there.pop("seconds", None)  # of the counting
        told += len(str(there))
        wrong += [name + d for d in differences(there, json.loads(desktop("report", name, "--json")))]
    need(not wrong, f"{len(wrong)} differ: " + "; ".join(wrong[:3]))
    return f"{len(scenarios())} scenarios, {told:,} characters, 0 differ"


def far(one, other, most):
    """The share of pixels of which a colour differs by more than `most` of 255."""
    need((one.width, one.height) == (other.width, other.height), "the pictures differ in size")
    n = sum(any(abs(a[3 * i + c] - b[3 * i + c]) > most for c in range(3))
            for a, b in zip(one.rows, other.rows) if a != b for i in range(one.width))
    return n / (one.width * one.height)


def check_first_picture(browser, url):
    """The first picture is the desktop's, pixel by pixel, but for what two drivers round otherwise at edges."""
    told = []
    for place in ("transpose_naive_row#", "transpose_shared?pad=0#warp=3&access=3", "copy_stride?stride=4#access=1&language=zh-CN&theme=light"):
        visit = Visit(browser, url + "#" + place.replace("#", "!"))
        visit.until(lambda s: s["seen"]["fresh"] and s["seen"].get("time"), "the recorded time")
        at = visit.state()["seen"]["event"]
        visit.key("ArrowRight")  # any step takes away what greets who comes first
        visit.until(lambda s, at=at: s["seen"]["event"] != at, "the next access")
        visit.key("ArrowLeft")
        visit.until(lambda s, at=at: s["seen"]["event"] == at, "the access before it")
        with tempfile.TemporaryDirectory() as folder:
            here, there = pathlib.Path(folder) / "here.png", pathlib.Path(folder) / "there.png"
            done = subprocess.run([BINARIES / "warplens", "warplens:" + place, "--screenshot", there, "--size", "1280x720"],
                                  capture_output=True, text=True, cwd=TREE)
            need(done.returncode == 0, done.stderr)
            visit.until(lambda s: s["seen"]["window"]["rests"], "rest")
            visit.page.picture(here)
            share = far(Picture(here), Picture(there), 24)
        need(share < 0.001, f"{place}: {100 * share:.2f} % of the pixels are not the desktop's")
        told.append(f"{100 * share:.3f} %")
    return "differ: " + ", ".join(told)
