#!/usr/bin/env python3
"""Texts of many moments of the app, in both languages and themes: none clipped, overlapping, too small or too pale, and
none shortened but those that are meant to give way.   check_texts.py WARPLENS"""
import re
import subprocess
import sys

# What may end in an ellipsis: (where, text). Everything else has to have room.
may_be_shortened = [
    (r"", r"[a-z_]+\.cu"),                    # a kernel's file name
]

failures = []
sizes = sys.argv[2:] or ["1280x720", "1920x1080"]
for size in sizes:
    run = subprocess.run([sys.argv[1], "--check-texts", "--size", size], capture_output=True, text=True, timeout=900)
    lines = run.stdout.strip().splitlines()
    if run.returncode != 0 or not lines or not re.match(r"\d+ scenarios in 2 languages", lines[-1]):
        sys.exit(f"{size}: ended with {run.returncode}: {run.stderr}")
    for line in lines[:-1]:
        what, where, text, figures, window = line.split(" | ", 4)
        if what == "shortened" and any(re.search(w, where) and re.fullmatch(t, text) for w, t in may_be_shortened):
            continue
        failures.append(f"{size}: {line}")
print("\n".join(failures) or f"{' and '.join(sizes)}: every text is whole and legible")
sys.exit(1 if failures else 0)
