#!/usr/bin/env python3
"""The kernel on screen under compute-sanitizer, by Ctrl K in a real window: what it finds stands at its line, in the
notice and in the text; clean, missing, broken and stopped are told; other settings do not show it.

    check_sanitizer.py WARPLENS STAND_IN_GPU

compute-sanitizer is a stand-in too: it runs the program it is given and writes the report that HOW names."""
import os
import pathlib
import sys
import tempfile
import textwrap

from window_driver import App, display

program, stand_in = sys.argv[1:3]
failures = []

SANITIZER = """\
#!/bin/sh
# compute-sanitizer --tool TOOL --padding BYTES --log-file FILE PROGRAM...
report=$6; shift 6
cat $(dirname $0)/$(cat $(dirname $0)/how) > $report
exec "$@" $(cat $(dirname $0)/child)
"""
REPORTS = {
    "found": """\
        ========= COMPUTE-SANITIZER
        ========= Invalid __global__ write of size 4 bytes
        =========     at beyond(float *)+0x90 in mine.cu:3
        =========     by thread (31,0,0) in block (0,0,0)
        =========     Address 0x7f0000000100 is out of bounds
        =========
        ========= ERROR SUMMARY: 1 error
        """,
    "clean": "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n",
    "refused": "========= COMPUTE-SANITIZER\n========= Error: Device not supported. Please refer to the manual.\n",
}
KERNEL = """\
__global__ void beyond(float* out) {
  int i = threadIdx.x;
  out[i] = i;
}
int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  beyond<<<1, 32>>>(out);
}
"""


def notice(state):
    return (state["seen"].get("notice") or {}).get("words", ""), (state["seen"].get("notice") or {}).get("key", "")


def problems(state):
    return [(p.get("line"), p["message"]) for p in state["seen"]["problems"]]


with tempfile.TemporaryDirectory(prefix="warplens_sanitizer_") as name, display(name):
    folder = pathlib.Path(name)
    os.environ["WARPLENS_GPU"] = stand_in
    sanitizer = folder / "compute-sanitizer"
    sanitizer.write_text(SANITIZER)
    sanitizer.chmod(0o755)
    for how, report in REPORTS.items():
        (folder / how).write_text(textwrap.dedent(report))
    (folder / "mine.cu").write_text(KERNEL)

    def set_up(how, child="good"):
        (folder / "how").write_text(how)
        (folder / "child").write_text(child)

    os.environ["WARPLENS_SANITIZER"] = str(sanitizer)
    set_up("found")
    app = App(program, folder / "state.json", failures, str(folder / "mine.cu"))
    found = app.key("ctrl+k", lambda s: notice(s)[1] == "check.found", "a finding in the notice")
    if "mine.cu:3: Invalid __global__ write" not in notice(found)[0]:
        failures.append(f"the notice: {notice(found)}")
    if [line for line, words in problems(found) if "Invalid __global__ write" in words] != [3]:
        failures.append(f"at its line: {problems(found)}")
    set_up("clean")
    app.key("ctrl+k", lambda s: notice(s)[1] == "check.clean" and not problems(s), "nothing found")
    set_up("refused")
    app.key("ctrl+k", lambda s: notice(s)[1] == "check.cannot" and "Device not supported" in notice(s)[0],
            "a GPU that cannot be checked")
    set_up("clean", "endless")
    app.key("ctrl+k", lambda s: notice(s)[1] == "check.running", "it says that it runs")
    app.key("ctrl+k", lambda s: notice(s)[1] == "check.stopped", "stopped by the same key")
    set_up("found", "crashes")
    app.key("ctrl+k", lambda s: notice(s)[1] == "check.found", "a kernel that breaks on the way")
    app.key("e", lambda s: s["editing"], "the editor")
    set_up("found", "endless")
    app.key("ctrl+k", lambda s: notice(s)[1] == "check.running", "it runs once more")
    app.key("x", lambda s: notice(s)[1] == "check.stopped", "another text stops it, and says so")
    app.key("ctrl+z", lambda s: any("Invalid __global__" in words for _, words in problems(s)), "undone")
    app.key("x", lambda s: not any("Invalid __global__" in words for _, words in problems(s)),
            "another text does not show what was found in this one")
    app.key("ctrl+z", lambda s: any("Invalid __global__" in words for _, words in problems(s)),
            "the text as it was checked shows it again")
    app.quit()

    os.environ["WARPLENS_SANITIZER"] = str(folder / "nothing-here")
    app = App(program, folder / "state2.json", failures, str(folder / "mine.cu"))
    app.key("ctrl+k", lambda s: notice(s)[1] == "check.cannot" and "nothing-here" in notice(s)[0],
            "no compute-sanitizer")
    app.quit()
    app = App(program, folder / "state3.json", failures, str(folder / "mine.cu"), "--via", f"{stand_in} good")
    app.key("ctrl+k", lambda s: notice(s)[1] == "check.elsewhere", "through a launcher")
    app.quit()
print("\n".join(failures) or "compute-sanitizer's findings stand at their lines")
sys.exit(1 if failures else 0)
