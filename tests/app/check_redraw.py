#!/usr/bin/env python3
"""Frames that are drawn over the frame before, where they differ from it, equal frames that are drawn whole."""
import subprocess
import sys

program = sys.argv[1]
FRAMES = 160
failures = []


def walk(*arguments):
    # Of a size of which no part is a whole number of anything.
    result = subprocess.run([program, "walk", "-n", str(FRAMES), "--size", "1003x777", *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        failures.append(f"walk {arguments}: exit {result.returncode}: {result.stderr[-500:]}")
    return result.stdout.splitlines()


parts, whole = walk(), walk("--whole")
if len(parts) != FRAMES or len(whole) != FRAMES:
    failures.append(f"{len(parts)} and {len(whole)} frames of {FRAMES}")
if len({line.split()[2] for line in whole}) < FRAMES // 3:
    failures.append("the walk hardly changes the picture")
different = [a for a, b in zip(parts, whole) if a != b]
if different:
    failures.append(f"{len(different)} frames are stale, the first: {different[0]}")
for failure in failures:
    print(failure)
sys.exit(bool(failures))
