#!/usr/bin/env python3
"""What `report --why` says of recorded launches against what was counted and timed.

    tools/why.py caches PACK... [--page FILE.md] [--check PAGE]    hit rates of L1 and L2 against the model of the caches
    tools/why.py bounds PACK... [--page FILE.md] [--check PAGE]    the least time of each resource against the time

Exit 1: the mean error is above 3.7 points for L1 or 4.5 for L2, the best of those published; more than 1 bound in 200 exceeds
its time by 3 %; or with --check: the page says something else."""
import argparse
import itertools
import sys

import packs

MOST_L1, MOST_L2 = 3.7, 4.5  # points
OVER, ONE_IN = 1.03, 200
RESOURCES = ("launch", "dram", "l2", "l1", "shared", "atomics", "issue", "fp32")


class Row:
    """One launch: what was counted of it, and what `report --why` says."""

    def __init__(self, measurement, why):
        self.measurement, self.why = measurement, why
        self.scenario = packs.scenario_of(measurement)
        counts = packs.counts_of(measurement)
        self.count = lambda name: counts.get(name, 0)
        loads, asked = self.count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), self.count("lts__t_sectors_srcunit_tex_op_read.sum")
        hits, misses = (self.count(f"lts__t_sectors_srcunit_tex_lookup_{what}.sum") for what in ("hit", "miss"))
        self.measured_l1 = (loads - asked) / loads if loads else 0
        self.measured_l2 = hits / (hits + misses) if hits + misses else 0
        # The compiler put registers into local memory: L2 is asked for more than the text loads, which the model cannot know.
        self.spilled = asked > loads
        self.loads = why["l1"]["load_sectors"] != 0
        self.l1, self.l2 = why["l1"]["hit_rate"], why["l2"]["hit_rate"]
        self.bounds = {bound["resource"]: bound["seconds"] for bound in why["bounds"]}
        self.seconds = why.get("measured_seconds")

    def place(self):
        return f"{self.scenario} | {packs.words_of(packs.parameters_of(self.measurement))} | {packs.mode_of(self.measurement)}"


def rows_of(program, pack):
    """(rows, how many were left out: of another text, or whose counters were not read with empty caches)"""
    kernels = packs.Kernels([])

    def row_of(measurement):
        if not packs.scenario_of(measurement) or "lts__t_sectors_srcunit_tex_op_read.sum" not in packs.counts_of(measurement):
            return None
        words = ["report", *kernels.target(measurement), "--why", "--against", program.measurement_file(pack, measurement)]
        code, why, _ = program.ask(*words)
        return Row(measurement, why) if code == 0 else None

    rows = [row for row in program.all(row_of, pack["measurements"]) if row]
    return sorted(rows, key=lambda row: packs.order_of(row.measurement, row.scenario)), len(pack["measurements"]) - len(rows)


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else 0


def cache_errors(rows):
    """Mean absolute errors of L1 and L2 in points; of L1 over launches that load anything. Without what is spilled."""
    rows = [row for row in rows if not row.spilled]
    return (mean(100 * abs(row.l1 - row.measured_l1) for row in rows if row.loads),
            mean(100 * abs(row.l2 - row.measured_l2) for row in rows))


def exceeding(rows):
    return sum(bool(row.bounds) and row.seconds is not None and max(row.bounds.values()) > OVER * row.seconds for row in rows)


# Which resource holds a launch up most, by the bounds and by the counters of Nsight Compute. It gives the percentages of a short
# launch over passes that are longer than the launch, each by another amount, so that they cannot be held against one another.
# The counts can: each is divided by the peak that Nsight Compute goes by, which follows from the count and the percentage of
# launches that are long.
COUNTED = {"dram": (("dram__bytes_read.sum", "dram__bytes_write.sum"), "dram__throughput"),
           "l2": (("lts__t_sectors.sum",), "lts__t_sectors"),
           "l1": (("l1tex__data_pipe_lsu_wavefronts.sum",), "l1tex__data_pipe_lsu_wavefronts"),
           "issue": (("smsp__inst_executed.sum",), "sm__inst_executed")}
