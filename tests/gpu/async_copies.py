#!/usr/bin/env python3
"""What cp.async costs on this GPU, pattern by pattern, beside `warplens-cli analyze`.

    tests/gpu/async_copies.py --bin build/release/bin [--patterns 300] [--seed 1] [--few] [--sizes] --out out/async_copies.json

--few: few lanes in few banks, where each decision shows. --sizes: with source sizes, of which some are 0.

Needs nvcc and ncu. The output has the form of tests/data/h200_matrix_and_async.json. Exit code 1 where a sector, or a
wavefront that is said to be exact, differs; those that are not are counted, and listed by what they have in common.
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
METRICS = ["memory_l1_wavefronts_shared", "memory_l2_theoretical_sectors_global",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
           "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
           "smsp__inst_executed_op_shared_st.sum"]


def places(rng, how, bytes_a_lane, shared):
    """32 addresses; shared ones go up to 16 KiB, global ones to 256 KiB."""
    lanes = range(32)
    limit = (16 if shared else 256) * 1024 // bytes_a_lane
    if how == "straight":
        return [lane * bytes_a_lane for lane in lanes]
    if how == "offset":
        first = rng.randrange(16)
        return [(first + lane) * bytes_a_lane for lane in lanes]
    if how == "stride":
        step = rng.randrange(1, 40)
        return [lane * step * bytes_a_lane for lane in lanes]
    if how == "rows":
        width, pitch = rng.choice([2, 4, 8, 16]), rng.choice([64, 96, 128, 136, 144, 160, 256, 272, 512])
        pitch -= pitch % bytes_a_lane
        return [lane // width * pitch + lane % width * bytes_a_lane for lane in lanes]
    if how == "swizzle":
        bits = rng.choice([1, 3, 7])
        width = max(bits + 1, 128 // bytes_a_lane)
        return [lane // width * width * bytes_a_lane + (lane % width ^ lane // 8 & bits) * bytes_a_lane for lane in lanes]
    if how == "crossed":  # lanes of a line in another order
        flip = rng.randrange(1, 8)
        return [(lane ^ flip) * bytes_a_lane for lane in lanes]
    if how == "few":  # drawn from few rows and banks, so that lanes meet
        return [rng.randrange(8) * 128 + rng.randrange(0, 128, bytes_a_lane) for _ in lanes]
    return [place * bytes_a_lane for place in rng.sample(range(limit), 32)]


def patterns(count, seed):
    rng = random.Random(seed)
    ways = ["straight", "offset", "stride", "rows", "swizzle", "crossed", "few", "random"]
    for _ in range(count):
        past_l1 = rng.random() < 0.4
        size = 16 if past_l1 else rng.choice([4, 8, 16])
        to, source = rng.choice(ways), rng.choice(ways)
        record = {"op": "cp_async_cg" if past_l1 else "cp_async_ca", "bytes": size, "pattern": f"{source} to {to}",
                  "shared": places(rng, to, size, True), "global": places(rng, source, size, False)}
        if rng.random() < 0.2:
            idle = set(rng.sample(range(32), rng.randrange(1, 24)))
            for key in ("shared", "global"):
                record[key] = [None if lane in idle else at for lane, at in enumerate(record[key])]
        yield record


def few(count, seed):
    """A handful of lanes whose words lie in few banks, each in a line and a row of its own or with another's."""
    rng = random.Random(seed)
    for _ in range(count):
        lanes = sorted(rng.sample(range(32), rng.randrange(2, 9)))
        shared, source = [None] * 32, [None] * 32
        past_l1 = rng.random() < 0.3
        size = 16 if past_l1 else 4
        banks, targets = rng.choice([1, 2, 3, 4, 16]), rng.choice([1, 2, 3, 4, 16])
        lines, rows = [rng.choice([range(64), range(2)]) for _ in range(2)]
        for lane in lanes:
            source[lane] = 128 * rng.choice(lines) + size * (rng.randrange(banks) % (128 // size))
            shared[lane] = 128 * rng.choice(rows) + size * (rng.randrange(targets) % (128 // size))
        yield {"op": "cp_async_cg" if past_l1 else "cp_async_ca", "bytes": size, "pattern": "few",
               "shared": shared, "global": source}


def sized(records, seed):
    """The same with source sizes: none or all, as the compiler sees or does not, or any."""
    rng = random.Random(seed)
    for record in records:
        size, lanes = record["bytes"], range(32)
        off = set(rng.sample(lanes, rng.choice([0, 1, 8, 16, 31, 32])))
        form = rng.choice([1, 1, 2, 3])
        sizes = [0 if lane in off else rng.randrange(size + 1) if form == 3 else size for lane in lanes]
        record["form"], record["src_size"] = form, [None if at is None else size for at, size in zip(record["shared"], sizes)]
        if form == 3:
            record["any_src_size"] = True
        yield record


def counted(records, folder):
    program = folder / "async_copies"
    subprocess.run(["nvcc", "-O3", "-arch=native", "-o", program, SOURCE], check=True)
    lines = "".join(" ".join(map(str, [int(r["op"] == "cp_async_cg"), r["bytes"], r.get("form", 0)] +
                                 [-1 if at is None else at for at in r["shared"] + r["global"]] +
                                 [size or 0 for size in r.get("src_size", [0] * 32)])) + "\n" for r in records)
    text = subprocess.run(["ncu", "--csv", "--page", "raw", "--metrics", ",".join(METRICS), program], input=lines,
                          text=True, capture_output=True, check=True).stdout
    table = list(csv.DictReader(io.StringIO(text[text.index('"ID"'):])))[1:]  # the first row has the units
    for record, row in zip(records, table, strict=True):
        record["counters"] = {name.removesuffix(".sum"): int(float(row[name].replace(",", "") or 0)) for name in METRICS}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--patterns", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    records = list((few if options.few else patterns)(options.patterns, options.seed))
    if options.sizes:
        records = list(sized(records, options.seed))
    with tempfile.TemporaryDirectory() as folder:
        counted(records, pathlib.Path(folder))
    out = pathlib.Path(options.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"what": "one warp, one instruction a launch; addresses in bytes", "records": records}))
    results = json.loads(subprocess.run([f"{options.bin}/warplens-cli", "analyze", "--json", out], check=True,
                                        capture_output=True, text=True).stdout)["results"]
    wrong = open_ones = agree = 0
    for record, result in zip(records, results, strict=True):
        counters = record["counters"]
        what = f'{record["op"]} {record["bytes"]} B, {record["pattern"]}'
        sectors, wavefronts = counters[METRICS[1]], counters[METRICS[0]]
        if result["sectors"] != sectors:
            wrong += 1
            print(f'{what}: {result["sectors"]} sectors predicted, {sectors} counted')
        if result["wavefronts_exact"] and result["wavefronts"] != wavefronts:
            wrong += 1
            print(f'{what}: {result["wavefronts"]} wavefronts predicted as exact, {wavefronts} counted')
        if not result["wavefronts_exact"]:
            open_ones += 1
            agree += result["wavefronts"] == wavefronts
            if result["wavefronts"] != wavefronts:
                print(f'{what}: about {result["wavefronts"]} wavefronts, {wavefronts} counted')
    print(f"{len(records)} patterns: {wrong} wrong; {open_ones} not said to be exact, of which {agree} agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
