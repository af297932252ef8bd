#!/usr/bin/env python3
"""Holds the simulator's counts against the hardware's, kernel by kernel, on a machine with an NVIDIA GPU and ncu.

  tests/gpu/ncu_check.py --bin build/release/bin --out ncu_check.md [--json ncu_check.json] [--ncu PATH]

Every target is compiled as written and launched once under Nsight Compute, by warplens-gpu itself, and once more
without it for the times and for CUPTI's counters. Exit code 0: requests, sectors and shared wavefronts are equal in
every row. Needs Python's standard library alone.
"""
import argparse
import csv
import json
import os
import subprocess
import sys

GLOBAL = {
    ("load", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    ("store", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    ("load", "sectors"): "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    ("store", "sectors"): "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    ("atomic", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    ("atomic", "sectors"): "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    ("reduction", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    ("reduction", "sectors"): "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
}
SHARED = {
    ("load", "requests"): "smsp__inst_executed_op_shared_ld_pred_on_any.sum",
    ("store", "requests"): "smsp__inst_executed_op_shared_st_pred_on_any.sum",
}
# The exact figure, over all shared instructions; the pipe's own counters read a little higher (arbitration).
WAVEFRONTS = "memory_l1_wavefronts_shared"
PIPE_WAVEFRONTS = {
    "load": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "store": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}
SASS_WAVEFRONTS = {
    "load": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "store": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}
DURATION = "gpu__time_duration.sum"

TRANSPOSES = ["transpose_naive_row", "transpose_naive_col", "transpose_shared", "transpose_padded",
              "transpose_swizzle", "transpose_unroll2"]


def targets():
    """Lists of words behind `warplens-cli report`."""
    found = []
    for name in ["copy_row", "copy_col"] + TRANSPOSES:
        for rows, cols in [(1024, 1024), (1000, 1537)]:
            found.append([name, "--set", f"nrows={rows}", "--set", f"ncols={cols}"])
    for name in ["transpose_shared", "transpose_unroll2"]:
        for block in ["32,32", "32,8", "16,16", "8,32", "64,4", "8,8", "1,128"]:
            for pad in [0, 1, 2]:
                found.append([name, "--set", "nrows=1024", "--set", "ncols=1024", "--block", block, "--set", f"pad={pad}"])
    for size in [1, 2, 4, 8, 16]:
        found.append(["copy", "--set", "n=1048576", "--set", f"element={size}"])
    for offset in [1, 8]:
        found.append(["copy_offset", "--set", "n=1048576", "--set", f"offset={offset}"])
    for stride in [2, 8, 32]:
        found.append(["copy_stride", "--set", "n=1048576", "--set", f"stride={stride}"])
    return found


def gallery(cli, known):
    """Scenarios that the list above does not name, at their defaults."""
    answer = subprocess.run([cli, "list", "scenarios", "--json"], capture_output=True, text=True, check=True)
    document = json.loads(answer.stdout)
    names = [entry["name"] if isinstance(entry, dict) else entry for entry in document["scenarios"]]
    return [[name] for name in names if name not in known]


def run_cli(cli, words):
    answer = subprocess.run([cli] + words, capture_output=True, text=True)
    if answer.returncode != 0:
        print(f"left out: {' '.join(words)}: {answer.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return answer.stdout


def collect(cli, words):
    """What is asked of the GPU, and what the simulator says, for one target."""
    request = run_cli(cli, ["measure"] + words + ["--samples", "0", "--no-counters", "--no-reference", "--request"])
    report = run_cli(cli, ["report"] + words + ["--json"])
    if request is None or report is None:
        return None
    # Without the disassembler, which ncu would follow too.
    return {"words": " ".join(words), "request": dict(json.loads(request), machine_code=False),
            "report": json.loads(report)}


def ask_gpu(command, rows, path, change):
    """Sends all requests to one warplens-gpu; gives the measurements by row, None where there is none. Where the
    program ends before it has answered all, it is started again behind the request that it did not survive."""
    measurements, answered = [None] * len(rows), 0
    while answered < len(rows):
        with open(path, "w") as out:
            for number in range(answered, len(rows)):
                request = dict(rows[number]["request"], id=number + 1)
                change(request)
                out.write(json.dumps(request) + "\n")
        with open(path) as requests:
            answer = subprocess.run(command, stdin=requests, capture_output=True, text=True)
        last = answered
        for line in answer.stdout.splitlines():
            if not line.startswith("{"):
                continue
            reply = json.loads(line)
            if reply.get("reply") == "measurement":
                measurements[reply["id"] - 1] = reply["measurement"]
            elif reply.get("reply") == "error":
                where = rows[reply["id"] - 1]["words"] if reply.get("id") else "?"
                print(f"{where}: {reply['error'].get('message')}", file=sys.stderr)
            if reply.get("reply") in ("measurement", "error"):
                last = max(last, reply.get("id", 0))
        if last < len(rows):
            print(f"{command[0]} ended (exit code {answer.returncode}) at: {rows[last]['words']}\n"
                  f"{answer.stderr[-1000:]}", file=sys.stderr)
            if "--log-file" in command:
                break  # launches and answers would no longer stand side by side
            last += 1
        answered = last
    return measurements


def read_ncu(path):
    """One dictionary of numbers a launch, in order, from ncu's raw CSV page."""
    with open(path) as log:
        lines = [line for line in log if line.startswith('"')]
    table = list(csv.reader(lines))
    if len(table) < 2:
        return []
    header, launches = table[0], []
    for cells in table[2:]:  # table[1] holds the units
        values = {"Kernel Name": cells[header.index("Kernel Name")]}
        for name, cell in zip(header, cells):
            try:
                values[name] = float(cell.replace(",", ""))
            except ValueError:
                pass
        values["units"] = dict(zip(header, table[1]))
        launches.append(values)
    return launches


def seconds(launch):
    unit = launch["units"].get(DURATION, "")
    scale = {"ns": 1e-9, "nsecond": 1e-9, "us": 1e-6, "usecond": 1e-6, "ms": 1e-3, "msecond": 1e-3}.get(unit, 1e-9)
    return launch.get(DURATION, 0) * scale


def predicted(row):
    totals = row["report"]["totals"]
    expected = {}
    for (op, field), metric in GLOBAL.items():
        expected[metric] = totals["global"].get(op, {}).get(field, 0)
    for (op, field), metric in SHARED.items():
        expected[metric] = totals["shared"].get(op, {}).get(field, 0)
    expected[WAVEFRONTS] = sum(totals["shared"].get(op, {}).get("wavefronts", 0) for op in ["load", "store", "atomic"])
    return expected


def compare(row):
    """[(metric, predicted, measured)] that differ, of those that have to be equal; None: not measured."""
    return [(metric, value, row["ncu"].get(metric)) for metric, value in predicted(row).items()
            if row["ncu"].get(metric) != value]


def number(value):
    return f"{value:,.0f}" if value is not None else "-"


def table(rows, device):
    out = ["# Prediction against hardware counters", "",
           f"{device}. Every kernel as written, launched once under Nsight Compute (`--clock-control none`).",
           "Requests and sectors are those of global loads / stores; wavefronts are those of all shared accesses",
           "(`memory_l1_wavefronts_shared`). Times: Nsight Compute's `gpu__time_duration` against the median of warplens-gpu.", "",
           "| target | requests | sectors | wavefronts: predicted | measured | equal | ncu us | cold us | difference |",
           "|---|--:|--:|--:|--:|:-:|--:|--:|--:|"]
    for row in rows:
        expected, launch = predicted(row), row["ncu"]
        pair = lambda field: " / ".join(number(expected[GLOBAL[(op, field)]]) for op in ["load", "store"])
        ncu_us = seconds(launch) * 1e6
        cold = [f"{row['cold'] * 1e6:.2f}", f"{row['cold'] * 1e6 - ncu_us:+.2f}"] if row["cold"] else ["-", "not timed"]
        out.append(f"| `{row['words']}` | {pair('requests')} | {pair('sectors')} | {number(expected[WAVEFRONTS])} | "
                   f"{number(launch.get(WAVEFRONTS))} | {'yes' if not row['differences'] else '**no**'} | "
                   f"{ncu_us:.2f} | {cold[0]} | {cold[1]} |")
    out += ["", "Differences:", ""]
    lines = [f"- `{row['words']}`: {metric}: predicted {number(value)}, measured {number(measured)}"
             for row in rows for metric, value, measured in row["differences"]]
    out += lines or ["none."]
    out += ["", "## The pipe's counters and CUPTI", "",
            "`pipe` are the wavefronts of shared loads by `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld`, which also count",
            "arbitration with other traffic; `sass` those by `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld`; the",
            "last two columns are read by warplens-gpu itself.", "",
            "| target | predicted | pipe (ncu) | sass (ncu) | pipe (CUPTI) | sass (CUPTI) |", "|---|--:|--:|--:|--:|--:|"]
    for row in rows:
        loads = row["report"]["totals"]["shared"].get("load", {}).get("wavefronts", 0)
        if loads == 0:
            continue
        own = row["counters"].get("values", {})
        out.append(f"| `{row['words']}` | {number(loads)} | {number(row['ncu'].get(PIPE_WAVEFRONTS['load']))} | "
                   f"{number(row['ncu'].get(SASS_WAVEFRONTS['load']))} | {number(own.get(PIPE_WAVEFRONTS['load']))} | "
                   f"{number(own.get(SASS_WAVEFRONTS['load']))} |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--out", default="ncu_check.md")
    parser.add_argument("--json")
    parser.add_argument("--samples", type=int, default=50)
    options = parser.parse_args()
    cli, gpu = os.path.join(options.bin, "warplens-cli"), os.path.join(options.bin, "warplens-gpu")
    wanted = targets()
    wanted += gallery(cli, {words[0] for words in wanted})
    rows = [row for row in (collect(cli, words) for words in wanted) if row]
    lost = len(wanted) - len(rows)

    metrics = list(GLOBAL.values()) + list(SHARED.values()) + list(PIPE_WAVEFRONTS.values()) + \
        list(SASS_WAVEFRONTS.values()) + [WAVEFRONTS, DURATION]
    log = options.out + ".ncu.csv"
    names = "|".join(sorted({row["request"]["subject"]["kernel"] for row in rows}))
    under_ncu = [options.ncu, "--clock-control", "none", "--target-processes", "all", "--csv", "--page", "raw",
                 "--log-file", log, "--kernel-name-base", "function", "--kernel-name", f"regex:^({names})$",
                 "--metrics", ",".join(metrics), gpu, "--batch"]
    launched = ask_gpu(under_ncu, rows, options.out + ".requests", lambda request: None)
    launches = read_ncu(log)
    lost += sum(m is None for m in launched)
    rows = [dict(row, measured=m) for row, m in zip(rows, launched) if m]
    if not rows:
        print("nothing was measured", file=sys.stderr)
        return 2
    if len(launches) != len(rows):
        print(f"ncu saw {len(launches)} launches, warplens-gpu made {len(rows)}: see {log}", file=sys.stderr)
        return 2

    def with_times(request):
        request["samples"] = {"cold": options.samples, "warm": 0, "warm_up": 5}
        request["counters"] = True

    timed = ask_gpu([gpu, "--batch"], rows, options.out + ".requests", with_times)
    for row, launch, measurement in zip(rows, launches, timed):
        row["ncu"] = launch
        row["cold"] = measurement["cold"]["median"] if measurement else None
        row["counters"] = measurement["counters"] if measurement else {}
        row["check"] = row["measured"]["check"]
        row["differences"] = compare(row)
    device = rows[0]["measured"]["device"]
    title = f"{device['name']}, driver {device['driver']}, CUDA {device['cuda']}, {rows[0]['measured']['when'][:10]}"
    with open(options.out, "w") as out:
        out.write(table(rows, title))
    if options.json:
        with open(options.json, "w") as out:
            json.dump([{key: row[key] for key in ["words", "ncu", "cold", "counters", "check", "differences"]} for row in rows], out)
    wrong = [row for row in rows if row["differences"]]
    unchecked = [row for row in rows if row["check"].get("checked") is not True]
    for row in unchecked:
        print(f"output of {row['words']}: {row['check']}", file=sys.stderr)
    print(f"{len(rows)} launches, {len(wrong)} with differences, {len(unchecked)} with output not right, {lost} not measured; "
          f"see {options.out}")
    return 1 if wrong or unchecked or lost else 0


if __name__ == "__main__":
    sys.exit(main())