OWN_CLOCK = ("dram", "l2")  # their peaks are a second's, those of the others a cycle's
LONG = 200e3  # ns: a pass is hardly longer than the launch
LEAST_PERCENT = 1  # below, the percentage has too few digits
CLOSE, BUSY = 0.9, 0.1


def counted(counts):
    return {name: sum(counts.get(counter, 0) for counter in counters) for name, (counters, _) in COUNTED.items()}


def counted_peaks(measurements):
    """The most of each; None where one has no launch of at least 0.2 ms that keeps it busy for a hundredth of that."""
    found = {name: [] for name in COUNTED}
    for measurement in measurements:
        counts = packs.counts_of(measurement)
        nanoseconds, cycles = counts.get("gpu__time_duration.sum", 0), counts.get("sm__cycles_elapsed.max", 0)
        if nanoseconds < LONG or cycles == 0:
            continue
        for name, count in counted(counts).items():
            percent = counts.get(COUNTED[name][1] + ".avg.pct_of_peak_sustained_elapsed", 0)
            if percent >= LEAST_PERCENT:
                found[name].append(100 * count / percent / (nanoseconds / 1e9 if name in OWN_CLOCK else cycles))
    return {name: sorted(list_)[len(list_) // 2] for name, list_ in found.items()} if all(found.values()) else None


def counted_seconds(measurement, device, peaks):
    clocks = (measurement.get("clocks") or {}).get("sm_mhz")
    hertz = 1e6 * (clocks[1] if clocks else device.get("clocks_mhz", {}).get("sm_most", 0))
    return {name: count / (peaks[name] * (1 if name in OWN_CLOCK else hertz))
            for name, count in counted(packs.counts_of(measurement)).items()}


def bounded_seconds(bounds):
    """L1's data stage serves shared memory, too. Atomics, launch and FP32 have no counterpart."""
    return {"dram": bounds.get("dram", 0), "l2": bounds.get("l2", 0), "l1": max(bounds.get("l1", 0), bounds.get("shared", 0)),
            "issue": bounds.get("issue", 0)}


def match(theirs, ours, seconds):
    """"same"; "tied": it is within a tenth of the longest bound; "close": the longest bound's resource is within a tenth of it,
    by the counters; "other"; "idle": neither has one busy for a tenth of the time, which then says nothing."""
    if max(*theirs.values(), *ours.values()) < BUSY * seconds:
        return "idle"
    first, second = max(theirs, key=theirs.get), max(ours, key=ours.get)
    if first == second:
        return "same"

    def close(of):
        return min(of[first], of[second]) >= CLOSE * max(of[first], of[second])

    return "tied" if close(ours) else "close" if close(theirs) else "other"


def head(title, pack, summary, what, files):
    return f"# {title}\n\n{packs.provenance(pack)}. {summary}.\n\nMade by `tools/why.py {what} {packs.names_of(files)}`.\n\n"


def caches(pack, rows, left_out, files):
    """(summary, page, whether it is good)"""
    l1, l2 = cache_errors(rows)
    spilled = sum(row.spilled for row in rows)
    summary = (f"{len(rows)} measurements; mean absolute error {l1:.2f} points for the L1 hit rate, {l2:.2f} for L2"
               + (f", without {spilled} whose registers are spilled" if spilled else "") + f"; {left_out} measurements left out")
    text = head("What the caches answer: model against counters", pack, summary, "caches", files) + """\
- *L1*: 1 - sectors that L1 asks of L2 (`lts__t_sectors_srcunit_tex_op_read`) / sectors loaded
  (`l1tex__t_sectors_pipe_lsu_mem_global_op_ld`). The lookup counters call a sector that is on its way a miss,
  and do not see what multiprocessors beside one another ask for at once, which L2 is asked for once.
- *L2*: of `lts__t_sectors_srcunit_tex_lookup_hit` and `_miss`; the caches were emptied before the launch.
- *read*, *written*: megabytes of memory (`dram__bytes_*`). Each cell: modelled / measured; bold where they are
  more than 5 points apart.

Mean absolute errors, the furthest off first:

| kernel | measurements | L1, points | L2, points |
|---|---|---|---|
"""
    kernels = [(name, list(of)) for name, of in itertools.groupby(rows, lambda row: row.scenario)]
    for name, of in sorted(kernels, key=lambda kernel: -cache_errors(kernel[1])[0]):
        text += "| {} | {} | {:.1f} | {:.1f} |\n".format(name, len(of), *cache_errors(of))
    text += "\n| kernel | parameters | mode | L1 % | L2 % | read MB | written MB |\n|---|---|---|---|---|---|---|\n"

    def cell(modelled, measured):
        both = f"{100 * modelled:.1f} / {100 * measured:.1f}"
        return f"**{both}**" if abs(modelled - measured) > 0.05 else both

    for row in rows:
        megabytes = [f"{row.why['dram'][of + '_bytes'] / 1e6:.1f} / {row.count(f'dram__bytes_{of}.sum') / 1e6:.1f}"
                     for of in ("read", "write")]
        text += (f"| {row.place()} | {cell(row.l1, row.measured_l1) if row.loads else ''} | {cell(row.l2, row.measured_l2)} | "
                 + " | ".join(megabytes) + " |\n")
    return summary, text, l1 <= MOST_L1 and l2 <= MOST_L2


def bounds(pack, rows, left_out, files):
    peaks = counted_peaks(pack["measurements"])
    summary = f"{len(rows)} measurements; {exceeding(rows)} bounds above 103 % of the measured time"
    timed = [row for row in rows if row.seconds is not None]
    theirs = {id(row): counted_seconds(row.measurement, pack["device"], peaks) for row in timed} if peaks else {}
    if peaks:
        of = [match(theirs[id(row)], bounded_seconds(row.bounds), row.seconds) for row in timed if row.bounds]
        summary += ("; of dram, l2, l1 and issue, where one is busy for a tenth of the time, {} name the same as Nsight Compute's "
                    "counters, {} name it beside another that is about as long, {} one that is about as long by the counters, {} "
                    "another one").format(*(of.count(what) for what in ("same", "tied", "close", "other")))
    summary += f"; {left_out} measurements left out"
    text = head("The least time that each resource needs, against measured times", pack, summary, "bounds", files) + """\
- Each cell: the resource's least time in percent of the measured (cold) time; the longest is bold.
- *counters*: which of dram, l2, l1 and issue has the longest time by Nsight Compute's counters and the peaks that
  it goes by, in percent of the measured time; with = where the bounds have another one and this within a tenth
  of it, so that both are named; in brackets where they have one that is within a tenth of it by the counters;
  bold where they have another one; nothing where none of them is busy for a tenth of the time.

| kernel | parameters | mode | time us |""" + "".join(f" {name} |" for name in RESOURCES) + " counters |\n" + "|---" * 13 + "|\n"
    form = {"same": "{}", "tied": "= {}", "close": "({})", "other": "**{}**", "idle": ""}
    for row in timed:
        text += f"| {row.place()} | {row.seconds * 1e6:.2f} |"
        longest = max(row.bounds.values(), default=0)
        for name in RESOURCES:
            percent = f"{100 * row.bounds.get(name, 0) / row.seconds:.0f}"
            text += "" if name not in row.bounds else f" **{percent}**" if row.bounds[name] == longest else f" {percent}"
            text += " |"
        if peaks:
            counters = theirs[id(row)]
            most = max(counters, key=counters.get)
            cell = f"{most} {100 * counters[most] / row.seconds:.0f}"
            text += " " + form[match(counters, bounded_seconds(row.bounds), row.seconds)].format(cell)
        text += " |\n"
    return summary, text, exceeding(rows) * ONE_IN <= len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("caches", "bounds"))
    packs.add_options(parser)
    options = parser.parse_args()
    pack = packs.load(options.packs)
    rows, left_out = rows_of(packs.Program(options.cli), pack)
    if not rows:
        sys.exit(f"{options.packs[0]}: holds no measurement with counters of empty caches")
    summary, page, good = {"caches": caches, "bounds": bounds}[options.what](pack, rows, left_out, options.packs)
    packs.write(options.page, page)
    print(summary)
    stale = packs.differs(options.check, page) if options.check else False
    return 0 if good and not stale else 1


if __name__ == "__main__":
    sys.exit(main())
