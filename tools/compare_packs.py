#!/usr/bin/env python3
"""Recorded packs side by side: how the times of what they share compare with the first, scenario by scenario.

    tools/compare_packs.py A.json B.json..."""
import argparse
import math
import sys

import packs


def median(measurement):
    """The cold time; 0 where the output was wrong: a wrong result's time is no time."""
    if measurement.get("check", {}).get("checked") is False:
        return 0
    return packs.median_of(measurement["cold"])


def same_counters(here, first):
    """Requests and sectors of global memory."""
    counts = packs.counts_of(here)
    return all(counts.get(name, value) == value for name, value in packs.counts_of(first).items() if name.startswith("l1tex__t_"))


def rows_of(first, pack):
    """(scenario, mode), ratios of times, and how many have other requests or sectors"""
    known = {m["key"]: m for m in first["measurements"]}
    rows = {}
    for measurement in pack["measurements"]:
        other = known.get(measurement["key"])
        if other is None or median(measurement) <= 0 or median(other) <= 0:
            continue
        ratios, differ = rows.setdefault((packs.scenario_of(measurement), packs.mode_of(measurement)), ([], []))
        ratios.append(median(measurement) / median(other))
        differ += [] if same_counters(measurement, other) else [measurement]
    return sorted(rows.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packs", nargs="+")
    files = parser.parse_args().packs
    if len(files) < 2:
        sys.exit("two packs or more are needed")
    read = [packs.read(file) for file in files]
    for letter, file, pack in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", files, read):
        elsewhere = {m["key"] for other in read if other is not pack for m in other["measurements"]}
        only = sum(m["key"] not in elsewhere for m in pack["measurements"])
        print(f"{letter}  {packs.names_of([file])}: {packs.provenance(pack)}, {len(pack['measurements'])} measurements, {only} only here")
    table = [("scenario", "mode", "pack", "shared", "time / A", "least", "most", "")]
    for letter, pack in zip("BCDEFGHIJKLMNOPQRSTUVWXYZ", read[1:]):
        for (scenario, mode), (ratios, differ) in rows_of(read[0], pack):
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            told = f"{len(differ)} with other requests or sectors" if differ else "same requests and sectors"
            table.append((scenario, mode, letter, str(len(ratios)), f"{mean:.3f}", f"{min(ratios):.3f}", f"{max(ratios):.3f}", told))
    if len(table) == 1:
        print("they share no measurement")
        return 0
    widths = [max(map(len, column)) for column in zip(*table)]
    for row in table:
        print("  ".join(cell.rjust(w) if 3 <= i <= 6 else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths))).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
