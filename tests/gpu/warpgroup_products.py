#!/usr/bin/env python3
"""What wgmma leaves in the registers of a warpgroup, descriptor by descriptor, beside what the layout says.

    tests/gpu/warpgroup_products.py [--out out/warpgroup_products.txt]

Needs nvcc. Exit code 1 where a value differs. Descriptors are relative to the beginning of shared memory.
"""
import argparse
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_suffix(".cu")
# name: columns, type of elements, bytes of one, from registers, a and b along m and n
KERNELS = {"f16_kk": (32, "f16", 2, 0, 0, 0), "f16_mk": (32, "f16", 2, 0, 1, 0), "f16_km": (32, "f16", 2, 0, 0, 1),
           "f16_mm": (32, "f16", 2, 0, 1, 1), "f16_8": (8, "f16", 2, 0, 0, 0), "f16_256": (256, "f16", 2, 0, 0, 0),
           "f16_256m": (256, "f16", 2, 0, 1, 1), "f16_rk": (32, "f16", 2, 1, 0, 0), "f16_rm": (32, "f16", 2, 1, 0, 1),
           "half_kk": (32, "f16", 2, 0, 0, 0), "bf16_kk": (32, "bf16", 2, 0, 0, 0), "tf32_kk": (32, "tf32", 4, 0, 0, 0),
           "s8_kk": (32, "s8", 1, 0, 0, 0), "u8_kk": (32, "u8", 1, 0, 0, 0), "e4m3_kk": (32, "e4m3", 1, 0, 0, 0),
           "s8_rk": (32, "s8", 1, 1, 0, 0)}
LEVEL = {0: 0, 1: 3, 2: 2, 3: 1}  # the descriptor's mode: rows of 16 << level bytes
MODE_OF_LEVEL = {v: k for k, v in LEVEL.items()}


def descriptor(start, lbo, sbo, level, base=0):
    return start >> 4 & 0x3fff | (lbo >> 4) << 16 | (sbo >> 4) << 32 | base << 49 | MODE_OF_LEVEL[level] << 62


