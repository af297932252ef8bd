#!/usr/bin/env python3
"""In the first picture there is little to press and to read: counted from what is drawn, in both languages."""
import json
import subprocess
import sys

program = sys.argv[1]
MOST = {"controls": 15, "texts": 40, "panels": 1}
failures = []


def count(*arguments):
    result = subprocess.run([program, "first-picture", *arguments], capture_output=True, text=True)
    try:
        return json.loads(result.stdout)
    except ValueError:
        failures.append(f"{arguments}: exit {result.returncode}: {result.stderr[-500:]}")
        return dict.fromkeys(MOST, 0)


for size in ("1280x720", "1920x1080", "3840x2160"):
    for language in ("en", "zh-CN"):
        first = count("--size", size, "--lang", language)
        failures += [f"{size} {language}: {first[what]} {what}, at most {most} are wanted"
                     for what, most in MOST.items() if not 0 <= first[what] <= most]
        if first["controls"] < 5 or first["texts"] < 10:
            failures.append(f"{size} {language}: {first}: what is drawn is not seen")

# What is there more is counted: the key of the padding, a panel more, the workbench with all that it has.
alone = count("--size", "1280x720", "transpose_naive_row")
if count("--size", "1280x720", "transpose_shared")["controls"] != alone["controls"] + 1:
    failures.append("the key of the padding is no control more")
for chosen in ("times", "source,times", "source,lanes,access,grid,times"):
    shown = count("--size", "1280x720", "--panels", chosen, "transpose_naive_row")
    if shown["panels"] != len(chosen.split(",")):
        failures.append(f"--panels {chosen}: {shown['panels']} panels are counted")
    if shown["controls"] <= alone["controls"] or shown["texts"] <= alone["texts"]:
        failures.append(f"--panels {chosen}: {shown} is no more than {alone}")
for failure in failures:
    print(failure)
sys.exit(bool(failures))
