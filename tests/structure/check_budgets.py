#!/usr/bin/env python3
"""Size is a budget: no folder has more lines than its row in docs/architecture.md grants, nor do sim, app, kernels and tests as a whole.

    check_budgets.py ROOT [--write]     --write puts today's sizes into the page, a little rounded up, where they are less than it grants

Counted are lines of .cpp, .h and the library's own CUDA text (.cuh); of tests .py, .sh and .cu as well.
"""
import pathlib
import re
import sys

PRODUCT, TESTS = (".cpp", ".h", ".cuh"), (".cpp", ".h", ".cuh", ".cu", ".py", ".sh")
ROW = re.compile(r"^\| `((?:sim|app|kernels)/\w+)` \|[^|]*\| ([\d,]+) \|", re.M)
TOTAL = re.compile(r"^\| `(sim|app|kernels|tests)` \| ([\d,]+) \| ([\d,]+) \|", re.M)


def size_of(folder):
    """(lines, files)"""
    endings = TESTS if folder.name == "tests" else PRODUCT
    files = [file for file in folder.rglob("*") if file.suffix in endings and file.is_file()]
    return sum(file.read_bytes().count(b"\n") for file in files), len(files)


def rounded_up(number, step):
    return (number // step + 1) * step


def main():
    root, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[1]) / "docs" / "architecture.md"
    text, wrong = page.read_text(), []

    def number(words):
        return int(words.replace(",", ""))

    def hold(name, what, size, most):
        if size > most:
            wrong.append(f"{name} has {size:,} {what}, {size - most:,} more than docs/architecture.md grants ({most:,})")
    rows, totals = ROW.findall(text), TOTAL.findall(text)
    known = {name for name, _ in rows}
    for name, lines in rows:
        hold(name, "lines", size_of(root / name)[0], number(lines))
    for name, lines, files in totals:
        have = size_of(root / name)
        hold(name, "lines", have[0], number(lines))
        hold(name, "files", have[1], number(files))
    if len(totals) != 4:
        wrong.append("docs/architecture.md: the table of totals has no four rows: sim, app, kernels, tests")
    folders = {"/".join(file.relative_to(root).parts[:2]) for top in ("sim", "app", "kernels") for file in (root / top).glob("*/**/*")
               if file.suffix in PRODUCT}
    wrong += [f"docs/architecture.md grants {row} no lines: its row needs a number in the column \"most lines\""
              for row in sorted(folders - known)]
    if "--write" in sys.argv:
        def lowered(match):
            have = size_of(root / match[1])
            out = match[0]
            for i, step in ((2, 50), (3, 5)) if match.re is TOTAL else ((2, 20),):
                granted, now = match[i], rounded_up(have[i - 2], step)
                if now < number(granted):
                    out = out.replace(f"| {granted} |", f"| {now:,} |", 1)
            return out
        page.write_text(TOTAL.sub(lowered, ROW.sub(lowered, text)))
    if wrong:
        print("\n".join(wrong))
        print("What is added displaces something: find what stands twice or is not needed any more, in the same folder first, and delete it.\n"
              "Was something moved, lower the row that it left by as much as this one rises. Only where neither will do is a number raised,\n"
              "with the reason in the commit's message (CONTRIBUTING.md, \"When a budget is full\").")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