def numbers(kernel, seed):
    size = KERNELS[kernel][2]
    result = []
    for i in range(65536 // size):
        x = ((i + 1) * 2654435761 + seed * 40503) & 0xffffffff
        x ^= x >> 15
        x = x * 2246822519 & 0xffffffff
        x ^= x >> 13
        v = x % 9 - 4
        result.append(v & 0xff if KERNELS[kernel][1] == "u8" else v)
    return result


def place(desc, along_m, size, outer, k, swap=False, use_base=True):
    """The byte of element (outer, k) from the beginning of shared memory."""
    start, lbo, sbo = (desc & 0x3fff) << 4, (desc >> 16 & 0x3fff) << 4, (desc >> 32 & 0x3fff) << 4
    level, base = LEVEL[desc >> 62], desc >> 49 & 7
    width = 16 << level
    if swap:
        lbo, sbo = sbo, lbo
    if not along_m:
        byte = k * size
        at = outer % 8 * width + outer // 8 * sbo + (byte if level else byte % 16 + byte // 16 * lbo)
    elif level == 0:
        at = outer % 8 * 2 + outer // 8 * sbo + k % 8 * 16 + k // 8 * lbo
    else:
        per = width // 2
        at = outer % per * 2 + outer // per * lbo + k % 8 * width + k // 8 * sbo
    address = start + at
    bits = (1 << level) - 1
    return address ^ ((address >> 7) - (base if use_base else 0) & bits) << 4


def product(kernel, a, b, scale_d, seed, **how):
    n, kind, size, from_registers, along_m, along_n = KERNELS[kernel]
    depth = 32 // size
    values = numbers(kernel, seed)
    per = 4 // size
    def read(byte):
        return values[byte // size] if byte + size <= 65536 else None
    left = [[None] * depth for _ in range(64)]
    for row in range(64):
        for k in range(depth):
            if from_registers:
                lane, register = row % 8 * 4 + k // per % 4, row // 8 % 2 + k // (4 * per) * 2
                left[row][k] = values[(4096 + 128 * register + row // 16 * 32 + lane) * per + k % per]
            else:
                left[row][k] = read(place(a, along_m, size, row, k, how.get("swap_a", False), how.get("use_base", True)))
    right = [[read(place(b, along_n, size, column, k, how.get("swap_b", False), how.get("use_base", True)))
              for k in range(depth)] for column in range(n)]
    result = {}
    for row in range(64):
        for column in range(n):
            thread = row // 16 * 32 + row % 8 * 4 + column % 8 // 2
            register = column // 8 * 4 + row // 8 % 2 * 2 + column % 2
            first = 0
            if scale_d and kind in ("f16", "bf16", "tf32", "e4m3") and not kernel.startswith("half"):
                first = thread % 5 + register % 3
            terms = list(zip(left[row], right[column]))
            result[thread, register] = None if any(None in t for t in terms) else first + sum(x * y for x, y in terms)
    return result


def read_registers(kernel, words):
    n, kind = KERNELS[kernel][0], KERNELS[kernel][1]
    result = {}
    for at, word in enumerate(words):
        register, thread = divmod(at, 128)
        bits = int(word, 16)
        if kernel.startswith("half"):
            for part in range(2):
                result[thread, 2 * register + part] = struct.unpack("<e", struct.pack("<H", bits >> 16 * part & 0xffff))[0]
        elif kind in ("s8", "u8"):
            result[thread, register] = struct.unpack("<i", struct.pack("<I", bits))[0]
        else:
            result[thread, register] = struct.unpack("<f", struct.pack("<I", bits))[0]
    return result


def cases(rng):
    def operand(kernel, outer, along_m, first, scrambled):
        """Of an operand whose elements lie somewhere behind `first`."""
        size = KERNELS[kernel][2]
        level = rng.randrange(4)
        width = 16 << level
        if not along_m:
            lbo, sbo = (128, 256) if level == 0 else (16, 8 * width)
            start = first + (rng.randrange(0, width // 32) * 32 if level else 0)
            if scrambled:
                lbo = rng.randrange(1, 64) * 16
                sbo = rng.randrange(8, 24576 // max(8, outer) // 16 * 8) // 8 * (128 if level == 0 else 8 * width)
                sbo = max(128, min(sbo, 3072 if outer <= 64 else 896))
        else:
            per = width // 2
            lbo, sbo = (1024, 128) if level == 0 else (16 * width, 8 * width)
            start = first
            if scrambled:
                lbo, sbo = rng.randrange(1, 20) * 128, rng.randrange(1, 20) * 128
                if outer > 64:
                    lbo, sbo = min(lbo, 768), min(sbo, 768)
        return descriptor(start, lbo, sbo, level)
    for kernel, (n, kind, size, from_registers, along_m, along_n) in KERNELS.items():
        for turn in range(10 if kind == "f16" and n == 32 else 4):
            a = operand(kernel, 64, along_m, 0, turn % 2 == 1)
            b = operand(kernel, n, along_n, 32768 if n <= 64 else 1024 * rng.randrange(4), turn % 2 == 1)
            yield kernel, a, b, 0 if turn % 3 == 2 else 1, rng.randrange(1000)
    for level in (1, 2, 3):  # patterns that do not begin at a multiple of their length
        for rows in (1, 3, 4):
            for base in sorted({0, rows}):
                start = rows * (16 << level)
                yield "f16_kk", descriptor(start, 16, 8 * (16 << level), level, base), \
                    descriptor(32768, 16, 8 * (16 << level), level), 1, rng.randrange(1000)
        for step in (128, 256, 512):
            yield "f16_kk", descriptor(step, 16, 8 * (16 << level), level), \
                descriptor(32768, 16, 8 * (16 << level), level), 1, rng.randrange(1000)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default="out/warpgroup_products.txt")
    options = parser.parse_args()
    rng = random.Random(7)
    given = list(cases(rng))
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "warpgroup_products"
        subprocess.run(["nvcc", "-O2", "-gencode", "arch=compute_90a,code=sm_90a", "-o", program, SOURCE], check=True)
        lines = "".join(f"{k} {a:x} {b:x} {s} {seed}\n" for k, a, b, s, seed in given)
        done = subprocess.run([program], input=lines, text=True, capture_output=True)
    out = pathlib.Path(options.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    results = done.stdout.splitlines()
    out.write_text("".join(f"{c}\n{r}\n" for c, r in zip(lines.splitlines(), results)))
    wrong = 0
    ways = {"as said": {}, "a swapped": {"swap_a": True}, "b swapped": {"swap_b": True},
            "both swapped": {"swap_a": True, "swap_b": True}, "no base": {"use_base": False}}
    for (kernel, a, b, scale_d, seed), line in zip(given, results):
        words = line.split()[1:]
        if words[:1] == ["failed"]:
            print(line)
            wrong += 1
            continue
        counted = read_registers(kernel, words)
        def agrees(how):
            return all(v is None or counted[at] == v for at, v in product(kernel, a, b, scale_d, seed, **how).items())
        good = [name for name, how in ways.items() if agrees(how)]
        if "as said" not in good:
            wrong += 1
            print(f"WRONG {kernel} a={a:x} b={b:x} scale_d={scale_d}: agrees with {good or 'none'}")
    print(f"{len(results)} of {len(given)} products: {wrong} wrong")
    return 1 if wrong or len(results) != len(given) else 0


if __name__ == "__main__":
    sys.exit(main())
