#!/usr/bin/env python3
"""A GPU program that misbehaves under a live window: each time the words on screen, and the window goes on.

    check_gpu_faults.py WARPLENS STAND_IN_GPU"""
import pathlib
import sys
import tempfile

from window_driver import App, display

program, stand_in = sys.argv[1:3]
failures = []

# How the stand-in behaves, and what must then stand in the top bar or its tooltip, and in the panel of times.
cases = [
    ("", "Stand-in GPU · live", ""),
    ("no-gpu", "GPU: not available", "no NVIDIA driver"),
    ("other-version", "GPU: not available", "version"),
    ("ends-at-once", "GPU: not available", "Could not resolve hostname"),
    ("only-chatter", "GPU: not available", "no, I am something else"),
    ("garbage", "Stand-in GPU", "not json"),
    ("half-line", "Stand-in GPU", "ended"),
    ("crashes", "Stand-in GPU", "the last word"),
    ("sticky", "Stand-in GPU", "illegal address"),
    ("wrong-field", "Stand-in GPU", "subject"),
    ("wrong", "Stand-in GPU · not measured", "out[17]"),
    ("endless", "Stand-in GPU", "did not end within"),
]


def words(state):
    gpu = state["seen"]["gpu"]
    return gpu["text"], "\n".join([gpu["tooltip"], gpu["trouble"]])


with tempfile.TemporaryDirectory(prefix="warplens_faults_") as folder, display(folder):
    for how, text, why in cases:
        def shown(state):
            top, rest = words(state)
            return top.startswith(text) and why in rest
        app = App(program, pathlib.Path(folder) / f"state_{how}.json", failures,
                  "transpose_shared", "--via", f"{stand_in} {how}")
        app.wait(shown, f"'{how}': \"{text}\" and \"{why}\"")
        # It goes on: padding, and what follows from it.
        pad = app.state["values"]["pad"]
        app.key("p", lambda s: s["values"]["pad"] == pad + 1 and s["seen"]["fresh"], f"'{how}': P afterwards")
        app.quit()
        print(f"{how or 'well'}: {words(app.state)}")
print("\n".join(failures) or "every fault is told, and the window goes on")
sys.exit(1 if failures else 0)
