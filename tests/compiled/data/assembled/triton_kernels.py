"""Writes the PTX that Triton makes of these kernels, without hints of divisibility, beside this file; needs a GPU."""
import pathlib

import torch
import triton
import triton.language as tl

PLAIN = ("n",)  # integers that nothing is known of


@triton.jit(do_not_specialize=PLAIN)
def row_sum(x, out, n):
    rows, columns = tl.arange(0, 64), tl.arange(0, 64)
    tile = tl.load(x + rows[:, None] * n + columns[None, :])
    tl.store(out + rows, tl.sum(tile, axis=1))


@triton.jit(do_not_specialize=PLAIN)
def turn(x, out, n):
    i, j = tl.arange(0, 64), tl.arange(0, 64)
    tile = tl.load(x + i[:, None] * n + j[None, :])
    tl.store(out + i[:, None] * n + j[None, :], tl.trans(tile))


@triton.jit(do_not_specialize=PLAIN)
def product(a, b, c, n):
    i, j = tl.arange(0, 32), tl.arange(0, 32)
    left = tl.load(a + i[:, None] * n + j[None, :])
    right = tl.load(b + i[:, None] * n + j[None, :])
    tl.store(c + i[:, None] * n + j[None, :], tl.dot(left, right, input_precision="ieee"))


@triton.jit(do_not_specialize=PLAIN)
def running_sum(x, out, n):
    i, j = tl.arange(0, 16), tl.arange(0, 64)
    tile = tl.load(x + i[:, None] * n + j[None, :])
    tl.store(out + i[:, None] * n + j[None, :], tl.cumsum(tile, axis=0))


@triton.jit(do_not_specialize=PLAIN)
def softmax(x, out, n):
    i = tl.arange(0, 1024)
    row = tl.load(x + tl.program_id(0) * n + i)
    e = tl.exp(row - tl.max(row, axis=0))
    tl.store(out + tl.program_id(0) * n + i, e / tl.sum(e, axis=0))


for kernel in (row_sum, turn, product, running_sum, softmax):
    name = kernel.fn.__name__
    buffers = [torch.zeros(65536, device="cuda")] * (3 if name == "product" else 2)
    made = kernel[(4,)](*buffers, 17)
    ptx = made.asm["ptx"]
    ptx = ptx[: ptx.index(".section")] if ".section" in ptx else ptx
    pathlib.Path(__file__).with_name(f"triton_{name}.ptx").write_text(f"// {made.metadata.shared} bytes of dynamic shared memory\n{ptx}")
