#!/usr/bin/env python3
"""What the app answers on the command line: help, version, mistakes, and machines without display or OpenGL 3.3."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from window_driver import display, end, failures  # noqa: E402

program = sys.argv[1]


def run(*arguments, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.update(environment)
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=env)


def expect(name, result, code, *words):
    said = result.stdout + result.stderr
    if result.returncode != code:
        failures.append(f"{name}: exit {result.returncode}, not {code}: {said}")
    failures.extend(f"{name}: does not say {word!r}: {said}" for word in words if word not in said)


with tempfile.TemporaryDirectory() as folder:
    expect("--help", run("--help"), 0, "--screenshot", "--view", "--set", "TARGET")
    expect("--version", run("--version"), 0, "warplens 0.")
    expect("unknown option", run("--nonsense"), 2, "--nonsense")
    expect("unknown scenario", run("transpose_shred"), 2, 'no scenario "transpose_shred"', "transpose_shared")
    expect("unknown parameter", run("transpose_shared", "--set", "padd=1"), 2, "padd", "pad")
    expect("no number", run("transpose_shared", "--set", "pad=many"), 2, "whole number")
    expect("out of range", run("transpose_shared", "--set", "pad=99"), 2, "from 0 to 32")
    expect("no value", run("transpose_shared", "--set", "pad"), 2, "NAME=VALUE")
    # What is not there is refused, in pictures and before a window opens, and not replaced by what is nearest.
    there = ["transpose_shared", "--screenshot", f"{folder}/a.png", "--size", "640x480"]
    for name, options, word in [
            ("step", ["--step", "99"], "--step 99: warp 0 has"),
            ("step as text", ["--step", "1e1"], "--step: a whole number is needed"),
            ("wavefront", ["--wavefront", "999999"], "--wavefront 999999: the access has"),
            ("warp", ["--warp", "99999"], "warp 99999: the block has"),
            ("block", ["--block", "99999,99999"], "block 99999,99999,0: the grid has"),
            ("lesson step", ["--lesson", "padding", "--lesson-step", "99"], "--lesson-step 99: padding has"),
            ("lesson step without a lesson", ["--lesson-step", "1"], "goes with --lesson"),
            ("keys", ["--keys", "Strg"], "'Strg' names no key"),
            ("moment", ["--at", "inf"], "--at: must be a number from 0"),
            ("turned", ["--then", "pad=99"], "--then pad=99: must be from 0 to 32"),
            ("parameters offered beside all panels", ["--controls", "pad"], "--alone"),
            ("twice", ["--set", "pad=1", "--set", "pad=2"], "pad is given twice"),
            ("overflow", ["--warp", "99999999999999999999"], "--warp: must be from 0")]:
        expect(name, run(*there, *options), 2, word)
    expect("side", run("transpose_shared", "--screenshot", f"{folder}/a.png", "--size", "4294967936x480"), 2, "WIDTHxHEIGHT")
    for place, word in [("warp=9999", "warp 9999"), ("access=99", "access 99"), ("wavefront=99", "wavefront 99"),
                        ("block=9999", "block 9999")]:
        expect(f"pasted {place}", run(f"warplens:transpose_shared#{place}", "--screenshot", f"{folder}/a.png"), 2, word)
    expect("before a window", run("transpose_shared", "--warp", "99999"), 2, "warp 99999: the block has")
    expect("hexadecimal", run("transpose_shared", "--set", "pad=0x1", "--step", "0x1", "--screenshot", f"{folder}/a.png",
                              "--size", "0x280x480"), 0)
    os.mkfifo(f"{folder}/pipe.cu")
    expect("a pipe", run(f"{folder}/pipe.cu"), 2, "is a pipe, not a file")
    escapes = run("x\x1b]0;owned\x07\x1b[31m\x9b")
    expect("a hostile name", escapes, 2, "\\x1b]0;owned\\x07")
    expect("bad size", run("--size", "12", "--screenshot", f"{folder}/a.png"), 2, "WIDTHxHEIGHT")
    expect("bad GPU", run("--gpu", "sm_1", "--screenshot", f"{folder}/a.png"), 2, "--gpu", "sm_61")
    expect("another GPU", run("--gpu", "sm_61", "--screenshot", f"{folder}/a.png", "--size", "800x600"), 0)
    expect("bad block", run("transpose_shared", "--block", "x", "--screenshot", f"{folder}/a.png"), 2, "--block")
    expect("missing file", run(f"{folder}/none.cu"), 2, "none.cu")
    with open(f"{folder}/bad.warplens.json", "w") as file:
        file.write('{"schema": "warplens.session/1", "scenario": ')
    expect("bad session", run(f"{folder}/bad.warplens.json"), 2, "bad.warplens.json", "JSON")
    with open(f"{folder}/empty.cu", "w") as file:
        file.write("int main() { return 0; }\n")
    expect("no kernel", run(f"{folder}/empty.cu"), 2, "__global__")
    with open(f"{folder}/unfinished.cu", "w") as file:
        file.write("__global__ void k(float* a {\n  a[threadIdx.x] = 1;\n}\n")
    # A window shows it (check_busy.py); there is no picture of it.
    expect("a picture of an unfinished kernel", run(f"{folder}/unfinished.cu", "--screenshot", f"{folder}/a.png", "--size", "800x600"),
           2, "expected ')'")
    with open(f"{folder}/mine.cu", "w") as file:
        file.write("template <int B>\n__global__ void mine(float* a, int n) {\n  a[(blockIdx.x * B + threadIdx.x) * 2] = n;\n}\n")
    expect("a kernel of one's own", run(f"{folder}/mine.cu", "--set", "B=32", "--screenshot", f"{folder}/mine.png",
                                        "--size", "800x600"), 0)
    if not os.path.exists(f"{folder}/mine.png"):
        failures.append("a kernel of one's own: no picture")
    expect("nowhere to write", run("--screenshot", "/nonexistent/a.png", "--size", "640x480"), 3, "/nonexistent/a.png")
    expect("no display", run(), 3, "no display", "--screenshot", "warplens-cli")
    with display(folder):  # not xvfb-run, whose own cleaning up can fail beside another one's
        old = subprocess.run([program], capture_output=True, text=True,
                             env={**os.environ, "MESA_GL_VERSION_OVERRIDE": "2.1"})
    expect("OpenGL 2.1", old, 3, "OpenGL 3.3", "LIBGL_ALWAYS_SOFTWARE=1", "warplens-cli")

end("every answer is as it should be")
