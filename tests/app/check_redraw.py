#!/usr/bin/env python3
"""Frames that are drawn over the frame before, where they differ from it, equal frames that are drawn whole."""
import subprocess
import sys

program = sys.argv[1]
FRAMES = 160
failures = []


def walk(size, *arguments):
    result = subprocess.run([program, "walk", "-n", str(FRAMES), "--size", size, *arguments], capture_output=True,
                            text=True)
    if result.returncode != 0:
        failures.append(f"walk {size} {arguments}: exit {result.returncode}: {result.stderr[-500:]}")
    return result.stdout.splitlines()


for size in ("1280x720", "1003x777"):
    parts, whole = walk(size), walk(size, "--whole")
    if len(parts) != FRAMES or len(whole) != FRAMES:
        failures.append(f"{size}: {len(parts)} and {len(whole)} frames of {FRAMES}")
    if len({line.split()[2] for line in whole}) < FRAMES // 3:
        failures.append(f"{size}: the walk hardly changes the picture")
    different = [a for a, b in zip(parts, whole) if a != b]
    if different:
        failures.append(f"{size}: {len(different)} frames are stale, the first: {different[0]}")
for failure in failures:
    print(failure)
sys.exit(bool(failures))
