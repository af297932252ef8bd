#!/usr/bin/env python3
"""Measures the launches of recorded packs, or of plans (tools/plan.py), on the GPU at hand, into one pack.

    tools/record.py -o PACK [FILE...]      all of assets/recorded where no file is named

What is done is kept in PACK.partial, from which it goes on after an interruption; PACK itself is written whole or not at all."""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import packs

MOST_BYTES = 1 << 29  # of a launch's buffers, so that checks stay quick
FEWER = ((100_000_000_000, 7, 1), (10_000_000_000, 20, 2))  # from so many operations on: samples, and launches before them
HOPELESS = ("no_gpu", "no_compiler", "start", "cancelled")  # the next measurement would meet it too


def launches(files):
    """TARGET and mode of each, once."""
    found = {}
    for file in files:
        document = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        if document.get("schema") not in ("warplens.pack/1", "warplens.plan/1"):
            sys.exit(f"{file}: is neither a recorded pack nor a plan")
        for entry in document["measurements"]:
            if "scenario" in entry:  # those of other files cannot be told again
                only = entry.get("subject", {}).get("mode")
                for mode in [only] if only else packs.MODES:
                    found.setdefault((*packs.Kernels([]).target(entry), "--mode", mode))
    return list(found)


def requests(program, wanted):
    """What warplens-gpu is to be asked, each launch once, those of one compiled kernel together; and what cannot be measured."""
    found, left_out = {}, []

    def ask(words):
        return subprocess.run([program, "measure", *words, "--request"], capture_output=True, text=True, encoding="utf-8")

    for words, ran in zip(wanted, packs.Program(program).all(ask, wanted)):
        if ran.returncode != 0:
            left_out.append(" ".join(words) + ": " + ran.stderr.strip().splitlines()[-1])
            continue
        request = json.loads(ran.stdout)
        if sum(a.get("elements", 0) * a.get("element_bytes", 0) for a in request["subject"]["arguments"]) > MOST_BYTES:
            left_out.append(" ".join(words) + ": its buffers are larger than a pack's measurements may be")
            continue
        for operations, samples, warm_up in FEWER:
            if request.get("operations", 0) >= operations:
                request["samples"] = {"cold": samples, "warm": samples, "warm_up": warm_up}
                break
        found.setdefault(key_of(request["subject"]), request)
    return sorted(found.values(), key=lambda r: json.dumps([r["subject"].get(part) for part in
                                                            ("source", "mode", "template", "defines", "grid")])), left_out


def key_of(subject):
    """Everything that is compiled and launched; the text by its hash."""
    return json.dumps({name: value for name, value in subject.items() if name != "text"}, sort_keys=True)


def label_of(request):
    values = [f"{name}={value}" for name, value in sorted(request.get("parameters", {}).items())]
    return " ".join([request.get("scenario", ""), *values, "as", packs.MODES[request["subject"]["mode"]]])


def gpu_command(program, via):
    if via:
        words = shlex.split(via)
        return words if "warplens-gpu" in words[-1] else [*words, "warplens-gpu"]
    if os.environ.get("WARPLENS_GPU"):
        return shlex.split(os.environ["WARPLENS_GPU"])
    beside = pathlib.Path(program).with_name("warplens-gpu")
    return [str(beside) if beside.exists() else shutil.which("warplens-gpu") or sys.exit("warplens-gpu is not here")]


class Gpu:
    """warplens-gpu, started anew where a kernel has ended it."""

    def __init__(self, command):
        self.command, self.child, self.id = command, None, 0

    def ask(self, request, answer):
        """The reply of that kind, or one of kind "error"."""
        if self.child is None or self.child.poll() is not None:
            self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.id += 1
        try:
            print(json.dumps({"schema": "warplens.gpu/1", **request, "id": self.id}), file=self.child.stdin, flush=True)
            for line in self.child.stdout:
                try:
                    reply = json.loads(line)
                except ValueError:
                    continue  # a launcher's greeting
                if isinstance(reply, dict) and reply.get("reply") in (answer, "error"):
                    if reply["reply"] == "error" and reply["error"].get("restart"):
                        self.child.wait()
                    return reply
        except BrokenPipeError:
            pass
        self.child.wait()
        return {"reply": "error", "error": {"kind": "internal", "message": f"{' '.join(self.command)} ended without an answer"}}


