#!/usr/bin/env python3
"""Presenting at 1080p, no letters are smaller than 24 pixels: in pictures of many scenarios, in both languages, in
lessons, predictions and lists. Beside a kernel with a tile, one without shows the global access that comes closest."""
import os
import subprocess
import sys
import tempfile

import png

program, probe = sys.argv[1:]
LEAST, MOST = 24, 40  # of the smallest letters; were they larger than that, no small ones were looked at
failures = []
views = [[s] for s in ("transpose_naive_row", "transpose_shared", "transpose_swizzle", "copy", "copy_stride", "shared_broadcast",
                       "histogram_shared", "sgemm_tiled")]
views += [["transpose_shared", "--step", "1"], ["transpose_shared", "--predict"], ["--lessons"], ["--palette"], ["--keys"],
          ["--lesson", "padding"], ["--lesson", "padding", "--guess", "3"], ["--lesson", "transpose", "--lesson-step", "4"],
          ["--lesson", "transpose", "--lesson-step", "5"], ["--lesson", "warps", "--lesson-step", "2"]]
with tempfile.TemporaryDirectory() as folder:
    for language in ("en", "zh-CN"):
        for view in views:
            done = subprocess.run([probe, "least-text", *view, "--present", "--lang", language, "--size", "1920x1080",
                                   "--screenshot", os.path.join(folder, "a.png")], capture_output=True, text=True)
            if done.returncode != 0:
                failures.append(f"{view} {language}: ended with {done.returncode}: {done.stderr}")
            elif not LEAST <= float(done.stdout) <= MOST:
                failures.append(f"{view} {language}: the smallest letters have {float(done.stdout)} pixels")
    path = os.path.join(folder, "beside.png")
    subprocess.run([program, "transpose_shared", "--compare", "rung", "--step", "3", "--present", "--size", "1280x720",
                    "--screenshot", path], check=True, capture_output=True)
    lane_16, in_a = (0xff, 0xe5, 0xb3), (0, 0.32, 0.5, 0.65)
    seen = png.Picture(path).count(lane_16, in_a, tolerance=2)
    if seen < 40:
        failures.append(f"A, which uses no shared memory, shows none of its lanes: {seen} pixels of lane 16")
print("\n".join(failures) or f"nothing under {LEAST} pixels in {2 * len(views)} pictures")
sys.exit(1 if failures else 0)
