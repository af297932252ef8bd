#!/usr/bin/env python3
"""Holds warplens-gpu's cold times against Nsight Compute's gpu__time_duration, on a machine with an NVIDIA GPU and ncu.

  tests/gpu/ncu_times.py --bin build/release/bin --out times.md [--json times.json] [--ncu PATH] [--rounds 7]

Nsight Compute flushes and invalidates the caches before each launch (--cache-control all), which is our cold; clocks are
left alone on both sides (--clock-control none). Each kernel is launched several times under ncu, in one process, and
the medians are compared. Exit code 0: every one within 3 % or 1 us. Needs Python's standard library alone.
"""
import argparse
import json
import os
import statistics
import sys

import ncu_check

TARGETS = [
    ["copy_row", "--set", "nrows=1024", "--set", "ncols=1024"],
    ["copy_row", "--set", "nrows=4096", "--set", "ncols=4096"],
    ["copy", "--set", "n=16777216", "--set", "element=16"],
    ["copy_offset", "--set", "n=4194304", "--set", "offset=1"],
    ["copy_stride", "--set", "n=1048576", "--set", "stride=32"],
    ["transpose_naive_row", "--set", "nrows=2048", "--set", "ncols=2048"],
    ["transpose_naive_col", "--set", "nrows=2048", "--set", "ncols=2048"],
    ["transpose_shared", "--set", "nrows=1024", "--set", "ncols=1024", "--set", "pad=0"],
    ["transpose_shared", "--set", "nrows=4096", "--set", "ncols=4096", "--set", "pad=1"],
    ["transpose_swizzle", "--set", "nrows=2048", "--set", "ncols=2048"],
    ["transpose_unroll2", "--set", "nrows=2048", "--set", "ncols=2048"],
    ["gather"],
    ["sum_aos"],
    ["reduce_sequential"],
    ["sgemm_naive"],
    ["sgemm_tiled"],
]


def limit(ncu):
    return max(0.03 * ncu, 1e-6)


def under_ncu(options, gpu, rows, caches):
    """Per row, the durations in seconds of its last launches, behind our own flush each. `caches` is what Nsight Compute
    does on top: "all", flush and invalidate; "none", so that it measures with the caches as Warplens leaves them.
    Everything else is as where Warplens measures by itself: above all the buffers, whose place in memory alone makes a
    tenth of a strided kernel's time."""
    log = f"{options.out}.{caches}.ncu.csv"
    names = "|".join(sorted({row["request"]["subject"]["kernel"] for row in rows}))
    command = [options.ncu, "--clock-control", "none", "--cache-control", caches, "--target-processes", "all", "--csv",
               "--page", "raw", "--log-file", log, "--kernel-name-base", "function", "--kernel-name", f"regex:^({names})$",
               "--metrics", ncu_check.DURATION, gpu, "--batch"]

    def change(request):
        request.pop("check", None)
        request.update(simulate_for_check=False, counters=False, flush="read",
                       samples={"cold": options.rounds, "warm": 0, "warm_up": 1})

    ncu_check.ask_gpu(command, rows, options.out + ".requests", change)
    launches = ncu_check.read_ncu(log)
    each = len(launches) // len(rows)
    if each < options.rounds or each * len(rows) != len(launches):
        print(f"ncu saw {len(launches)} launches of {len(rows)} kernels: see {log}", file=sys.stderr)
        return [[] for _ in rows]
    durations = [ncu_check.seconds(launch) for launch in launches]
    return [durations[(i + 1) * each - options.rounds:(i + 1) * each] for i in range(len(rows))]


def timed(gpu, rows, options, flush):
    def change(request):
        request["samples"] = {"cold": options.samples, "warm": 0, "warm_up": 5}
        request["flush"] = flush

    return ncu_check.ask_gpu([gpu, "--batch"], rows, options.out + ".requests", change)


def agrees(row):
    return abs(row["cold"] - row["ncu"]) <= limit(row["ncu"])


