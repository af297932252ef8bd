"""Recorded packs (docs/measurement.md), and what warplens-cli predicts of each launch in them."""
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODES = {"as_written": "written", "as_optimised": "optimised"}


def load(files):
    """The packs of one GPU as one; a launch that two of them hold is one measurement."""
    packs = [read(file) for file in files]
    first = packs[0]
    seen = {}
    for file, pack in zip(files, packs):
        if any(pack["device"][name] != first["device"][name] for name in ("name", "driver")):
            sys.exit(f"{file} was measured on another GPU or driver ({provenance(pack)}) than {files[0]} ({provenance(first)})")
        for measurement in pack["measurements"]:
            seen.setdefault(measurement["key"], measurement)
    peaks = {"peaks": pack["peaks"] for pack in reversed(packs) if "peaks" in pack}
    return {**first, **peaks, "when": max(pack["when"] for pack in packs), "measurements": list(seen.values())}


def read(file):
    try:
        pack = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        sys.exit(f"{file}: {wrong}")
    if not isinstance(pack, dict) or pack.get("schema") != "warplens.pack/1":
        sys.exit(f"{file}: is no recorded pack: its schema is not warplens.pack/1")
    pack["when"] = max((m["when"] for m in pack["measurements"]), default="")
    return pack


def provenance(pack):
    device = pack["device"]
    return f"{device['name']}, driver {device['driver']}, CUDA {device['cuda']}, {pack['when'][:10]}"


def names_of(files):
    return " ".join(pathlib.Path(file).name for file in files)


def median_of(samples):
    """Seconds, as the program has it: the middle of what was sampled, or between the two in the middle."""
    times = sorted(samples.get("samples") or [ns / 1e9 for ns in samples.get("samples_ns", [])])
    if not times:
        return 0
    at = 0.5 * (len(times) - 1)
    below = int(at)
    above = min(below + 1, len(times) - 1)
    return times[below] + (times[above] - times[below]) * (at - below)


def scenario_of(measurement):
    return (measurement.get("scenario") or {}).get("name", "")


def parameters_of(measurement):
    return dict(sorted(((measurement.get("scenario") or {}).get("parameters") or {}).items()))


def words_of(parameters):
    return ", ".join(f"{name} {value}" for name, value in parameters.items())


def mode_of(measurement):
    return measurement["subject"]["mode"]


def counts_of(measurement):
    return measurement.get("counters", {}).get("values", {})


def order_of(measurement, kernel):
    """The gallery by name, parameters and mode; kernels of files behind it."""
    return (scenario_of(measurement) == "", kernel, list(parameters_of(measurement).items()),
            list(MODES).index(mode_of(measurement)))


def count_text(value):
    """2097152 -> 2,097,152"""
    return f"{int(value):,}" if value >= 0 and value == math.floor(value) and value < 1e18 else f"{value:.2f}"


class Kernels:
    """The .cu files of folders, by what is in them: the kernels of measurements that are of no scenario."""

    def __init__(self, folders):
        self.by_hash = {}
        for folder in folders:
            if not pathlib.Path(folder).is_dir():
                sys.exit(f"{folder}: is no folder")
            for file in sorted(pathlib.Path(folder).glob("*.cu")):
                self.by_hash["sha256:" + hashlib.sha256(file.read_bytes()).hexdigest()] = file

    def target(self, measurement):
        """TARGET and options of exactly the launch that was measured; None: its text is not at hand."""
        name = scenario_of(measurement)
        if name:
            return [name] + [word for p, v in parameters_of(measurement).items() for word in ("--set", f"{p}={v}")]
        subject = measurement["subject"]
        file = self.by_hash.get(subject.get("text_hash"))
        if file is None:
            return None
        words = [str(file), "--kernel", subject["kernel"], "--shared", str(subject.get("shared_bytes", 0))]
        for option in ("grid", "block"):
            words += ["--" + option, ",".join(map(str, subject[option]))]
        if subject.get("template"):
            words += ["--template", ",".join(subject["template"])]
        for name, value in (subject.get("defines") or {}).items():
            words += ["--define", f"{name}={value}"]
        for argument in subject["arguments"]:
            fill = argument.get("fill", "zero")
            if argument.get("range"):
                fill += "({},{})".format(*argument["range"])
            value = f"@{argument['elements']}:{fill}" if "elements" in argument else argument["value"]
            words += ["--set", f"{argument['name']}={value}"]
        return words


class Program:
    """warplens-cli, asked of many launches at once."""

    def __init__(self, binary):
        self.binary = str(binary)
        self.folder = tempfile.TemporaryDirectory(prefix="warplens-tools-")

    def ask(self, *words):
        """(exit code, what it printed as JSON or None, its words on standard error)"""
        ran = subprocess.run([self.binary, *words, "--seconds", "3600", "--json"], capture_output=True, text=True, encoding="utf-8")
        return ran.returncode, json.loads(ran.stdout) if ran.stdout else None, ran.stderr.strip().removeprefix("warplens-cli: ")

    def measurement_file(self, pack, measurement):
        """The measurement alone, as `--against` reads it; where the pack has its GPU's peaks, as a pack with them."""
        file = pathlib.Path(self.folder.name) / f"{measurement['key']}.json"
        document = {**measurement, "schema": "warplens.measurement/1", "device": pack["device"]}
        if "peaks" in pack:
            document = {"schema": "warplens.pack/1", **{name: pack[name] for name in ("device", "peaks")},
                        "measurements": [measurement]}
        file.write_text(json.dumps(document), encoding="utf-8")
        return str(file)

    def all(self, work, items):
        """work(item) of each, in their order, as many at a time as there are processors."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(work, items))


def add_options(parser):
    parser.add_argument("packs", nargs="+", metavar="PACK", help="recorded packs of one GPU")
    parser.add_argument("--cli", default=ROOT / "build/release/bin/warplens-cli", help="the program (build/release/bin/warplens-cli)")
    parser.add_argument("--page", help="write the table, as Markdown")
    parser.add_argument("--check", metavar="PAGE", help="fail where PAGE is not what would be written")


def write(file, text):
    if file:
        pathlib.Path(file).write_text(text, encoding="utf-8")


def differs(file, text):
    """Whether a page that is kept is another one: told, with the first line that is."""
    kept = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    made = text.splitlines()
    for number, (old, new) in enumerate(zip(kept + [""] * len(made), made + [""] * len(kept)), 1):
        if old != new:
            print(f"{file}:{number}: is to be made anew (--page {file}):\n- {old}\n+ {new}", file=sys.stderr)
            return True
    return False
