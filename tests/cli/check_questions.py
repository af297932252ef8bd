#!/usr/bin/env python3
"""docs/questions.md, number by number: what warplens-cli predicts and what an H100 counted (tests/data/questions).

    tests/cli/check_questions.py build/release/bin/warplens-cli [--write-links]

A cell "28" says that both are 28, "0 / 13,647" that 0 is predicted and 13,647 counted. Every difference must have a cause, and each
link must open the kernel that stands in the folder. --write-links puts the links into the page.
"""
import base64
import json
import pathlib
import re
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE, DATA = ROOT / "docs" / "questions.md", ROOT / "tests" / "data" / "questions"
# The kernel that a question's link opens.
OPENED = {
    "naive_product": ("by_columns", {}),
    "padded_transpose": ("transpose", {"template.SIDE": "16", "template.PITCH": "17"}),
    "store_arbitration": ("from_global", {}),
    "wide_loads": ("rows", {"template.PITCH": "32"}),
    "matrix_rows": ("four_matrices", {"template.PITCH": "128"}),
    "transposed_fragments": ("transposed", {"template.SHIFT": "4"}),
    "async_conflicts": ("copy", {"template.BYTES": "16", "template.PAST_L1": "0", "template.PATTERN": "1", "template.TIMES": "1",
                                 "grid.x": "1", "block.x": "32", "shared": "4112", "elements.in": "65536"}),
}
# What the host code does not say where a template launches.
OPTIONS = {"async_conflicts": ["--set", "in=@69271552"]}
# How the page calls the patterns of async_conflicts.cu.
PATTERNS = ["straight", "source in rows of two lanes", "each lane its own row of the target", "target swizzled", "",
            "target 16 bytes further", "even and odd 16 bytes"]
failures = []


def expect(holds, words):
    if not holds:
        failures.append(words)


def link_of(name):
    kernel, fields = OPENED[name]
    view = {"text": (DATA / f"{name}.cu").read_text(), "own": {"file": f"{name}.cu", "kernel": kernel, "fields": fields}}
    packed = zlib.compress(json.dumps(view, sort_keys=True).encode(), 9)
    return "warplens:kernel#view=1." + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def unpacked(link):
    packed = link.split("view=1.")[1]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))


def run(cli, *words):
    return subprocess.run([cli, *words], capture_output=True, text=True, check=False)


def explained(cli, name):
    done = run(cli, "explain", DATA / f"{name}.csv", DATA / f"{name}.cu", "--json", *OPTIONS.get(name, []))
    expect(done.returncode == 0, f"{name}: exit code {done.returncode}: {done.stderr[-500:]}")
    if not done.stdout:
        return []
    for launch in (launches := json.loads(done.stdout).get("launches", [])):
        for counter in launch["counters"]:
            if counter["state"] == "unexplained":
                failures.append(f'{launch["launch"]["kernel"]}: {counter["name"]}: {counter["predicted"]} predicted, '
                                f'{counter["measured"]} counted: no cause')
    return launches


def launch_of(launches, row):
    """`rows<32>`: dense; `by_columns`, 32 x 32; `.ca`, straight"""
    if copy := re.match(r"`\.(ca|cg)`, (.*)", row):
        wanted = f"copy<16, {int(copy[1] == 'cg')}, {PATTERNS.index(copy[2])}, 1>"
        return next((one for one in launches if wanted in one["launch"]["kernel"] and one["launch"]["grid"] == [1, 1, 1]), None)
    kernel = re.match(r"`([^`]*)`", row)[1]
    block = re.search(r", (\d+) × (\d+)$", row)
    for one in launches:
        launch = one["launch"]
        if re.search(rf"\b{re.escape(kernel)}\(", launch["kernel"]):
            if not block or launch["block"][:2] == [int(block[1]), int(block[2])]:
                return one
    return None


def number(text):
    return float(text.replace(",", ""))


def check_table(rows, headings, known):
    name = re.match(r"`(\w+)`", rows[0][0])[1]
    for row in rows[2:]:
        one = launch_of(known[name], row[0])
        expect(one is not None, f"{name}: no launch {row[0]}")
        if one is None:
            continue
        counters = {counter["name"]: counter for counter in one["counters"]}
        for heading, cell in zip(rows[0][1:], row[1:], strict=True):
            counter = counters.get(headings.get(heading, ""))
            expect(counter is not None, f"{name}, {row[0]}: no counter for {heading}")
            if counter is None:
                continue
            told = [None if part.strip() == "–" else number(part) for part in cell.split("/")]
            found = [counter["predicted"], counter["measured"]]
            expect([told[0], told[-1]] == found, f"{name}, {row[0]}, {heading}: the page has {cell}, predicted and counted are {found}")


def main():
    cli = sys.argv[1]
    page = PAGE.read_text()
    if "--write-links" in sys.argv:
        links = iter(OPENED)
        page = re.sub(r"```\nwarplens:kernel[^\n]*\n```", lambda _: f"```\n{link_of(next(links))}\n```", page)
        PAGE.write_text(page)
    found = re.findall(r"^warplens:kernel\S*$", page, re.MULTILINE)
    expect(len(found) == len(OPENED), f"{len(found)} links")
    for name, link in zip(OPENED, found):
        expect(unpacked(link) == unpacked(link_of(name)), f"{name}: the link opens another text; --write-links")
        done = run(cli, "report", link, "--json")
        expect(done.returncode == 0 and json.loads(done.stdout)["kernel"] == OPENED[name][0], f"{name}: {done.stderr[-300:]}")
    tables = [[[cell.strip() for cell in line.strip("| \n").split(" | ")] for line in table.splitlines()]
              for table in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)]
    headings = {row[0]: row[1].strip("`") for row in tables[0][2:]}
    known = {name: explained(cli, name) for name in [*OPENED, "kinds"]}
    expect(len(tables) == len(OPENED) + 1, f"{len(tables)} tables")
    for table in tables[1:]:
        check_table(table, headings, known)
    for words in failures:
        print(words)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
