#!/usr/bin/env python3
"""Texts of many moments of the app: none clipped, outside its picture, overlapping, too small or too pale, and none
shortened but those that are meant to give way.

  check_texts.py PROBE                         every scenario, lesson step, sheet and view once, in one language and theme,
                                               at 1280x720: the test app.texts, about a minute
  check_texts.py PROBE few                      some of them in the smallest window, and twice as large: the test
                                               app.texts_sizes, some two minutes. A larger window of the same shape is
                                               laid out as a smaller one, in larger type.
  check_texts.py PROBE all    [1280x720 ...]   all of them in both languages and themes, at 1280x720, 1920x1080 and 3840x2160
                                               (or at the sizes given): some twenty minutes, before a release
"""
import re
import subprocess
import sys

# What may end in an ellipsis, and why: (where, text). Everything else has to have room.
may_be_shortened = [
    (r"", r"\w+\.cu( · .*)?"),                       # a kernel's file name; the tooltip has all of it
    (r" A│B", r".* · .*"),                           # how A and B differ, one after the other; the tooltip has all of it
    (r" A│B editing", r".*…"),                       # pictures that give their room to the text that is written
    (r" lesson .* answered", r"\d+, \d+, …"),       # not shortened: lanes, and so on
    (r" own kernel", r"\(.*\) / block_[xy]"),        # what is typed into a field; it scrolls, and the tooltip has all of it
    (r" (costliest|present|editing|lesson .* answered)", r".*\[.*\]|base \+ .*"),  # an expression of the kernel; it stands whole in the source
    (r" own kernel", r"(Launch of \w+|启动 ?\w+)"),  # a kernel's name as its author chose it; it stands in the text
    (r" help", r"P X Y …"),                          # not shortened: "and so on"
    (r" (trouble|optimised)", r".*…"),               # remarks below the bars; the tooltip has all of them
    (r" scenes", r".{40,}"),                         # notes in the field in which they are typed; it scrolls
    (r" plot presented", r".*…"),                    # why the best cell is; on the desk there is room for all of it
]

everything = len(sys.argv) > 2 and sys.argv[2] == "all"
sizes = sys.argv[3:] or (["1280x720", "1920x1080", "3840x2160"] if everything else ["1280x720"])
looks = [(size, ["--all"] if everything else []) for size in sizes]
if sys.argv[2:] == ["few"]:
    looks = [("1024x700", ["--few"]), ("1920x1080", ["--few", "--zoom", "2"])]
seen = [size + (f" at {100 * int(how[how.index('--zoom') + 1])} %" if "--zoom" in how else "") for size, how in looks]
failures = []
for size, how in looks:
    run = subprocess.run([sys.argv[1], "texts", *how, "--size", size], capture_output=True, text=True)
    lines = run.stdout.strip().splitlines()
    looked = re.match(r"(\d+) frames of (\d+) scenarios in 2 languages", lines[-1]) if lines else None
    if run.returncode != 0 or not looked or int(looked[1]) < (80 if "--few" in how else 300) or int(looked[2]) < 30:
        sys.exit(f"{size}: ended with {run.returncode}: {run.stderr}{lines[-1:]}")
    for line in lines[:-1]:
        what, where, text, figures, window = line.split(" | ", 4)
        if what == "shortened" and any(re.search(w, where) and re.fullmatch(t, text) for w, t in may_be_shortened):
            continue
        failures.append(f"{size} {' '.join(how)}: {line}")
print("\n".join(failures) or f"{' and '.join(seen)}: every text is whole and legible")
sys.exit(1 if failures else 0)
