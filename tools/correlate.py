#!/usr/bin/env python3
"""Every measurement of recorded packs against its prediction: requests and sectors of global memory, wavefronts of shared memory.

    tools/correlate.py PACK... [--page FILE.md] [--svg FILE.svg] [--data FILE.json] [--sources FOLDER]... [--check PAGE]

Each launch is counted anew by `warplens-cli check --against`, which refuses a measurement of another text or launch and knows
what explains a difference. Exit 1: a count differs without a known cause, or with --check: the page says something else."""
import argparse
import json
import math
import os
import pathlib
import sys

import packs

OPERATIONS = {"load": "ld", "store": "st", "atomic": "atom", "reduction": "red"}
ALL_WAVEFRONTS = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"
EXACT_WAVEFRONTS = [f"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom", "ldgsts")]
PIPE_WAVEFRONTS = [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")]


class Point:
    """One count of one measurement."""

    def __init__(self, what, rows):
        self.what = what
        self.predicted = sum(row["predicted"] for row in rows)
        self.measured = sum(row["measured"] for row in rows)
        self.equal = self.predicted == self.measured
        self.explained = all(row["passed"] for row in rows)
        self.cause = next((row["note"] for row in rows if row["predicted"] != row["measured"]), "")
        if not self.equal and not self.explained:
            wrong = next(row["note"] for row in rows if not row["passed"])
            self.cause = "not explained" if wrong == "differs" else wrong

    def cell(self):
        """One number: both are equal. Two: predicted / measured, bold unless that is explained."""
        predicted, measured = packs.count_text(self.predicted), packs.count_text(self.measured)
        if self.equal:
            return predicted
        return f"{predicted} / {measured if self.explained else '**' + measured + '**'}"


class Row:
    def __init__(self, measurement, kernel, checked):
        self.measurement, self.kernel = measurement, kernel
        self.parameters = packs.words_of(packs.parameters_of(measurement))
        rows = {row["name"]: row for row in checked["counters"]}
        self.points = []
        for operation, suffix in OPERATIONS.items():
            for quantity in ("requests", "sectors"):
                name = f"l1tex__t_{quantity}_pipe_lsu_mem_global_op_{suffix}.sum"
                if name in rows and (rows[name]["measured"] != 0 or rows[name]["predicted"] != 0):
                    self.points.append(Point(f"{operation} {quantity}", [rows[name]]))
        self.pipe = sum(rows[name]["measured"] for name in PIPE_WAVEFRONTS) if all(n in rows for n in PIPE_WAVEFRONTS) else -1
        exact = [rows[ALL_WAVEFRONTS]] if ALL_WAVEFRONTS in rows else [rows[name] for name in EXACT_WAVEFRONTS if name in rows]
        pipe = [rows[name] for name in PIPE_WAVEFRONTS if name in rows]
        for what, found in (("shared wavefronts", exact), ("shared wavefronts (pipe)", pipe)):
            if found:
                if self.pipe > 0 or any(row["predicted"] or row["measured"] for row in found):
                    self.points.append(Point(what, found))
                break

    def causes(self):
        return "; ".join(dict.fromkeys(p.cause for p in self.points if not p.equal)) or "equal"


class Correlation:
    def __init__(self, program, pack, kernels):
        self.pack, self.rows, self.left_out = pack, [], []
        for measurement, (row, problem) in zip(pack["measurements"], program.all(
                lambda m: self.row_of(program, m, kernels), pack["measurements"])):
            name = packs.scenario_of(measurement) or measurement["subject"]["kernel"]
            if row:
                self.rows.append(row)
            else:
                self.left_out.append(f"{name} {packs.words_of(packs.parameters_of(measurement))}: {problem}")
        self.rows.sort(key=lambda row: packs.order_of(row.measurement, row.kernel))

    def row_of(self, program, measurement, kernels):
        """(the row, None), or (None, why there is none)"""
        target = kernels.target(measurement)
        if target is None:
            return None, "was measured from a file of its own, which is not in the --sources"
        if not packs.counts_of(measurement):
            return None, "no counters: " + measurement.get("counters", {}).get("reason", "")
        words = ["check", *target, "--against", program.measurement_file({"device": self.pack["device"]}, measurement)]
        code, checked, problem = program.ask(*words)
        if checked is None or code > 1:
            return None, problem.splitlines()[-1] if problem else f"exit code {code}"
        kernel = packs.scenario_of(measurement) or f"{os.path.basename(target[0])} {measurement['subject']['kernel']}"
        row = Row(measurement, kernel, checked)
        return (row, None) if row.points else (None, "holds none of the counters that are predicted")

    def points(self):
        return [point for row in self.rows for point in row.points]

    def unexplained(self):
        return [(row, point) for row in self.rows for point in row.points if not point.equal and not point.explained]

    def summary(self):
        equal = sum(point.equal for point in self.points())
        unexplained = len(self.unexplained())
        text = (f"{len(self.rows)} measurements, {len(self.points())} counts: {equal} equal, "
                f"{len(self.points()) - equal - unexplained} different with a known cause, {unexplained} unexplained")
        return text + (f"; {len(self.left_out)} measurements left out" if self.left_out else "")


def section(kernel, rows):
    """One kernel: what it is, and all its rows in a table that opens on a click."""
    names = sorted({point.what for row in rows for point in row.points})
    equal = sum(row.causes() == "equal" for row in rows)
    text = (f"### {kernel}\n\n<details><summary>{len(rows)} measurements, {equal} equal in every count</summary>\n\n"
            f"| parameters | mode |{''.join(f' {name} |' for name in names)} pipe | difference |\n"
            f"|---|---|{'--:|' * len(names)}--:|---|\n")
    for row in rows:
        cells = {point.what: point.cell() for point in row.points}
        pipe = packs.count_text(row.pipe) if row.pipe > 0 else "-"
        text += (f"| {row.parameters} | {packs.MODES[packs.mode_of(row.measurement)]} |"
                 + "".join(f" {cells.get(name, '-')} |" for name in names) + f" {pipe} | {row.causes()} |\n")
    return text + "\n</details>\n\n"


def page(correlation, command, picture, docs):
    text = (f"# Prediction against hardware counters\n\n{packs.provenance(correlation.pack)}. {correlation.summary()}.\n\n"
            f"Made by `tools/correlate.py {command}`: each recorded measurement is simulated again and its counts are put beside the "
            "counters.\n\n")
    if picture:
        text += f"![Predicted across, measured up; equal counts lie on the diagonal]({picture})\n\n"
    text += """- One number: prediction and counter are equal. Two: predicted / measured; bold where that is not explained.
- *requests*, *sectors*: global memory, `l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_*`.
- *shared wavefronts*: loads, stores and atomics together, exact, from instrumented machine code
  (`smsp__sass_l1tex_*pipe_lsu_wavefronts_mem_shared*`), where the pack has it.
- *pipe*: the same by `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_*`, which also counts arbitration with
  other traffic and therefore reads higher, a little differently in each run.
- *written*: every shared access of the text is executed. *optimised*: the compiler may merge and drop them,
  so that shared counts may be lower, and never higher.
- Sectors of global atomics and reductions are a model: explained is at most one off each request.
"""
    text += f"""- Predicted is each access of the text, as written. Where the compiler makes fewer accesses to global memory of it, the counter
  is lower, never higher; what it makes is counted [as compiled]({docs}compiled.md).

"""
    text += "## Kernel by kernel\n\n"
    for kernel in dict.fromkeys(row.kernel for row in correlation.rows):
        text += section(kernel, [row for row in correlation.rows if row.kernel == kernel])
    if correlation.left_out:
        text += "## Left out\n\n" + "".join(f"- {words}\n" for words in correlation.left_out)
    return text


# Rings around each other, since most points share their place on the diagonal: CSS class, label, radius.
SERIES = [("requests", "global requests", 6), ("sectors", "global sectors", 4), ("wavefronts", "shared wavefronts", 2),
          ("pipe", "shared wavefronts with arbitration", 2)]
LEFT, TOP, SIDE = 74, 24, 520


def svg(correlation):
    """Predicted across, measured up, both logarithmic."""
    points = correlation.points()
    most = max([1] + [math.ceil(math.log10(max(1, p.predicted, p.measured))) for p in points])
    least = min(most - 1, math.floor(math.log10(min(max(1, min(p.predicted, p.measured)) for p in points))))

    def along(value):
        return SIDE * (math.log10(max(1, value)) - least) / (most - least)

    def circle(series, x, y):
        return f'<circle class="{series[0]}" cx="{x:.1f}" cy="{y:.1f}" r="{series[2]}"/>'

    def place(value):
        return f"{LEFT + along(value):.1f}", f"{TOP + SIDE - along(value):.1f}"

    text = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + SIDE + 26} {TOP + SIDE + 60}" '
            'font-family="Inter, DejaVu Sans, sans-serif" font-size="13" fill="#1d2430">\n'
            "<style>.grid{stroke:#dfe3ea;fill:none}.requests{fill:none;stroke:#2f6fde}.sectors{fill:none;stroke:#d9822b}"
            ".wavefronts{fill:#1f9d6b}.pipe{fill:#8b95a5}</style>\n"
            '<rect width="100%" height="100%" fill="#ffffff"/>\n')
    for decade in range(least, most + 1):
        x, y = place(10 ** decade)
        label = f'10<tspan dy="-5" font-size="9">{decade}</tspan>'
        text += (f'<path class="grid" d="M{x} {TOP}V{TOP + SIDE}M{LEFT} {y}H{LEFT + SIDE}"/>\n'
                 f'<text x="{x}" y="{TOP + SIDE + 20}" text-anchor="middle">{label}</text>\n'
                 f'<text x="{LEFT - 8}" y="{TOP + SIDE - along(10 ** decade) + 4:.1f}" text-anchor="end">{label}</text>\n')
    text += '<path d="M{} {}L{} {}" stroke="#8b95a5"/>\n'.format(*place(10 ** least), *place(10 ** most))
    line = TOP + 22
    for series in SERIES:
        drawn = sorted({circle(series, LEFT + along(p.predicted), TOP + SIDE - along(p.measured)) for p in points
                        if p.what.rsplit(" ", 1)[-1].strip("()") == series[0]})
        text += "".join(one + "\n" for one in drawn)
        if drawn:
            text += circle(series, LEFT + 18, line - 4) + f'<text x="{LEFT + 32}" y="{line}">{series[1]}</text>\n'
            line += 20
    name = correlation.pack["device"]["name"]
    return text + (f'<text x="{LEFT + SIDE // 2}" y="{TOP + SIDE + 48}" text-anchor="middle">predicted</text>\n'
                   f'<text transform="translate(20 {TOP + SIDE // 2}) rotate(-90)" text-anchor="middle">measured on an {name}</text>\n'
                   "</svg>\n")


