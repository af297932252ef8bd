#!/usr/bin/env python3
"""tools/record.py over a stand-in for warplens-gpu: test_record.py WARPLENS-CLI STAND-IN-GPU"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import record  # noqa: E402

CLI, STAND_IN = sys.argv[1:3]
LAUNCH = {"scenario": {"name": "copy", "parameters": {"n": 4096}}}
SMALL = {"scenario": {"name": "transpose_shared", "parameters": {"nrows": 64, "ncols": 64}}}
HUGE = {"scenario": {"name": "sgemm_tiled", "parameters": {"m": 4096, "n": 4096, "k": 4096}}, "subject": {"mode": "as_written"}}


class Record(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.pack, self.partial = self.folder / "pack.json", self.folder / "pack.json.partial"

    def plan(self, *entries):
        file = self.folder / "plan.json"
        file.write_text(json.dumps({"schema": "warplens.plan/1", "measurements": entries}))
        return file

    def record(self, how, *entries):
        ran = subprocess.run([ROOT / "tools/record.py", self.plan(*entries), "-o", self.pack, "--cli", CLI], capture_output=True, text=True,
                             env={**os.environ, "WARPLENS_GPU": f"{STAND_IN} {how}"})
        return ran.returncode, ran.stderr

    def measurements(self):
        return json.loads(self.pack.read_text())["measurements"]

    def test_a_plan_becomes_a_pack_that_the_program_reads(self):
        code, words = self.record("good", LAUNCH, SMALL)
        self.assertEqual(code, 0, words)
        modes = [m["subject"]["mode"] for m in self.measurements()]
        self.assertEqual(sorted(modes), ["as_optimised", "as_written", "as_written"], "copy has no shared memory: one program")
        self.assertEqual(self.measurements()[0]["cold"], {"samples_ns": [4000, 2000, 3000]})
        sound = subprocess.run([CLI, "report", "copy", "--set", "n=4096", "--why", "--against", self.pack], capture_output=True, text=True)
        self.assertEqual(sound.returncode, 0, sound.stderr)
        self.assertFalse(self.partial.exists())

    def test_what_an_earlier_run_left_is_not_measured_again(self):
        self.record("good", LAUNCH)  # a whole run, whose lines become those that were kept
        device = json.loads(self.pack.read_text())["device"]
        kept = [{**m, "device": device, "cold": {"samples": [1e-6]}, "warm": {"samples": []}} for m in self.measurements()]
        self.partial.write_text("".join(json.dumps(m) + "\n" for m in kept) + '{"schema": "warplens.measurement/1", "subj')
        code, words = self.record("good", LAUNCH, SMALL)
        self.assertEqual(code, 0, words)
        self.assertEqual(sorted(m["cold"]["samples_ns"][0] for m in self.measurements()), [1000, 4000, 4000])

    def test_long_launches_get_few_samples_and_other_sizes_do_not(self):
        got, left_out = record.requests(CLI, record.launches([self.plan(HUGE, LAUNCH)]))
        samples = {r["scenario"]: r["samples"]["cold"] for r in got}
        self.assertEqual((samples, left_out), ({"copy": 60, "sgemm_tiled": 7}, []))

    def test_what_goes_wrong_is_told(self):
        code, words = self.record("no-gpu", LAUNCH)
        self.assertEqual((code, "no NVIDIA driver" in words, self.pack.exists()), (1, True, False), words)
        code, words = self.record("sticky", LAUNCH, SMALL)  # it ends each time and is started anew
        self.assertEqual((code, words.count("illegal address"), self.pack.exists()), (1, 6, False), words)
        code, words = self.record("wrong", LAUNCH)
        self.assertEqual((code, "its output is wrong" in words), (1, True), words)
        code, words = self.record("good", LAUNCH, {"scenario": {"name": "nobody"}})
        self.assertEqual((code, "left out: nobody" in words, len(self.measurements())), (0, True, 1), words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
