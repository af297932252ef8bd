#!/usr/bin/env python3
"""Compiles the gallery's kernels to PTX, for machines without a compiler: assets/compiled/gallery.gz (docs/compiled.md).

    tools/gallery_ptx.py [--cli build/release/bin/warplens-cli] [--architecture sm_90]

Of each scenario the choices that tests/frozen/reports.txt names and those that the recorded packs measured. Takes a compilation by nvcc
for each instance of a template."""
import argparse
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import packs

ROOT = pathlib.Path(__file__).resolve().parents[1]


def choices():
    """TARGET and options, of each choice."""
    for line in (ROOT / "tests/frozen/reports.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, *values = line.split(" ", 1)[1].removeprefix("reports/").split()
            yield (name, *(word for value in values for word in ("--set", value)))
    for pack in sorted((ROOT / "assets/recorded").glob("*.json")):
        for measurement in packs.load([str(pack)])["measurements"]:
            if packs.scenario_of(measurement):
                yield tuple(packs.Kernels([]).target(measurement))


def without_folders(ptx):
    """.file names files without the folders of the machine that compiled them."""
    return re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", ptx)


def compiled(cli, architecture, choice):
    """[(key, PTX)], and the compiler's name: an empty folder is its cache, in which one file is made."""
    with tempfile.TemporaryDirectory(prefix="warplens-gallery-") as cache:
        ran = subprocess.run([cli, "report", *choice, "--compiled", "--arch", architecture, "--seconds", "30", "--json"],
                             env={**os.environ, "XDG_CACHE_HOME": cache}, capture_output=True, text=True)
        made = [(file.name.split("-")[0], without_folders(file.read_text())) for file in pathlib.Path(cache).glob("warplens/ptx/*.ptx")]
        if not made and "--set" not in choice:
            sys.exit(f"{' '.join(choice)}: {ran.stderr}")
        return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", default=ROOT / "build/release/bin/warplens-cli", help="the program (build/release/bin/warplens-cli)")
    parser.add_argument("--architecture", default="sm_90")
    options = parser.parse_args()
    version = subprocess.run([os.environ.get("CUDACXX", "nvcc"), "--version"], capture_output=True, text=True, check=True).stdout
    program = packs.Program(options.cli)
    texts = {}
    for made in program.all(lambda choice: compiled(program.binary, options.architecture, choice), list(dict.fromkeys(choices()))):
        texts.update(made)
    plain = f"nvcc {re.search(r', V([0-9.]+)', version)[1]}\n".encode()
    for key, ptx in sorted(texts.items(), key=lambda one: one[1][one[1].find(".entry"):]):  # instances of a template side by side
        plain += f"{key} {len(ptx.encode())}\n".encode() + ptx.encode()
    file = ROOT / "assets/compiled/gallery.gz"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(gzip.compress(plain, 9, mtime=0))
    print(f"{file.relative_to(ROOT)}: {len(texts)} modules, {len(plain):,} bytes, {file.stat().st_size:,} compressed")


if __name__ == "__main__":
    main()
