#!/usr/bin/env python3
"""Presenting at 1080p, no letters are smaller than 24 pixels: in pictures of many scenarios, in both languages, in
lessons, predictions and lists."""
import os
import subprocess
import sys
import tempfile

program = sys.argv[1]
LEAST = 24
failures = []
views = [[s] for s in ("transpose_naive_row", "transpose_shared", "transpose_swizzle", "copy", "copy_stride", "shared_broadcast",
                       "histogram_shared", "sgemm_tiled")]
views += [["transpose_shared", "--step", "1"], ["transpose_shared", "--predict"], ["--lessons"], ["--palette"], ["--keys"],
          ["--lesson", "padding"], ["--lesson", "padding", "--guess", "3"], ["--lesson", "transpose", "--lesson-step", "4"],
          ["--lesson", "transpose", "--lesson-step", "5"], ["--lesson", "warps", "--lesson-step", "2"]]
with tempfile.TemporaryDirectory() as folder:
    for language in ("en", "zh-CN"):
        for view in views:
            done = subprocess.run([program, *view, "--present", "--lang", language, "--size", "1920x1080", "--least-text",
                                   "--screenshot", os.path.join(folder, "a.png")], capture_output=True, text=True, timeout=120)
            if done.returncode == 2 and "no scenario" in done.stderr:
                continue  # another gallery
            if done.returncode != 0:
                failures.append(f"{view} {language}: ended with {done.returncode}: {done.stderr}")
            elif float(done.stdout) < LEAST:
                failures.append(f"{view} {language}: letters of {float(done.stdout)} pixels")
print("\n".join(failures) or f"nothing under {LEAST} pixels in {2 * len(views)} pictures")
sys.exit(1 if failures else 0)
