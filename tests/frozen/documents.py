"""What tests/frozen/run freezes: for each kind a function that gives the documents' names and how each is made, as lines
"key = value"."""
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
GPUS = ("sm_60", "sm_80", "sm_90")
PADS = (0, 1, 2)
FEW = 8  # a range of so many values is turned through all of them


class Programs:
    def __init__(self, folder):
        self.cli, self.app = folder / "warplens-cli", folder / "warplens"

    def run_cli(self, *arguments):
        return run(self.cli, *arguments)


def run(program, *arguments, **environment):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False, **environment)


def words_of(done):
    """What a program said beside its data, line by line; the place of the tree is nobody's."""
    said = [f"exit = {done.returncode}"] if done.returncode else []
    return said + [f"said = {line}" for line in done.stderr.replace(f"{ROOT}/", "").splitlines()]


# ---- reports ----------------------------------------------------------------------------------------------------------------

def value_text(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def flat(value, path, out):
    if isinstance(value, dict):
        for name, member in value.items():
            flat(member, f"{path}.{name}" if path else name, out)
    elif isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        for i, member in enumerate(value):
            flat(member, f"{path}[{i}]", out)
    else:
        out.append((path, value_text(value).replace("\n", "\\n")))


def report_members(report):
    """A report as pairs; a line's counts by its place and access."""
    # How long it took is nothing of the kernel's. Figures that others published are not the simulator's.
    for name in ("seconds", "published", "gpu"):
        report.pop(name, None)
    lines, out = report.pop("lines", []), []
    flat(report, "", out)
    for line in lines:
        where = (f"line {line.pop('line')}:{line.pop('column')} {line.pop('space')} {line.pop('op')} {line.pop('text')}"
                 f" ({line.pop('bytes_per_lane')} bytes)").replace("\n", " ").replace(" = ", "=")
        flat(line, where, out)
    return out


def report_of(programs, arguments, gpu):
    done = programs.run_cli("report", *arguments, "--json", "--gpu", gpu)
    out = [tuple(line.split(" = ", 1)) for line in words_of(done)]
    if done.returncode == 0:
        out += report_members(json.loads(done.stdout))
    return out


def reports_of(programs, arguments, gpus=GPUS):
    """Of several GPU models as one document: what they have alike stands there once."""
    each = [report_of(programs, arguments, gpu) for gpu in gpus]
    if all(one == each[0] for one in each):
        return [f"{key} = {value}" for key, value in each[0]]
    seen, out = set.intersection(*(set(one) for one in each)), []
    out += [f"{key} = {value}" for key, value in each[0] if (key, value) in seen]
    for gpu, one in zip(gpus, each):
        out += [f"{gpu}: {key} = {value}" for key, value in one if (key, value) not in seen]
    return out


def choices_of(scenario):
    """As it opens; each other choice of each parameter; sizes that do not come out even; all of that with each padding."""
    out = [{}]
    for parameter in scenario.get("parameters", []):
        name, default = parameter["name"], parameter["default"]
        if name == "pad":
            continue
        values = parameter.get("choices")
        if values is None:
            low, high = parameter["minimum"], parameter["maximum"]
            values = range(low, high + 1) if high - low < FEW else []
            if low >= 1 and high > 1024 and default > low:
                values = [default - 1]
        out += [{name: value} for value in values if value != default]
    pads = [p for p in scenario.get("parameters", []) if p["name"] == "pad"]
    if pads:
        out = [{**choice, "pad": pad} for choice in out for pad in pads[0].get("choices", PADS)]
    return out


def scenarios():
    return [json.loads(file.read_text()) for file in sorted((ROOT / "kernels").glob("*.scenario.json"))]


def sets_of(choice):
    return [word for name, value in choice.items() for word in ("--set", f"{name}={value}")]


def reports(programs):
    out = {}
    for scenario in scenarios():
        for choice in choices_of(scenario):
            name = " ".join([scenario["name"], *(f"{key}={value}" for key, value in choice.items())])
            arguments = [scenario["name"], *sets_of(choice)]
            out[name] = lambda arguments=arguments: reports_of(programs, arguments)
    return out


KINDS = {"reports": reports}
