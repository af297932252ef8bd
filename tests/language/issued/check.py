#!/usr/bin/env python3
"""check.py WARPLENS_CLI [NVCC]: the accesses to global memory of each kernel here, as the comment above it says nvcc makes them.

    // ld8 st4        a load of 8 bytes a lane and a store of 4; a figure in front: so many of them
    __global__ void ...

Where NVCC is given, what the comments say is held against its PTX too. Without loops: a loop is unrolled, and an access of
it is many in the PTX. ", assembled ld4 st4" behind it: what ptxas makes of that, where it makes fewer; it is what is counted.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
ACCESSES = r"((?:(?:\d+ )?(?:ld|st|atom)\d+ ?)+)"
KERNEL = re.compile(r"^// *" + ACCESSES + r"(?:, assembled " + ACCESSES + r")?\n__global__ void (\w+)\(([^)]*)\)", re.M)
WIDTHS = {"8": 1, "16": 2, "32": 4, "64": 8}


def counted(words):
    counts, times = collections.Counter(), 1
    for word in words.split():
        if word.isdigit():
            times = int(word)
        else:
            counts[word] += times
            times = 1
    return counts


def simulated(cli, file, kernel, parameters):
    numbers = [p.split()[-1] for p in parameters.split(",") if p.strip() and "*" not in p]
    sets = [word for name in numbers for word in ("--set", name + "=16")]
    command = [cli, "report", str(file), "--kernel", kernel, "--grid", "1", "--block", "32", "--json", *sets]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr
    ops = {"load": "ld", "store": "st", "atomic": "atom", "reduction": "atom"}
    lines = json.loads(done.stdout)["lines"]
    counts = collections.Counter()
    for line in lines:  # of one warp: a request an access, two where members are loaded apart
        if line["space"] == "global":
            counts[ops[line["op"]] + str(line["bytes_per_lane"])] += max(1, line["requests"])
    return counts


def compiled(nvcc, file):
    """By kernel; its name is in the mangled one."""
    command = [nvcc, "-O3", "-arch=sm_90", "-ptx", "-w", "-o", "-", str(file)]
    ptx = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    kernels, current, bodies = {}, None, {}
    for body in ptx.split(".entry ")[1:]:
        bodies[re.match(r"\w+", body)[0]] = body
    for line in ptx.splitlines():
        if entry := re.search(r"\.entry _Z(\d+)(\w+)", line):
            current = kernels[entry[2][: int(entry[1])]] = collections.Counter()
            bodies[id(current)] = bodies["_Z" + entry[1] + entry[2]]
        access = re.search(r"\b(ld|st|red|atom)(?:\.volatile)?\.global\S*?(?:\.v([24]))?\.[fubs](\d+)\b", line)
        if access and current is not None:
            op = "atom" if access[1] in ("red", "atom") else access[1]
            apart = op == "ld" and access[2] == "4" and access[3] == "32" and read_apart(line, bodies[id(current)])
            current[f"{op}{WIDTHS[access[3]] * int(access[2] or 1)}" if not apart else "ld4"] += 2 if apart else 1
    return kernels


def read_apart(line, body):
    """Of the four registers that are loaded two are used that make no aligned pair: ptxas makes two loads of them, as counted on an H200."""
    registers = re.findall(r"%\w+", line[line.index("{") : line.index("}")])
    used = [n for n, register in enumerate(registers) if len(re.findall(re.escape(register) + r"\b", body)) > 1]
    return len(used) == 2 and used not in ([0, 1], [2, 3])


def main():
    cli, nvcc = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    wrong = kernels = 0
    for file in sorted(HERE.glob("*.cu")):
        ptx = compiled(nvcc, file) if nvcc else {}
        for words, assembled, kernel, parameters in KERNEL.findall(file.read_text(encoding="utf-8")):
            kernels += 1
            for by, counts, expected in (("simulated", simulated(cli, file, kernel, parameters), counted(assembled or words)),
                                         ("nvcc", ptx.get(kernel, counted(words)), counted(words))):
                if counts != expected:
                    wrong += 1
                    said = counts if isinstance(counts, str) else dict(counts)
                    print(f"{file.name}: {kernel}: expected {dict(expected)}, {by} {said}")
    print(f"{kernels} kernels, {wrong} wrong" + ("" if nvcc else "; nvcc not asked"))
    return 1 if wrong or kernels < 100 else 0


sys.exit(main())
