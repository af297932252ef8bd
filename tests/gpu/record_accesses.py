#!/usr/bin/env python3
"""record_accesses.py FOLDER: writes FOLDER/counts.json, what the GPU at hand counts of each kernel in FOLDER/*.ptx, by Nsight
Compute: requests and sectors of global memory, and of shared memory loads and wavefronts. The kernels are launched through CuPy
as their PTX is: four blocks of as many threads as the PTX says (32 where it does not), 65536 integers i mod 61 + 1 behind each
pointer, 16 for each number. For tests/compiled/data/accesses and tests/compiled/data/assembled."""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys

OPS = {"load": "ld", "store": "st", "atomic": "atom", "reduction": "red"}
COUNTERS = {(op, what): f"l1tex__t_{what}_pipe_lsu_mem_global_op_{name}.sum" for op, name in OPS.items() for what in ("requests", "sectors")}
SHARED = {"shared_loads": "smsp__inst_executed_op_shared_ld.sum", "shared_wavefronts": "memory_l1_wavefronts_shared"}
ELEMENTS, NUMBER = 65536, 16


def kernels(text):
    """Its name, a letter each parameter: b a buffer, z a pointer that is not used, i, f, d a number; block; dynamic shared bytes."""
    said = re.match(r"// (\d+) bytes of dynamic shared memory", text)
    for name, parameters, body in re.findall(r"\.entry (\w+)\s*\((.*?)\)(.*?\n)}", text, re.S):
        letters = "".join({"u64": "b" if re.search(rf"\[{p}[\]+]", body) else "z", "u32": "i", "f32": "f", "f64": "d"}[t]
                          for t, p in re.findall(r"\.param \.(\w+) (?:\.ptr [^,]*?)?(\w+)\s*(?:,|$)", parameters))
        block = re.search(r"\.(?:req|max)ntid (\d+)(?:, (\d+))?", body[: body.index("{")])
        if "EmptyKernel" not in name:  # of CUB
            yield name, letters, [int(n) for n in block.groups() if n] if block else [32], int(said[1]) if said else 4096 if ".extern .shared" in text else 0


def launch_all(folder):
    import cupy
    import numpy
    contents = (numpy.arange(ELEMENTS) % 61 + 1).astype(numpy.int32)
    buffers = [cupy.zeros(ELEMENTS, numpy.int32) for _ in range(8)]
    for file in sorted(folder.glob("*.ptx")):
        module = cupy.RawModule(path=str(file))
        for name, letters, block, shared in kernels(file.read_text()):
            arguments = []
            for buffer, letter in zip(buffers, letters):
                buffer.set(contents)
                arguments.append(buffer if letter in "bz" else {"i": numpy.int32, "f": numpy.float32, "d": numpy.float64}[letter](NUMBER))
            module.get_function(name)((4,), tuple(block), tuple(arguments), shared_mem=shared)
            cupy.cuda.Device().synchronize()


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:] == ["--launch"]:
        return launch_all(folder)
    ncu = ["ncu", "--clock-control", "none", "--metrics", ",".join([*COUNTERS.values(), *SHARED.values()]), "--csv", "--page", "raw", "--print-kernel-base", "mangled"]
    told = subprocess.run([*ncu, sys.executable, __file__, str(folder), "--launch"], capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(io.StringIO(told[told.index('"ID"'):])))[1:]  # behind the row of units
    launches = [(file.stem, *kernel) for file in sorted(folder.glob("*.ptx")) for kernel in kernels(file.read_text())]
    assert [row["Kernel Name"] for row in rows] == [name for _, name, *_ in launches]
    made = []
    for row, (file, name, letters, block, shared) in zip(rows, launches):
        entry = {"file": file, "kernel": name, "arguments": letters}
        for op in OPS:
            requests, sectors = (int(float(row[COUNTERS[op, what]].replace(",", ""))) for what in ("requests", "sectors"))
            entry.update({op: [requests, sectors]} if requests else {})
        for key, counter in SHARED.items():
            count = int(float(row[counter].split()[0].replace(",", "")))
            entry.update({key: count} if count else {})
        entry.update({"block": block} if block != [32] else {}, **({"shared_bytes": shared} if shared else {}))
        made.append(entry)
    (folder / "counts.json").write_text("[\n" + ",\n".join(map(json.dumps, made)) + "\n]\n")


sys.exit(main())
