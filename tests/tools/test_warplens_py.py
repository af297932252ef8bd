#!/usr/bin/env python3
"""tools/warplens.py with stand-ins for Triton, PyTorch and CuPy, and the real warplens-cli: test_warplens_py.py WARPLENS_CLI
(tests/gpu/check_warplens_py.py runs the real ones)."""
import json
import os
import pathlib
import struct
import sys
import tempfile
import time
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import warplens  # noqa: E402

# out[i] = in[index[i]] by 32 threads.
GATHER = """.version 8.0
.target sm_80
.address_size 64
.file 1 "gather.py"
.visible .entry gather(.param .u64 gather_param_0, .param .u64 gather_param_1, .param .u64 gather_param_2, .param .u32 gather_param_3)
.reqntid 32
{
 .reg .b32 %r<4>; .reg .b64 %rd<9>;
 ld.param.u64 %rd1, [gather_param_0]; ld.param.u64 %rd2, [gather_param_1]; ld.param.u64 %rd3, [gather_param_2];
 ld.param.u32 %r3, [gather_param_3];
 .loc 1 4 0
 mov.u32 %r1, %tid.x;
 mul.wide.u32 %rd4, %r1, 4;
 add.s64 %rd5, %rd1, %rd4;
 ld.global.u32 %r2, [%rd5];
 mul.wide.u32 %rd6, %r2, 4;
 add.s64 %rd7, %rd2, %rd6;
 ld.global.u32 %r2, [%rd7];
 add.u32 %r2, %r2, %r3;
 add.s64 %rd8, %rd3, %rd4;
 st.global.u32 [%rd8], %r2;
 ret;
}
"""


class Storage:
    def __init__(self, begin, data):
        self.begin, self.data = begin, data

    def data_ptr(self):
        return self.begin

    def nbytes(self):
        return len(self.data)


class Tensor:
    """As much of torch.Tensor as is used; also what torch.empty() gives."""
    device, dtype = "cuda", "torch.int32"

    def __init__(self, storage=None, offset=0):
        self.storage, self.offset = storage, offset

    def untyped_storage(self):
        return self.storage

    def data_ptr(self):
        return self.storage.begin + self.offset

    def set_(self, storage):
        return Tensor(storage)

    def cpu(self):
        return self

    numpy = cpu

    def tobytes(self):
        return self.storage.data


def ints(values):
    return struct.pack(f"<{len(values)}i", *values)


def gather(index, x, out, n, BLOCK):
    """What Triton compiles."""


class Jit:
    arg_names, fn, launches = ["index", "x", "out", "n", "BLOCK"], staticmethod(gather), 0

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def run(self, *args, grid, warmup, **kwargs):
        Jit.launches += not warmup
        return types.SimpleNamespace(asm={"ptx": GATHER}, metadata=types.SimpleNamespace(name="gather", num_warps=1, shared=0), src=types.SimpleNamespace(
            signature={"index": "*i32", "x": "*i32", "out": "*i32", "n": "i32", "BLOCK": "constexpr"}, constants={(4,): 32}))