def same_gpu(a, b):
    return all(a.get(name) == b.get(name) for name in ("name", "driver", "cuda", "nvrtc"))


def read_partial(file, device):
    """What an earlier run left of this GPU, by what was launched; its last line may be torn."""
    done = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        try:
            measurement = json.loads(line)
        except ValueError:
            continue
        if same_gpu(measurement["device"], device):
            done[key_of(measurement["subject"])] = measurement
    return done


def compact(measurement):
    """As a pack has it: without the device, with whole nanoseconds in place of samples and what follows from them."""
    kept = {name: value for name, value in measurement.items()
            if name not in ("schema", "device", "gb_per_second", "gflop_per_second")}
    for of in (kept, kept.get("reference", {})):
        for name in ("cold", "warm"):
            if name in of:
                whole = {} if of[name].get("complete", True) else {"complete": False}
                of[name] = {"samples_ns": [round(s * 1e9) for s in of[name]["samples"]], **whole}
    return kept


def write_pack(file, title, device, measurements):
    lines = ",\n".join(json.dumps(compact(m), sort_keys=True, separators=(",", ":"), ensure_ascii=False) for m in measurements)
    head = f'{{"schema": "warplens.pack/1",\n"title": {json.dumps(title)},\n"device": {json.dumps(device, sort_keys=True)}'
    draft = file.with_name(file.name + ".draft")
    draft.write_text(f'{head},\n"measurements": [\n{lines}\n]}}\n', encoding="utf-8")
    os.replace(draft, file)


def measure(gpu, wanted, done, partial):
    """What failed, or whose output was not right; `done` gets the measurements."""
    problems = []
    with partial.open("a", encoding="utf-8") as kept:
        if kept.tell() > 0:
            print(file=kept)  # behind a torn line
        for at, request in enumerate(wanted, 1):
            key = key_of(request["subject"])
            if key in done:
                continue
            reply = gpu.ask(request, "measurement")
            if reply["reply"] == "error":
                words = reply["error"]["message"]
                if reply["error"]["kind"] in HOPELESS:
                    sys.exit(f"{words}\nWhat was measured is in {partial}.")
                problems.append(f"{label_of(request)}: {words}")
            else:
                done[key] = measurement = reply["measurement"]
                print(json.dumps(measurement), file=kept, flush=True)
                words = f"{packs.median_of(measurement['cold']) * 1e6:.2f} us cold"
                if measurement["check"].get("checked") is not True:
                    problems.append(f"{label_of(request)}: its output is wrong or was not checked ({measurement['check']['how']})")
            print(f"[{at}/{len(wanted)}] {label_of(request)}: {words}", file=sys.stderr)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="packs or plans; left out: assets/recorded")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="PACK")
    parser.add_argument("--cli", default=packs.ROOT / "build/release/bin/warplens-cli", help="the program (build/release/bin/warplens-cli)")
    parser.add_argument("--via", default="", help='a launcher for warplens-gpu: "ssh host", "srun -p gpu"')
    parser.add_argument("--title", help="of the pack")
    options = parser.parse_args()
    files = options.files or sorted((packs.ROOT / "assets/recorded").glob("*.json"))
    gpu = Gpu(gpu_command(options.cli, options.via))
    hello = gpu.ask({"request": "hello"}, "hello")
    device = hello.get("gpu") or sys.exit(str(hello.get("reason") or hello["error"]["message"]))
    wanted, left_out = requests(options.cli, launches(files))
    for words in left_out:
        print(f"left out: {words}", file=sys.stderr)
    partial = options.output.with_name(options.output.name + ".partial")
    done = read_partial(partial, device)
    try:
        problems = measure(gpu, wanted, done, partial)
    except KeyboardInterrupt:
        sys.exit(f"stopped; what was measured is in {partial}, and the same command goes on from there")
    measured = [done[key] for key in map(lambda r: key_of(r["subject"]), wanted) if key in done]
    for words in problems:
        print(words, file=sys.stderr)
    if not measured:
        sys.exit("there was nothing to measure, or all of it failed")
    write_pack(options.output, options.title or f"gallery on {device['name']}", device, measured)
    partial.unlink()
    print(f"{options.output}: {len(measured)} measurements, {len(problems)} with problems", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
