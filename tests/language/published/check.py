#!/usr/bin/env python3
"""Language points of published kernels: `report FILE` without another option gives counts, and no warning, or says what it does
not understand, at its place.

  check.py build/release/bin/warplens-cli
"""
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
# What is said of those that are no report: line:column and words.
REFUSED = {
    "coalesced.cu": "6:5: error: type 'coalesced_group' is not supported",
    "host_atomic.cu": "4:46: error: unknown type 'atomic'",
    "missing_macro.cu": "3:19: error: 'CUTE_GRID_CONSTANT' is not known here: it seems to be a macro",
    "nested_launch.cu": "4:24: error: a kernel launch inside a kernel is not supported",
    "reference_member.cu": "5:13: error: references as members are not supported",
    "overload_rows.cu": "4:17: error: the file has 2 kernels: add(float*, float*), add(float(*)[N], float(*)[N])",
    "texture_from_memory.cu": "4:53: error: 'tex2D' needs a texture or surface that is known when compiling",
}
MORE = {"nested_launch.cu": ["--kernel", "parent"]}
# Figures that are worked out by hand: requests of a line, by the words of `report`.
COUNTS = {
    "string_literal.cu": r"load +98,304 ",  # of each of 32,768 warps in, and its character of `digits`; in again
    "declared_type_of_itself.cu": r"store +64 ",
    "shared_union.cu": r"load +32,768 ",
}


def main():
    wrong = 0
    for source in sorted(FOLDER.glob("*.cu")):
        done = subprocess.run([sys.argv[1], "report", str(source)] + MORE.get(source.name, []), capture_output=True,
                              text=True, timeout=60)
        refused = REFUSED.get(source.name)
        if refused:
            good = done.returncode == 2 and f"{source.name}:{refused}" in done.stderr
        else:
            good = done.returncode == 0 and ": warning: " not in done.stderr
            good = good and re.search(COUNTS.get(source.name, ""), done.stdout) is not None
        if not good:
            wrong += 1
            print(f"{source.name}: exit {done.returncode}\n{done.stderr}{done.stdout[:400]}")
    print(f"{len(list(FOLDER.glob('*.cu')))} files, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