class FromPython(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_py_"))
        sys.modules["torch"] = types.SimpleNamespace(empty=lambda *args, **kwargs: Tensor(), uint8=None)
        # Every eighth word: each lane has a sector of its own.
        self.index = Tensor(Storage(1 << 20, ints([8 * i for i in range(32)])))
        self.x = Tensor(Storage(2 << 20, ints(range(256))))
        self.out = Tensor(Storage(3 << 20, ints([0] * 32)))

    def loads(self, report):
        return report["totals"]["global"]["load"]["sectors"]

    def test_a_triton_kernel_has_its_own_indices(self):
        report = warplens.report(Jit()[lambda given: (given["n"] // given["BLOCK"],)], self.index, self.x, self.out, 32, BLOCK=32, folder=self.folder)
        self.assertEqual(self.loads(report), 4 + 32)
        self.assertEqual(report["launch"]["grid"], [1, 1, 1])
        self.assertEqual(report["launch"]["block"], [32, 1, 1])
        self.assertEqual(Jit.launches, 0)
        document = json.loads((self.folder / "gather.launch.json").read_text())
        self.assertEqual([("contents" in argument) for argument in document["arguments"]], [True, False, False, False], "only what decides addresses is written")
        self.assertIn("def gather", (self.folder / document["source"]).read_text())
        self.assertIn("gather", str(report))
        self.assertTrue(report.svg().startswith("<svg"))
        self.assertIn("<svg", report._repr_html_())

    def test_arrays_that_overlap_are_one_buffer(self):
        half = Tensor(self.x.storage, 512)
        document = json.loads(warplens.write(Jit()[(1,)], self.index, self.x, half, 32, 32, folder=self.folder).read_text())
        self.assertEqual([argument.get("name") for argument in document["arguments"]], ["memory0", "memory1", "memory1", None])
        self.assertEqual(document["arguments"][2]["offset"], 512)

    def test_a_raw_kernel_is_compiled_and_not_launched(self):
        nvrtc = types.SimpleNamespace(NVRTCError=RuntimeError, createProgram=lambda *args: args, compileProgram=lambda program, options: self.options.extend(options),
                                      getPTX=lambda program: GATHER.encode() + b"\0", destroyProgram=lambda program: None)
        device = types.SimpleNamespace(Device=lambda: types.SimpleNamespace(compute_capability="90"), nvrtc=nvrtc)
        sys.modules.update({"cupy": types.SimpleNamespace(cuda=device), "cupy.cuda": device})
        self.options = []
        kernel = types.SimpleNamespace(code='extern "C" __global__ void gather() {}', name="gather", backend="nvrtc", options=("-DN=1",))
        word = type("Word", (), {"dtype": "int32", "__int__": lambda self: 5})()
        report = warplens.report(kernel, (2,), (32,), (self.index, self.x, self.out, word), folder=self.folder)
        self.assertEqual(self.loads(report), 2 * (4 + 32))
        self.assertEqual(report["launch"]["arguments"]["param_3"], 5)
        self.assertEqual(self.options[:2], ["-DN=1", "--gpu-architecture=compute_90"])

    def test_what_cannot_be_shown_is_said(self):
        for call, words in [(lambda: warplens.report(3), "neither kernel\\[grid\\]"),
                            (lambda: warplens.report(lambda: 0), "neither kernel\\[grid\\]"),
                            (lambda: warplens.report(types.SimpleNamespace(code=None, name="k", backend=""), (1,), (1,), ()), "has no text"),
                            (lambda: warplens.report(types.SimpleNamespace(code="x", name="k", backend=""), (1,)), "grid, block, arguments")]:
            with self.assertRaisesRegex(warplens.Error, words):
                call()

    def test_the_window_is_opened_on_the_document(self):
        os.environ["WARPLENS_BIN"], path = str(self.folder), os.environ.pop("PATH")
        self.addCleanup(os.environ.update, {"WARPLENS_BIN": CLI, "PATH": path})
        (self.folder / "warplens-cli").symlink_to(f"{CLI}/warplens-cli")
        launch = Jit()[(1,)], self.index, self.x, self.out, 32, 32
        with self.assertRaisesRegex(warplens.Error, "warplens is not found: install Warplens"):
            warplens.show(*launch, folder=self.folder)
        (self.folder / "warplens").write_text(f'#!/bin/sh\necho "$1" > {self.folder}/opened.part; /bin/mv {self.folder}/opened.part {self.folder}/opened\n')
        (self.folder / "warplens").chmod(0o755)
        document = warplens.show(*launch, folder=self.folder)
        while not (self.folder / "opened").exists():
            time.sleep(0.01)
        self.assertEqual((self.folder / "opened").read_text().strip(), str(document))


CLI = str(pathlib.Path(sys.argv.pop(1)).resolve().parent)
os.environ["WARPLENS_BIN"] = CLI
unittest.main()
