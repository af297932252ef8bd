#!/usr/bin/env python3
"""check_warplens_py.py FOLDER: tools/warplens.py with Triton, PyTorch and CuPy on the GPU at hand. Of each launch below the report
must have the requests and sectors of global memory that Nsight Compute counts; FOLDER is that of warplens-cli."""
import csv
import io
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import cupy
import numpy
import torch
import triton
import triton.language as tl

import warplens

OPS = {"load": "ld", "store": "st", "reduction": "red", "atomic": "atom"}
COUNTERS = {(op, what): f"l1tex__t_{what}_pipe_lsu_mem_global_op_{name}.sum" for op, name in OPS.items() for what in ("requests", "sectors")}


@triton.jit
def gather(index, x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    where = tl.load(index + i, mask=i < n)
    tl.store(out + i, tl.load(x + where, mask=i < n), mask=i < n)


@triton.autotune([triton.Config({"BLOCK": 32}, num_warps=4)], key=["n"])  # one: which is fastest is not the same under ncu
@triton.jit
def matmul(a, b, c, n, scale, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, BLOCK)
    sum = tl.zeros((BLOCK, BLOCK), tl.float32)
    for step in range(0, n, BLOCK):
        sum += tl.dot(tl.load(a + i[:, None] * n + (step + k)[None, :]), tl.load(b + (step + k)[:, None] * n + j[None, :]))
    tl.store(c + i[:, None] * n + j[None, :], (sum * scale).to(tl.float16))


TURN = cupy.RawKernel(r"""
extern "C" __global__ void turn(const float* in, float* out, int n, int pad) {
  extern __shared__ float tile[];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y * (32 + pad) + threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x * (32 + pad) + threadIdx.y];
}""", "turn")
BINS = cupy.RawModule(code=r"""
template <class T> __global__ void bins(const T* of, unsigned* counts, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[of[i]], 1u);
}""", options=("-std=c++17",), name_expressions=("bins<int>",))


def launches():
    torch.manual_seed(1)
    n = 10000
    index = torch.randint(0, n, (n,), device="cuda", dtype=torch.int32)
    x, out = torch.rand(2 * n, device="cuda"), torch.zeros(n, device="cuda")
    yield "gather", gather[lambda given: (triton.cdiv(given["n"], given["BLOCK"]),)], (index, x[n:], out, n), {"BLOCK": 256}
    a, b, c = (torch.ones(256, 256, device="cuda", dtype=torch.float16) for _ in range(3))
    yield "matmul", matmul[lambda given: (256 // given["BLOCK"], 256 // given["BLOCK"])], (a, b, c, 256, 0.5), {}
    square = cupy.zeros((256, 256), cupy.float32)
    yield "turn", TURN, ((8, 8), (32, 32), (square, cupy.zeros_like(square), numpy.int32(256), numpy.int32(1))), {"shared_mem": 4 * 32 * 33}
    of = (cupy.arange(5000) * 7919 % 61).astype(cupy.int32)
    yield "bins", BINS, ((20,), (256,), (of, cupy.zeros(64, cupy.uint32), 5000)), {"name": "bins<int>"}


def main():
    folder = pathlib.Path(sys.argv[1])
    os.environ["WARPLENS_BIN"] = str(folder)
    if sys.argv[2:] == ["--launch"]:
        for _, kernel, arguments, keywords in launches():
            function = keywords.pop("name", None)
            (kernel.get_function(function) if function else kernel)(*arguments, **keywords)
        return torch.cuda.synchronize()
    ncu = ["ncu", "--clock-control", "none", "--metrics", ",".join(COUNTERS.values()), "--csv", "--page", "raw", "-k", "regex:gather|matmul|turn|bins"]
    ran = subprocess.run([*ncu, sys.executable, __file__, str(folder), "--launch"], capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stdout[-2000:] + ran.stderr[-2000:])
    told = ran.stdout
    rows = list(csv.DictReader(io.StringIO(told[told.index('"ID"'):])))[1:]  # behind the row of units
    counted = {row["Kernel Name"].split("(")[0].split("<")[0].split()[-1]: row for row in rows}
    wrong = 0
    for name, kernel, arguments, keywords in launches():
        report = warplens.report(kernel, *arguments, folder=f"/tmp/warplens_py/{name}", **keywords)
        for (op, what), counter in COUNTERS.items():
            here, copies = report["totals"]["global"][op][what], report["totals"]["global"]["async"]
            if op == "load":  # with which the pipe counts copies past the registers
                here += copies["requests" if what == "requests" else "load_sectors"]
            there = int(float(counted[name][counter].replace(",", "")))
            if here or there:
                print(f"{name}: {op} {what} {here}, counted {there}")
            wrong += here != there and (op, what) not in (("reduction", "sectors"), ("atomic", "sectors"))  # a model (docs/report.md)
        print(report)
    print("triton", triton.__version__, "cupy", cupy.__version__, "torch", torch.__version__)
    return int(wrong != 0)


sys.exit(main())
