#!/usr/bin/env python3
"""The tools over recorded packs: test_tools.py WARPLENS-CLI"""
import copy
import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import gallery_ptx  # noqa: E402
import packs  # noqa: E402
import why  # noqa: E402

CLI = sys.argv[1]
TRANSPOSE, GALLERY = (ROOT / f"assets/recorded/h200-{name}.json" for name in ("transpose", "gallery"))
EXACT = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"
LOADS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
PIPE = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"


class Tools(unittest.TestCase):
    RECORDED = {}

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def within(self, name):
        return str(pathlib.Path(self.folder.name) / name)

    def read(self, name):
        return pathlib.Path(self.within(name)).read_text()

    @classmethod
    def recorded(cls, file):
        if file not in cls.RECORDED:
            cls.RECORDED[file] = packs.read(file)
        return cls.RECORDED[file]

    def some(self, wanted=lambda m: packs.scenario_of(m) == "transpose_shared" and packs.mode_of(m) == "as_written",
             file=TRANSPOSE, count=12):
        """The first measurements of a recorded pack that are as the test wants them, to be changed."""
        pack = self.recorded(file)
        found = [m for m in pack["measurements"] if wanted(m)][:count]
        self.assertTrue(found, "no such measurement")
        return {**pack, "measurements": copy.deepcopy(found)}

    def write(self, name, pack):
        pathlib.Path(self.within(name)).write_text(json.dumps(pack))
        return self.within(name)

    def run_tool(self, tool, *words):
        ran = subprocess.run([ROOT / "tools" / tool, *words], capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr

    def correlate(self, pack, *words):
        return self.run_tool("correlate.py", self.write("p.json", pack), "--cli", CLI, "--page", self.within("page.md"), *words)


class Correlate(Tools):
    def test_a_count_that_differs_is_named_and_fails(self):
        pack = self.some()
        packs.counts_of(pack["measurements"][0])[LOADS] += 1
        code, told = self.correlate(pack)
        self.assertEqual(code, 1, told)
        self.assertIn("1 unexplained", told)
        self.assertIn("load sectors: predicted", told)
        self.assertRegex(self.read("page.md"), r"\*\*[\d,]+\*\* .* not explained \|")

    def test_a_known_cause_is_told_as_one(self):
        """What is a cause, and how far it goes, is the program's: tests/cli/check_test.cpp."""
        pack = self.some(lambda m: packs.scenario_of(m) == "transpose_shared" and packs.mode_of(m) == "as_optimised", count=1)
        packs.counts_of(pack["measurements"][0])[EXACT] -= 1
        code, told = self.correlate(pack)
        self.assertEqual(code, 0, told)
        self.assertIn("1 different with a known cause", told)

    def test_the_pipes_own_counters_stand_in_where_a_pack_lacks_the_exact_ones(self):
        pack = self.some(count=1)
        launch = pack["measurements"][0]
        counts = packs.counts_of(launch)
        stores = launch["subject"]["arguments"][0]["elements"] // 32  # one wavefront each
        counts.update({PIPE.format("ld"): counts.pop(EXACT) - stores, PIPE.format("st"): stores, PIPE.format("atom"): 0})
        code, told = self.correlate(pack)
        self.assertEqual(code, 0, told)
        self.assertIn("shared wavefronts (pipe)", self.read("page.md"))

    def test_what_compilers_make_of_the_text_is_no_fault(self):
        """A kernel outside of the gallery, of which compilers make one load where the text has four; counted are eight warps of 16 sectors and
        a store of four."""
        text = """__global__ void weigh(const float4* quads, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = quads[i].x + quads[i].y + quads[i].z + quads[i].w;
}
"""
        file = pathlib.Path(self.within("weigh.cu"))
        file.write_text(text)
        asked = subprocess.run([CLI, "measure", str(file), "--grid", "4", "--block", "64", "--set", "quads=@256", "--set", "out=@256",
                                "--request"], capture_output=True, text=True, check=True)
        subject = json.loads(asked.stdout)["subject"]
        subject["text_hash"] = "sha256:" + hashlib.sha256(subject.pop("text").encode()).hexdigest()
        pack = self.some(count=1)
        launch = pack["measurements"][0]
        del launch["scenario"]
        launch["subject"] = subject
        counts = {"requests": (8, 8), "sectors": (8 * 16, 8 * 4)}
        launch["counters"]["values"] = {f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum": count
                                        for what, both in counts.items() for op, count in zip(("ld", "st"), both)}
        code, told = self.correlate(pack)
        self.assertEqual(code, 1)
        self.assertIn("not in the --sources", told)
        code, told = self.correlate(pack, "--sources", self.folder.name, "--data", self.within("data.json"))
        self.assertEqual(code, 0, told)
        self.assertIn("4 counts: 2 equal, 2 different with a known cause", told)
        self.assertIn("### weigh.cu weigh\n", self.read("page.md"))
        self.assertIn("the compiler makes fewer accesses than the text has", self.read("page.md"))
        counts = json.loads(self.read("data.json"))["rows"][0]["counts"]
        self.assertEqual([(c["predicted"], c["measured"]) for c in counts[:2]], [(4 * 8, 8), (4 * 8 * 16, 8 * 16)])
        launch["counters"]["values"]["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 4 * 8  # fewer sectors alone are no compiler's
        code, told = self.correlate(pack, "--sources", self.folder.name)
        self.assertEqual(code, 1, told)
        self.assertIn("4 counts: 3 equal, 0 different with a known cause, 1 unexplained", told)

    def test_what_cannot_be_counted_again_is_left_out_and_said(self):
        pack = self.some()
        pack["measurements"][0]["counters"]["values"] = {"dram__bytes_read.sum": 1}
        pack["measurements"][1]["scenario"]["name"] = "no_such_scenario"
        pack["measurements"][2]["subject"]["text_hash"] = "sha256:" + 64 * "0"
        code, told = self.correlate(pack, "--svg", self.within("plot.svg"))
        self.assertEqual(code, 0, told)
        self.assertIn("9 measurements, ", told)
        self.assertIn("3 measurements left out", told)
        for words in ("holds no counters to check against", "no_such_scenario", "something else: another kernel text", "](plot.svg)"):
            self.assertIn(words, self.read("page.md"))
        self.assertIn("shared wavefronts", self.read("plot.svg"))

    def test_several_packs_are_one_table(self):
        """A measurement that two packs hold is one row; packs of two GPUs are not one table."""
        one, two, other = self.some(count=3), self.some(count=3), self.some(count=1)
        del one["measurements"][0], two["measurements"][-1]
        other["device"] = {**other["device"], "driver": "1.0"}
        second = self.write("two.json", two)
        code, told = self.correlate(one, second)
        self.assertEqual(code, 0, told)
        self.assertIn("3 measurements", told)
        self.assertIn("correlate.py p.json two.json`", self.read("page.md"))
        code, told = self.correlate(one, self.write("other.json", other))
        self.assertEqual(code, 1)
        self.assertIn("was measured on another GPU or driver", told)

    def test_a_page_that_says_something_else_is_told(self):
        pack = self.some(count=2)
        self.assertEqual(self.correlate(pack)[0], 0)
        page = self.read("page.md")
        self.assertEqual(self.correlate(pack, "--check", self.write_text("kept.md", page))[0], 0)
        code, told = self.correlate(pack, "--check", self.write_text("kept.md", page.replace("2 measurements", "3 measurements", 1)))
        self.assertEqual(code, 1)
        self.assertIn("kept.md:3: is to be made anew", told)

    def write_text(self, name, text):
        pathlib.Path(self.within(name)).write_text(text)
        return self.within(name)


class Pages(Tools):
    def test_all_that_is_recorded_is_in_them(self):
        """No measurement is left out, and no count is unexplained."""
        for gpu, least in (("h200", 1457), ("h100", 271)):
            page = (ROOT / f"docs/measured/correlation-{gpu}.md").read_text()
            pack = packs.load(sorted((ROOT / "assets/recorded").glob(f"{gpu}-*.json")))
            self.assertGreaterEqual(len(pack["measurements"]), least)
            self.assertIn(f"{len(pack['measurements'])} measurements, ", page)
            self.assertIn(" 0 unexplained.", page)
            self.assertNotIn("left out", page.lower())
            self.assertEqual(len(re.findall(r"^\| [^|]* \| (?:written|optimised) \|", page, re.M)), len(pack["measurements"]))


class Compare(Tools):
    def compare(self, one, two):
        return self.run_tool("compare_packs.py", self.write("one.json", one), self.write("two.json", two))

    def test_by_scenario(self):
        one, two = self.some(), self.some()
        for measurement in two["measurements"]:
            measurement["cold"]["samples_ns"] = [2 * ns for ns in measurement["cold"]["samples_ns"]]
        del two["measurements"][-1]
        code, told = self.compare(one, two)
        self.assertEqual(code, 0, told)
        self.assertIn("12 measurements, 1 only here", told)
        self.assertRegex(told, r"transpose_shared +as_written +B +11 +2\.000 +2\.000 +2\.000 +same requests and sectors")
        self.assertEqual(self.run_tool("compare_packs.py", self.within("one.json"), self.within("nothing.json"))[0], 1)

    def test_without_wrong_results(self):
        two = self.some()
        for measurement in two["measurements"]:
            measurement["check"]["checked"] = False
        self.assertIn("they share no measurement", self.compare(self.some(), two)[1])


class GalleryPtx(unittest.TestCase):
    def test_choices_are_those_of_the_tests_and_of_the_packs(self):
        choices = set(gallery_ptx.choices())
        self.assertIn(("transpose_shared", "--set", "pad=1"), choices)
        self.assertGreater(len({choice[0] for choice in choices}), 60)

    def test_what_comes_with_the_program_is_whole(self):
        plain = gzip.decompress((ROOT / "assets/compiled/gallery.gz").read_bytes())
        compiler, rest = plain.split(b"\n", 1)
        self.assertRegex(compiler.decode(), r"^nvcc \d+\.\d+\.\d+$")
        keys = set()
        while rest:
            head, rest = rest.split(b"\n", 1)
            key, size = head.decode().split()
            text, rest = rest[: int(size)], rest[int(size):]
            self.assertRegex(key, "^[0-9a-f]{32}$")
            self.assertIn(b".entry", text)
            keys.add(key)
        self.assertGreater(len(keys), 400)


class Plan(Tools):
    def plan(self, *words):
        code, told = self.run_tool("plan.py", *words)
        self.assertEqual(code, 0, told)
        return [(m["scenario"]["name"], m["scenario"]["parameters"]) for m in json.loads(told)["measurements"]]

    def test_all_holds_every_default_every_choice_and_products_at_every_size(self):
        launches = self.plan("all")
        rows = {}
        for file in (ROOT / "kernels").glob("*.scenario.json"):
            document = json.loads(file.read_text())
            parameters = document.get("parameters", [])
            defaults = {p["name"]: p["default"] for p in parameters}
            self.assertIn((document["name"], defaults), launches)
            for parameter in parameters:
                for choice in parameter.get("choices", []):
                    self.assertIn((document["name"], {**defaults, parameter["name"]: choice}), launches)
            if {"m", "n", "k"} <= defaults.keys():
                rows[document["name"]] = {values["m"] for name, values in launches if name == document["name"]}
        self.assertEqual(len(rows), 18)  # ten single, two double, six half
        for name, sizes in rows.items():
            self.assertLessEqual({1000, 1024, 2048, 4096}, sizes, name)

    def test_a_ladder_is_over_sizes_shapes_and_padding(self):
        launches = self.plan("transpose")
        for x, y in ((32, 32), (32, 16), (1, 128), (64, 4)):
            for pad in (0, 1, 2):
                values = {"block_x": x, "block_y": y, "ncols": 1537, "nrows": 1000, "pad": pad}
                self.assertIn(("transpose_shared", values), launches)
        self.assertIn("copy_row", {name for name, _ in launches})

    def test_what_is_recorded_may_be_left_out(self):
        self.assertLess(len(self.plan("all", "--missing")), len(self.plan("all")) / 3)
        self.assertEqual(self.run_tool("plan.py", "nobody")[0], 1)


def made_up(scenario, l1, measured_l1, l2, measured_l2, seconds=None, bounds=()):
    """Of 1000 sectors loaded: what L1 and L2 answer, modelled and measured, in percent."""
    return why.Row({"scenario": {"name": scenario, "parameters": {}}, "subject": {"mode": "as_written"},
                    "counters": {"values": {LOADS: 1000, "lts__t_sectors_srcunit_tex_op_read.sum": 1000 - 10 * measured_l1,
                                            "lts__t_sectors_srcunit_tex_lookup_hit.sum": measured_l2,
                                            "lts__t_sectors_srcunit_tex_lookup_miss.sum": 100 - measured_l2}}},
                   {"l1": {"load_sectors": 1000, "hit_rate": l1 / 100}, "l2": {"hit_rate": l2 / 100},
                    "dram": {"read_bytes": 0, "write_bytes": 0}, "measured_seconds": seconds,
                    "bounds": [{"resource": resource, "seconds": s} for resource, s in bounds]})


class Caches(unittest.TestCase):
    PACK = {"device": {"name": "G", "driver": "1", "cuda": "12"}, "when": "2026-11-27T00", "measurements": []}

    def test_errors_are_means_of_either_sign(self):
        rows = [made_up("a", 50, 53, 20, 30), made_up("b", 41, 40, 60, 54)]
        for got, expected in zip(why.cache_errors(rows), (2, 8)):
            self.assertAlmostEqual(got, expected)
        rows.append(made_up("stores only", 0, 0, 50, 50))
        rows[-1].loads = False
        for got, expected in zip(why.cache_errors(rows), (2, 16 / 3)):
            self.assertAlmostEqual(got, expected)

    def test_what_is_spilled_is_named_and_not_of_the_mean(self):
        rows = [made_up("a", 50, 53, 20, 30)]
        self.assertNotIn("spilled", why.caches(self.PACK, rows, 0, [])[0])
        summary, _, good = why.caches(self.PACK, rows + [made_up("b", 50, -9000, 20, 30)], 4, [])
        self.assertEqual(summary, "2 measurements; mean absolute error 3.00 points for the L1 hit rate, 10.00 for L2, without 1 whose "
                                  "registers are spilled; 4 measurements left out")
        self.assertFalse(good)
        self.assertTrue(why.caches(self.PACK, [made_up("a", 50, 53, 20, 24)], 0, [])[2])

    def test_the_kernel_that_is_furthest_off_comes_first(self):
        rows = [made_up("far", 50, 40, 20, 20), made_up("near", 50, 49, 20, 26), made_up("near", 50, 53, 20, 28)]
        page = why.caches(self.PACK, rows[1:] + rows[:1], 0, [])[1]
        self.assertIn("| far | 1 | 10.0 | 0.0 |\n| near | 2 | 2.0 | 7.0 |\n", page)
        self.assertIn("**50.0 / 40.0**", page)
        self.assertIn("| 50.0 / 49.0 |", page)

    def test_what_exceeds_the_time(self):
        rows = [made_up("a", 0, 0, 0, 0, 1, [("dram", seconds)]) for seconds in (0.5, 1.02, 1.04)] + [made_up("not timed", 0, 0, 0, 0)]
        summary, page, good = why.bounds(self.PACK, rows, 0, [])
        self.assertTrue(summary.startswith("4 measurements; 1 bounds above 103 %"), summary)
        self.assertFalse(good)
        self.assertIn("| a |  | as_written | 1000000.00 | | **104** | | | | | | | |\n", page)


def launch(milliseconds, dram, l2, l1, issue):
    """2 GHz, each resource busy for that share, by peaks of 1e12 bytes and 1e11 sectors a second, 100 wavefronts and 400
    instructions a cycle."""
    seconds = milliseconds / 1000
    cycles = seconds * 2e9
    share = "{}.avg.pct_of_peak_sustained_elapsed".format
    return {"clocks": {"sm_mhz": [2000, 2000]}, "counters": {"values": {
        "gpu__time_duration.sum": seconds * 1e9, "sm__cycles_elapsed.max": cycles,
        "dram__bytes_read.sum": 0.75 * dram * seconds * 1e12, "dram__bytes_write.sum": 0.25 * dram * seconds * 1e12,
        share("dram__throughput"): 100 * dram, "lts__t_sectors.sum": l2 * seconds * 1e11, share("lts__t_sectors"): 100 * l2,
        "l1tex__data_pipe_lsu_wavefronts.sum": l1 * cycles * 100, share("l1tex__data_pipe_lsu_wavefronts"): 100 * l1,
        "smsp__inst_executed.sum": issue * cycles * 400, share("sm__inst_executed"): 100 * issue}}}


class Busiest(unittest.TestCase):
    def test_peaks_follow_from_long_launches_alone(self):
        brief = launch(0.01, 0.5, 0.5, 0.5, 0.5)  # its passes were ten times as long
        counts = packs.counts_of(brief)
        counts.update({name: value / 10 for name, value in counts.items() if name.endswith("elapsed")})
        peaks = why.counted_peaks([launch(1, 0.5, 0.25, 0.5, 0.125), brief, launch(1, 0.001, 0.5, 0.5, 0.5)])
        for got, expected in zip(peaks.values(), (1e12, 1e11, 100, 400)):
            self.assertAlmostEqual(got / expected, 1)
        for seconds in why.counted_seconds(brief, {}, peaks).values():
            self.assertAlmostEqual(seconds / (0.5 * 0.01e-3), 1)

    def test_without_a_long_launch_of_each_there_are_no_peaks(self):
        for launches in ([], [launch(0.01, 0.5, 0.5, 0.5, 0.5)], [launch(1, 0.5, 0.5, 0.5, 0.001)]):
            self.assertIsNone(why.counted_peaks(launches))

    def test_l1_is_the_longer_of_global_and_shared_accesses(self):
        bounds = {"launch": 9, "dram": 1, "l2": 2, "l1": 3, "shared": 5, "atomics": 8, "issue": 4, "fp32": 7}
        self.assertEqual(why.bounded_seconds(bounds), {"dram": 1, "l2": 2, "l1": 5, "issue": 4})

    def test_the_two_may_be_close_or_idle(self):
        dram, l2, nearly, brief = (dict(zip(why.COUNTED, of)) for of in ((5, 3, 1, 1), (3, 5, 1, 1), (4.6, 5, 1, 1), (1, 0, 0, 0)))
        for theirs, ours, seconds, expected in ((dram, dram, 10, "same"), (dram, l2, 10, "other"), (dram, nearly, 10, "tied"),
                                                (nearly, dram, 10, "close"), (dram, l2, 51, "idle"), (brief, l2, 49, "other")):
            self.assertEqual(why.match(theirs, ours, seconds), expected)


class Recorded(Tools):
    """Where one resource is known to take the time, and where the caches' model depends on one of its rules."""

    def row(self, scenario, file=GALLERY, **parameters):
        pack = self.some(lambda m: packs.scenario_of(m) == scenario and packs.mode_of(m) == "as_written"
                         and parameters.items() <= packs.parameters_of(m).items(), file, 9)
        self.assertEqual(len(pack["measurements"]), 1, scenario)
        rows, _ = why.rows_of(packs.Program(CLI), pack)
        self.assertEqual(len(rows), 1, scenario)
        return rows[0]

    def test_bounds_are_tight_where_they_should_be(self):
        for percent, resource, scenario, parameters in (
                (85, "dram", "copy", dict(element=16, n=16777216)), (85, "dram", "copy_unroll", dict(element=8, n=16777216)),
                (85, "l1", "dgemm_tiled", dict(n=1024, pad=0, tile=16)), (85, "l1", "sgemm_naive", dict(n=1024, block_x=32, block_y=32)),
                # FP32 is at 79 %: with what is not arithmetic, issuing is longer.
                (80, "issue", "sgemm_warptiled", dict(n=4096)), (80, "atomics", "histogram_global", dict(nbins=1, data=0))):
            row = self.row(scenario, **parameters)
            self.assertEqual(row.why["bound"], resource, scenario)
            self.assertGreaterEqual(100 * row.bounds[resource] / row.seconds, percent, scenario)

    def test_the_model_of_the_caches_knows_its_rules(self):
        narrow = dict(file=TRANSPOSE, block_y=128, block_x=1, ncols=4096, nrows=4096, pad=1)
        odd = dict(file=TRANSPOSE, block_x=8, block_y=32, ncols=1537, nrows=1000, pad=0)
        for points, scenario, parameters in (
                (2, "transpose_unroll2", narrow),  # two loads of a thread stand together: no other warp throws out what they share
                (5, "dgemm_tiled", dict(n=1024, pad=1, tile=16)),  # many blocks, and many waves of them, fall out of step
                (5, "sgemm_tiled", dict(n=4096, tile=32)),
                (2, "transpose_shared", odd)):  # rows that do not begin with a line: neighbours ask for other sectors of it
            self.assertLessEqual(why.cache_errors([self.row(scenario, **parameters)])[0], points, scenario)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
