#!/usr/bin/env python3
"""What tensor copies (TMA) leave in memory and what they cost on this GPU, box by box.

    tests/gpu/tensor_boxes.py [--out out/tensor_boxes.json] [--boxes 120] [--no-counters]

Needs nvcc, and ncu for the counters. Values are held against what the layout says: exit code 1 where one differs.
Counters are written down beside each box: sectors between L1 and L2, and whatever else this GPU's ncu counts of it.
"""
import argparse
import csv
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_suffix(".cu")
SHARED, BUFFER = 32 << 10, 128 << 10
WIDTHS = [16, 32, 64, 128]


def line_of(c):
    return " ".join(map(str, [c["kind"], c["bytes"], c["rank"], *c["dims"], *c["strides"], *c["box"], c["swizzle"], *c["at"]]))


def one(kind, size, dims, box, at, swizzle=0, strides=None):
    rank = len(dims)
    row = (dims[0] * size + 15) // 16 * 16
    strides = list(strides or [row, row * (dims[1] if rank > 1 else 1)])
    pad = lambda x, v: list(x) + [v] * (3 - rank)
    return {"kind": kind, "bytes": size, "rank": rank, "dims": pad(dims, 1), "strides": (strides + [16, 16])[:2],
            "box": pad(box, 1), "swizzle": swizzle, "at": pad(at, 0)}


def box_bytes(c):
    return c["bytes"] * c["box"][0] * c["box"][1] * c["box"][2]


def swizzled(byte, swizzle):
    bits = (1 << swizzle) - 1
    return byte ^ (byte >> 7 & bits) << 4


def moves(c):
    """(shared byte, global byte or None) of each element."""
    size, dims, box, at = c["bytes"], c["dims"], c["box"], c["at"]
    for z in range(box[2]):
        for y in range(box[1]):
            for x in range(box[0]):
                inside = all(0 <= at[d] + (x, y, z)[d] < dims[d] for d in range(c["rank"]))
                place = (at[0] + x) * size
                if c["rank"] > 1:
                    place += (at[1] + y) * c["strides"][0]
                if c["rank"] > 2:
                    place += (at[2] + z) * c["strides"][1]
                yield swizzled(((z * box[1] + y) * box[0] + x) * size, c["swizzle"]), place if inside else None


