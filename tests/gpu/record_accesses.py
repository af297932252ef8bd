#!/usr/bin/env python3
"""record_accesses.py [OUT.json]: the requests and sectors of global memory that the GPU at hand counts of each kernel in
tests/compiled/data/accesses, by Nsight Compute; the kernels are launched through CuPy as their PTX is. Four blocks of 32
threads, 65536 integers i mod 61 + 1 behind each pointer, 16 for each number."""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parents[1] / "compiled/data/accesses"
OPS = {"load": "ld", "store": "st", "atomic": "atom", "reduction": "red"}
COUNTERS = {(op, what): f"l1tex__t_{what}_pipe_lsu_mem_global_op_{name}.sum" for op, name in OPS.items() for what in ("requests", "sectors")}
ELEMENTS, NUMBER = 65536, 16


def kernels(text):
    """Its name and a letter each parameter: b a buffer, z a pointer that is not used, i, f, d a number."""
    for name, parameters, body in re.findall(r"\.entry (\w+)\s*\((.*?)\)(.*?\n)}", text, re.S):
        yield name, "".join({"u64": "b" if re.search(rf"\[{p}[\]+]", body) else "z", "u32": "i", "f32": "f", "f64": "d"}[t]
                            for t, p in re.findall(r"\.param \.(\w+) (\w+)", parameters))


def launch_all():
    import cupy
    import numpy
    contents = (numpy.arange(ELEMENTS) % 61 + 1).astype(numpy.int32)
    buffers = [cupy.zeros(ELEMENTS, numpy.int32) for _ in range(8)]
    for file in sorted(DATA.glob("*.ptx")):
        module = cupy.RawModule(path=str(file))
        for name, letters in kernels(file.read_text()):
            arguments = []
            for buffer, letter in zip(buffers, letters):
                buffer.set(contents)
                arguments.append(buffer if letter in "bz" else {"i": numpy.int32, "f": numpy.float32, "d": numpy.float64}[letter](NUMBER))
            module.get_function(name)((4,), (32,), tuple(arguments))
            cupy.cuda.Device().synchronize()


def main():
    if sys.argv[1:] == ["--launch"]:
        return launch_all()
    ncu = ["ncu", "--clock-control", "none", "--metrics", ",".join(COUNTERS.values()), "--csv", "--page", "raw", "--print-kernel-base", "mangled"]
    told = subprocess.run([*ncu, sys.executable, __file__, "--launch"], capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(io.StringIO(told[told.index('"ID"'):])))[1:]  # behind the row of units
    launches = [(file.stem, *kernel) for file in sorted(DATA.glob("*.ptx")) for kernel in kernels(file.read_text())]
    assert [row["Kernel Name"] for row in rows] == [name for _, name, _ in launches]
    made = []
    for row, (file, name, letters) in zip(rows, launches):
        entry = {"file": file, "kernel": name, "arguments": letters}
        for op in OPS:
            requests, sectors = (int(float(row[COUNTERS[op, what]].replace(",", ""))) for what in ("requests", "sectors"))
            entry.update({op: [requests, sectors]} if requests else {})
        made.append(entry)
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else DATA / "counts.json")
    out.write_text("[\n" + ",\n".join(map(json.dumps, made)) + "\n]\n")


sys.exit(main())