def data(correlation):
    rows = []
    for row in correlation.rows:
        entry = {"scenario": packs.scenario_of(row.measurement), "parameters": packs.parameters_of(row.measurement),
                 "mode": packs.mode_of(row.measurement), "holds": all(p.equal or p.explained for p in row.points)}
        if not entry["scenario"]:
            entry["kernel"] = row.kernel
        entry["counts"] = [{"what": p.what, "predicted": p.predicted, "measured": p.measured} for p in row.points]
        if row.pipe >= 0:
            entry["pipe_wavefronts"] = row.pipe
        rows.append(entry)
    pack = correlation.pack
    return {"schema": "warplens.correlation/1", "gpu": pack["device"]["name"], "driver": pack["device"]["driver"],
            "cuda": pack["device"]["cuda"], "when": pack["when"], "rows": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    packs.add_options(parser)
    parser.add_argument("--svg", help="write the plot")
    parser.add_argument("--data", help="write the counts, as JSON")
    parser.add_argument("--sources", action="append", default=[], help="a folder with the kernels of measurements that are of no scenario")
    options = parser.parse_intermixed_args()
    correlation = Correlation(packs.Program(options.cli), packs.load(options.packs), packs.Kernels(options.sources))
    if not correlation.rows:
        sys.exit(f"{options.packs[0]}: holds no measurement that could be counted again\n" + "\n".join(correlation.left_out[:9]))
    place = pathlib.Path(options.page or options.check or ".").resolve().parent
    command = packs.names_of(options.packs) + "".join(f" --sources {folder}" for folder in options.sources)
    kept = pathlib.Path(options.check).with_suffix(".svg") if options.check else None  # the plot beside the page
    kept = kept if kept and kept.exists() else None
    picture = os.path.relpath(options.svg or kept, place) if options.svg or kept else ""
    text = page(correlation, command, picture, os.path.relpath(packs.ROOT / "docs", place) + "/")
    packs.write(options.page, text)
    packs.write(options.svg, svg(correlation))
    packs.write(options.data, json.dumps(data(correlation)) + "\n")
    print(correlation.summary())
    for row, point in correlation.unexplained():
        print(f"{row.kernel} {row.parameters} ({packs.mode_of(row.measurement)}): {point.what}: predicted "
              f"{packs.count_text(point.predicted)}, measured {packs.count_text(point.measured)}: {point.cause}", file=sys.stderr)
    stale = [packs.differs(file, made) for file, made in ((options.check, text), (kept, svg(correlation))) if file]
    return 1 if correlation.unexplained() or any(stale) else 0


if __name__ == "__main__":
    sys.exit(main())