def expected(c):
    first = bytearray(BUFFER)
    for i in range(BUFFER // 2):
        first[2 * i:2 * i + 2] = (i & 0xffff).to_bytes(2, "little")
    shared = bytearray(first[:SHARED])
    memory = shared if c["kind"] % 2 == 0 else bytearray(first)
    if c["kind"] > 1:
        pairs = [(i, c["at"][0] + i) for i in range(c["dims"][0])]
        size = 1
    else:
        pairs, size = moves(c), c["bytes"]
    for to, source in pairs:
        if c["kind"] % 2 == 0:
            memory[to:to + size] = first[source:source + size] if source is not None else bytes(size)
        elif source is not None:
            memory[source:source + size] = shared[to:to + size]
    return memory


def value_boxes(rng):
    yield one(0, 2, [64, 32], [32, 8], [0, 0])
    yield one(0, 2, [64, 32], [64, 8], [0, 8], 3)
    yield one(0, 2, [64, 32], [32, 16], [32, 8], 2)
    yield one(0, 2, [64, 32], [16, 16], [16, 0], 1)
    yield one(0, 4, [40, 20], [32, 8], [16, 16], 3)
    yield one(0, 4, [40, 20], [8, 8], [-4, -2], 1)
    yield one(0, 1, [100, 20], [128, 8], [-16, 15], 3)
    yield one(0, 8, [20, 20], [16, 8], [8, 15], 3)
    yield one(0, 2, [1000], [256], [896])
    yield one(0, 4, [1000], [64], [-20])
    yield one(0, 2, [40, 24, 6], [64, 8, 3], [-8, 20, 4], 3)
    yield one(0, 2, [40, 24, 6], [8, 4, 2], [32, -1, 5])
    yield one(0, 2, [64, 33], [64, 3], [8, 31], 3)
    for kind in (1, 1, 1, 0, 0, 0, 0):
        for swizzle in range(4):
            size = rng.choice([1, 2, 4, 8])
            rank = rng.choice([1, 2, 2, 3])
            width = WIDTHS[swizzle] // size if swizzle else rng.choice([16, 32, 48, 80, 256]) // size
            if swizzle and rng.random() < 0.3 and WIDTHS[swizzle] > 32:
                width //= 2
            dims = [rng.randrange(8, 120 if size < 8 else 60), rng.randrange(3, 30), rng.randrange(2, 6)][:rank]
            box = [width, rng.randrange(1, 12), rng.randrange(1, 4)][:rank]
            at = [rng.randrange(-6, d) for d in dims]
            at[0] = at[0] * size // 16 * 16 // size
            yield one(kind, size, dims, box, at, swizzle)
    for kind in (2, 3):
        c = one(0, 1, [256], [16], [32])
        yield {**c, "kind": kind}
        yield {**c, "kind": kind, "dims": [16, 1, 1], "at": [48, 0, 0]}


def counted_boxes(rng, count):
    for kind in (0, 1):
        for width in (8, 16, 24, 32, 64, 128):          # halves in a row: 16 bytes and more
            yield one(kind, 2, [512, 64], [width, 8], [0, 0])
        for rows in (1, 2, 4, 16, 32, 64):
            yield one(kind, 2, [512, 64], [64, rows], [0, 0])
        for first in (8, 16, 24, 32, 40, 48, 56):  # where in a sector, and in a line, rows begin
            yield one(kind, 2, [512, 64], [64, 8], [first, 0])
        for pitch in (128, 144, 160, 176, 192, 208, 256, 272, 1024, 1040):
            yield one(kind, 2, [64, 64], [64, 8], [0, 0], strides=[pitch])
        for swizzle in range(4):
            yield one(kind, 2, [512, 64], [WIDTHS[swizzle] // 2, 16], [0, 0], swizzle)
        for first in (-32, -16, -8, 448, 480, 496, 504):      # beyond both edges
            yield one(kind, 2, [512, 64], [64, 8], [first, 0])
        for row in (-4, 60):
            yield one(kind, 2, [512, 64], [64, 8], [0, row])
        for size in (1, 4, 8):
            yield one(kind, size, [1024 // size, 64], [128 // size, 8], [0, 0])
        yield one(kind, 2, [64, 16, 16], [64, 4, 4], [0, 0, 0])
        yield one(kind, 2, [64, 16, 16], [16, 4, 4], [16, 2, 1])
        yield one(kind, 2, [4096], [64], [0])
        yield one(kind, 2, [4096], [64], [8])
    for kind in (2, 3):
        for size in (16, 32, 48, 64, 128, 256, 1024, 4096):
            for first in (0, 16, 32, 112):
                yield {**one(0, 1, [16], [16], [first]), "kind": kind, "dims": [size, 1, 1]}
    for _ in range(count):
        kind, size, swizzle = rng.choice([0, 0, 1]), rng.choice([1, 2, 4, 8]), rng.randrange(4)
        rank = rng.choice([1, 2, 2, 3])
        width = WIDTHS[swizzle] // size if swizzle else rng.choice([16, 32, 48, 64, 80, 128, 256]) // size
        dims = [rng.randrange(width, width + 400 // size), rng.randrange(8, 40), rng.randrange(2, 5)][:rank]
        box = [width, rng.randrange(1, 9), rng.randrange(1, 4)][:rank]
        at = [rng.randrange(0, max(1, d - b + 1)) for d, b in zip(dims, box)]
        at[0] = at[0] * size // 16 * 16 // size
        yield one(kind, size, dims, box, at, swizzle)


def run_dump(program, boxes, *more):
    """A line for each; what ends the program is left out, and the rest goes on behind it."""
    lines = []
    while len(lines) < len(boxes):
        text = subprocess.run([program, "dump", *more], input="".join(line_of(c) + "\n" for c in boxes[len(lines):]),
                              text=True, capture_output=True).stdout.splitlines()
        lines += [line.split(" ", 1)[1] for line in text] or ["nothing"]
    return lines


def memory_of(c, line):
    memory = bytearray(SHARED if c["kind"] % 2 == 0 else BUFFER)
    for i in range(len(memory) // 2):
        memory[2 * i:2 * i + 2] = (i & 0xffff).to_bytes(2, "little")
    for pair in line.split()[1:]:
        place, word = pair.split(":")
        memory[4 * int(place, 16):4 * int(place, 16) + 4] = int(word, 16).to_bytes(4, "little")
    return memory


def check_values(program, boxes):
    wrong = refused = 0
    for c, line in zip(boxes, run_dump(program, boxes)):
        if not line.startswith("words"):
            refused += 1
            print(f"{line}: {line_of(c)}")
            continue
        memory, want = memory_of(c, line), expected(c)
        if memory != want:
            wrong += 1
            differ = [i for i in range(len(memory)) if memory[i] != want[i]]
            print(f"WRONG {line_of(c)}: {len(differ)} bytes, the first at {differ[0]}")
    print(f"{len(boxes)} boxes: {wrong} wrong, {refused} refused or not run")
    return wrong


def probe_edges(program):
    """What this GPU refuses: where a row begins, and where the box lies in shared memory."""
    for size, first in ((2, 1), (2, 2), (2, 4), (4, 1), (4, 2), (4, 4), (4, -3), (4, -4), (8, 1), (1, 8), (1, 16)):
        c = one(0, size, [64, 8], [128 // size, 2], [first, 0])
        print(f"begins {first * size} bytes into the row: {run_dump(program, [c])[0].split(' ')[0:4]}")
    for size, first in ((2, 1), (2, 4), (4, 2)):
        c = one(1, size, [64, 8], [32 // size, 2], [first, 0])
        print(f"store begins {first * size} bytes into the row: {run_dump(program, [c])[0].split(' ')[0:4]}")
    for swizzle in range(4):
        for offset in (16, 32, 64, 128, 256, 384, 512, 1024):
            c = one(0, 2, [64, 32], [WIDTHS[swizzle] // 2, 8], [0, 0], swizzle)
            line = run_dump(program, [c], str(offset))[0]
            said = line.split(" ")[0:4]
            if line.startswith("words"):
                memory = memory_of(c, line)
                first = bytearray(memory_of(c, "words"))
                want = bytearray(first)
                for z in range(8):
                    for x in range(WIDTHS[swizzle]):
                        place = offset + z * WIDTHS[swizzle] + x
                        bits = (1 << swizzle) - 1
                        want[place ^ (place >> 7 & bits) << 4] = first[z * 128 + x]
                said = "as by its address" if memory == want else "otherwise"
            print(f"swizzle {swizzle}, {offset} bytes into shared memory: {said}")


def rows_of(text):
    table = list(csv.DictReader(io.StringIO(text[text.index('"ID"'):])))
    return table[1:]  # the first row has the units


def profile(program, boxes, metrics):
    done = subprocess.run(["ncu", "--csv", "--page", "raw", "--metrics", ",".join(metrics), program],
                          input="".join(line_of(c) + "\n" for c in boxes), text=True, capture_output=True)
    if '"ID"' not in done.stdout:
        print(done.stdout[-2000:], done.stderr[-2000:])
        return None
    return rows_of(done.stdout)


def number(text):
    try:
        return float(text.replace(",", ""))
    except (ValueError, AttributeError):
        return None


METRICS = ["l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum",
           "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum",
           "lts__t_requests_srcunit_tex_op_read.sum", "lts__t_requests_srcunit_tex_op_write.sum",
           "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum",
           "l1tex__data_bank_writes.sum", "l1tex__data_bank_reads.sum"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--boxes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="out/tensor_boxes.json")
    parser.add_argument("--no-counters", action="store_true")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "tensor_boxes"
        subprocess.run(["nvcc", "-O3", "-gencode", "arch=compute_90a,code=sm_90a", "-o", program, SOURCE], check=True)
        wrong = check_values(program, list(value_boxes(rng)))
        out = pathlib.Path(options.out)
        out.parent.mkdir(parents=True, exist_ok=True)
        if options.no_counters:
            return 1 if wrong else 0
        probe_edges(program)
        boxes = list(counted_boxes(rng, options.boxes))
        records = []
        for at in range(0, len(boxes), 50):
            table = profile(program, boxes[at:at + 50], METRICS) or []
            records += [{**c, "counters": {m.removesuffix(".sum"): number(row.get(m)) for m in METRICS}}
                        for c, row in zip(boxes[at:at + 50], table)]
        out.write_text(json.dumps({"what": "one box a launch; lengths in elements, strides in bytes", "records": records}))
        print(f"{len(records)} of {len(boxes)} boxes counted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