def cells(row):
    ncu, cold, writing = row["ncu"], row["cold"], row["cold_writing"]
    difference = cold - ncu
    own = f"{row['ncu_own'] * 1e6:.2f}" if row.get("ncu_own") else "-"
    return (f"| `{row['words']}` | {ncu * 1e6:.2f} | {row['ncu_spread'] * 100:.1f} % | {cold * 1e6:.2f} | "
            f"{row['spread'] * 100:.1f} % | {difference * 1e6:+.2f} | {difference / ncu * 100:+.1f} % | "
            f"{'yes' if agrees(row) else '**no**'} | {own} | {writing * 1e6:.2f} |")


def table(rows, device, first):
    within = sum(agrees(row) for row in rows)
    return "\n".join([
        "# Times against Nsight Compute", "",
        f"{device['name']}, driver {device['driver']}, CUDA {device['cuda']}, {first['when'][:10]}. Nsight Compute:",
        "`gpu__time_duration`, median of several launches, `--cache-control all --clock-control none`. Warplens: CUDA events",
        "around a launch after a flush of the L2 cache, median of all samples, less what the events read for nothing at all.", "",
        f"{within} of {len(rows)} within 3 % or 1 µs. An empty kernel reads {first['event_floor'] * 1e6:.2f} µs by the same events, nothing at all",
        f"{first.get('event_pair', 0) * 1e6:.2f} µs; {first.get('subtracted', 0) * 1e6:.2f} µs are taken off. *ncu after our flush*: `--cache-control none`, behind the flush that Warplens",
        "uses, so that only the clocks differ. *Flush by writing* leaves the cache full of changed lines, which the kernel then",
        "pays to write back: shown for comparison, not used.", "",
        "Both sides run the same program with the same requests, so that the buffers lie where they lay: the naive transpose by",
        "rows of 2048 × 2048 takes 64 to 70 µs on an H200 by where its buffers are alone, whatever the caches hold.", "",
        "| launch | ncu µs | spread | Warplens µs | spread | difference µs | difference | within | ncu after our flush µs | flush by writing µs |",
        "|---|--:|--:|--:|--:|--:|--:|:-:|--:|--:|"] + [cells(row) for row in rows]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--out", default="ncu_times.md")
    parser.add_argument("--json")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    cli, gpu = os.path.join(options.bin, "warplens-cli"), os.path.join(options.bin, "warplens-gpu")
    rows = [row for row in (ncu_check.collect(cli, words) for words in TARGETS) if row]
    for key, caches in [("durations", "all"), ("durations_own", "none")]:
        for row, durations in zip(rows, under_ncu(options, gpu, rows, caches)):
            row[key] = durations
    missed = len(TARGETS) - sum(bool(row["durations"]) for row in rows)
    rows = [row for row in rows if row["durations"]]
    for row in rows:
        row["ncu_own"] = statistics.median(row["durations_own"]) if row["durations_own"] else None
    for key, flush in [("cold", "read"), ("cold_writing", "write")]:
        for row, measurement in zip(rows, timed(gpu, rows, options, flush)):
            row[key] = measurement["cold"]["median"] if measurement else None
            if key == "cold" and measurement:
                row["spread"], row["measurement"] = measurement["cold"]["spread"], measurement
    lost = [row["words"] for row in rows if not row.get("cold") or not row.get("cold_writing")]
    for words in lost:
        print(f"not timed: {words}", file=sys.stderr)
    rows = [row for row in rows if row["words"] not in lost]
    if not rows:
        return 2
    for row in rows:
        row["ncu"] = statistics.median(row["durations"])
        quartiles = statistics.quantiles(row["durations"], n=4) if len(row["durations"]) > 1 else [row["ncu"]] * 3
        row["ncu_spread"] = (quartiles[2] - quartiles[0]) / row["ncu"]
    text = table(rows, rows[0]["measurement"]["device"], rows[0]["measurement"])
    with open(options.out, "w") as out:
        out.write(text)
    if options.json:
        kept = ["words", "durations", "ncu", "ncu_spread", "ncu_own", "cold", "cold_writing", "spread"]
        with open(options.json, "w") as out:
            json.dump([{key: row[key] for key in kept} | {"samples": row["measurement"]["cold"]["samples"]} for row in rows],
                      out)
    outside = [row for row in rows if not agrees(row)]
    print(f"{len(rows)} launches, {len(outside)} outside 3 % or 1 us, {len(lost) + missed} not timed; see {options.out}")
    return 1 if outside or lost or missed else 0


if __name__ == "__main__":
    sys.exit(main())
