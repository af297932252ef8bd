#!/usr/bin/env python3
"""Every optimised measurement of recorded packs against its kernel as compiled and as assembled (docs/compiled.md).

    tools/compiled.py PACK... [--page FILE.md] [--sources FOLDER]...

Each launch is counted by `warplens-cli report --compiled`, which asks nvcc: requests and sectors of global memory are the PTX's,
wavefronts of shared memory those of its loads as ptxas joins them, held against what instrumented machine code counted. Takes a
compilation for each instance of a template. Exit 1: a count of global memory differs."""
import argparse
import pathlib
import sys

import packs
from correlate import ALL_WAVEFRONTS, OPERATIONS


class Row:
    def __init__(self, measurement, name, report):
        self.name = f"{name} {packs.words_of(packs.parameters_of(measurement))}".strip()
        totals, counted = report["totals"], packs.counts_of(measurement)
        self.globals, self.shared = [], []
        for operation, suffix in OPERATIONS.items():
            for quantity in ("requests", "sectors"):
                counter = f"l1tex__t_{quantity}_pipe_lsu_mem_global_op_{suffix}.sum"
                found = totals["global"][operation][quantity]
                if operation == "load":  # with which the pipe counts copies past the registers
                    found += totals["global"]["async"]["requests" if quantity == "requests" else "load_sectors"]
                if counter not in counted or not (found or counted[counter]):
                    continue
                is_model = quantity == "sectors" and operation in ("atomic", "reduction")  # at most one off each request
                slack = totals["global"][operation]["requests"] if is_model else 0
                self.globals.append((f"{operation} {quantity}", found, counted[counter], abs(found - counted[counter]) <= slack))
        if counted.get(ALL_WAVEFRONTS) and "warpgroup" not in report.get("uncounted", []):
            found = totals["shared"]["assembled"]["wavefronts"]
            self.shared.append(("shared wavefronts", found, counted[ALL_WAVEFRONTS], found == counted[ALL_WAVEFRONTS]))


def row_of(program, measurement, kernels):
    target = kernels.target(measurement)
    if target is None:
        return "its file is not in the --sources"
    code, report, problem = program.ask("report", *target, "--compiled")
    name = packs.scenario_of(measurement) or measurement["subject"]["kernel"]
    return Row(measurement, name, report) if code == 0 else f"{name}: {problem.splitlines()[-1] if problem else code}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    packs.add_options(parser)
    parser.add_argument("--sources", action="append", default=[], help="a folder with the kernels of measurements that are of no scenario")
    options = parser.parse_intermixed_args()
    program, pack, kernels = packs.Program(options.cli), packs.load(options.packs), packs.Kernels(options.sources)
    measured = [m for m in pack["measurements"] if packs.mode_of(m) == "as_optimised" or m.get("as_written", "").startswith("nothing to do")]
    measured = [m for m in measured if packs.counts_of(m)]
    made = program.all(lambda m: row_of(program, m, kernels), measured)
    rows = [row for row in made if isinstance(row, Row)]
    sums = {}
    different = []
    for kind in ("globals", "shared"):
        counts = [(row, *count) for row in rows for count in getattr(row, kind)]
        sums[kind] = f"{sum(count[-1] for count in counts)} of {len(counts)}"
        different += [f"{row.name}: {what} {packs.count_text(found)} / {packs.count_text(counted)}"
                      for row, what, found, counted, equal in counts if not equal]
    left_out = [f"{word}, {made.count(word)} times" for word in dict.fromkeys(word for word in made if isinstance(word, str))]
    text = (f"# As compiled against hardware counters\n\n{packs.provenance(pack)}. {len(rows)} measurements of optimised builds: {sums['globals']} "
            f"counts of global memory are equal, {sums['shared']} of shared wavefronts as assembled.\n\nMade by `tools/compiled.py "
            f"{packs.names_of(options.packs)}`.\n" + "".join(f"\n- {line} (predicted / counted)" for line in different) +
            "".join(f"\n- left out: {line}" for line in left_out) + "\n")
    packs.write(options.page, text)
    print(text)
    return int(any(not count[-1] for row in rows for count in row.globals))


if __name__ == "__main__":
    sys.exit(main())
