#!/usr/bin/env python3
"""record_issued.py --bin BIN --out PACK.json [FOLDER]: counts each kernel of tests/language/issued (or FOLDER) on the GPU
at hand, into a recorded pack of which

  tools/correlate.py PACK.json --sources FOLDER --page PAGE.md

says what compilers make of the accesses in the text, and whether that is what makes prediction and counters equal. What
cannot be measured (a struct by value, a variable of the file) is named and left out.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = re.compile(r"^(?:template\s*<[^>]*>\s*)?__global__ void (\w+)\(([^)]*)\)", re.M)
ELEMENTS, NUMBER = 65536, 16  # of every buffer; of every other argument

options = argparse.ArgumentParser()
options.add_argument("--bin", required=True, type=pathlib.Path)
options.add_argument("--out", required=True, type=pathlib.Path)
options.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "tests/language/issued")
given = options.parse_args()


def arguments(parameters):
    words = []
    for parameter in filter(None, (p.strip() for p in parameters.split(","))):
        name = re.findall(r"\w+", parameter)[-1]
        words += ["--set", f"{name}=@{ELEMENTS}" if "*" in parameter else f"{name}={NUMBER}"]
    return words


def measure(file, kernel, parameters, into):
    """The measurement, or what went wrong."""
    done = subprocess.run([given.bin / "warplens-cli", "measure", file, "--kernel", kernel, "--grid", "4", "--block", "32",
                           *arguments(parameters), "--samples", "3", "--no-reference", "-o", into],
                          capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ["no word why"])[-1]
    return json.loads(into.read_text())


measurements, problems = [], []
with tempfile.TemporaryDirectory() as folder:
    for file in sorted(given.folder.glob("*.cu")):
        for kernel, parameters in KERNEL.findall(file.read_text()):
            got = measure(file, kernel, parameters, pathlib.Path(folder) / "one.json")
            if isinstance(got, str):
                problems.append(f"{file.name} {kernel}: {got}")
            else:
                measurements.append(got)
if not measurements:
    sys.exit("\n".join(problems) or f"{given.folder}: no kernels")
device = measurements[0]["device"]
for measurement in measurements:
    measurement.pop("schema"), measurement.pop("device")
    measurement["subject"].pop("text", None)
lines = ",\n".join(json.dumps(m) for m in measurements)
given.out.write_text('{"schema": "warplens.pack/1", "title": "accesses as compilers issue them",\n'
                     f'"device": {json.dumps(device)},\n"measurements": [\n{lines}\n]}}\n')
print("\n".join([f"left out: {problem}" for problem in problems] + [f"{len(measurements)} kernels in {given.out}"]))
