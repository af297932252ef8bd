#!/usr/bin/env python3
"""What the kernels of data/cases.json leave in their buffers on a GPU: writes data/outputs.json.

  tests/compiled/record_outputs.py [CASE...]     needs CuPy and an NVIDIA GPU of sm_90

Of each buffer that the kernel changed up to 48 elements, spread over those that changed: [index, value]; "inf", "-inf" and "nan" are
texts.
"""
import json
import math
import pathlib
import re
import sys

import cupy as cp
import numpy as np

DATA = pathlib.Path(__file__).resolve().parent / "data"
TYPES = {"f32": np.float32, "f16": np.float16, "f64": np.float64, "i32": np.int32, "u8": np.uint8}
MOST = 48


def filled(count, fill):
    i = np.arange(count, dtype=np.int64)
    if fill == "zero":
        return np.zeros(count, np.int64)
    if fill == "ramp":
        return i % 97
    return (7919 * i + 13) % int(fill[3:] or 10007)


def plain(value):
    """What JSON has no number for, as a text."""
    return value if math.isfinite(value) else str(value)


def outputs(case):
    text = (DATA / case["file"]).read_text()
    entry = re.search(r"\.entry\s+" + case["entry"] + r"\s*\((.*?)\)", text, re.S)
    parameters = entry[1].count(".param")
    buffers, arguments = {}, []
    for number, (kind, value, *fill) in enumerate(case["args"]):
        if kind in TYPES:
            buffers[number] = cp.asarray(filled(value, fill[0]).astype(TYPES[kind]))
            arguments.append(buffers[number])
        else:
            arguments.append(np.int32(value) if kind == "n32" else np.float32(value))
    arguments += [np.uint64(0)] * (parameters - len(arguments))
    before = {number: cp.asnumpy(buffer) for number, buffer in buffers.items()}
    function = cp.RawModule(path=str(DATA / case["file"])).get_function(case["entry"])
    if case["shared"] > 48 * 1024:
        function.max_dynamic_shared_size_bytes = case["shared"]
    function(tuple(case["grid"]), tuple(case["block"]), tuple(arguments), shared_mem=case["shared"])
    cp.cuda.runtime.deviceSynchronize()
    found = {}
    for number, buffer in buffers.items():
        after = cp.asnumpy(buffer)
        changed = np.flatnonzero(after.view(np.uint8).reshape(after.size, -1).astype(np.int16).sum(axis=1) !=
                                 before[number].view(np.uint8).reshape(after.size, -1).astype(np.int16).sum(axis=1))
        if changed.size:
            chosen = changed[np.linspace(0, changed.size - 1, min(MOST, changed.size)).astype(int)]
            found[str(number)] = {"changed": int(changed.size), "samples": [[int(i), plain(after[i].item())] for i in chosen]}
    return found


def main():
    cases = json.loads((DATA / "cases.json").read_text())
    chosen = [case for case in cases if len(sys.argv) < 2 or case["id"] in sys.argv[1:]]
    found = {case["id"]: outputs(case) for case in chosen}
    if len(sys.argv) < 2:
        lines = ",\n".join(f' "{name}": {json.dumps(value, separators=(",", ":"))}' for name, value in found.items())
        (DATA / "outputs.json").write_text("{\n" + lines + "\n}\n")
    else:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
