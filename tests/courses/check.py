#!/usr/bin/env python3
"""tests/courses/run over a course that is written here: files, headers, notebooks, skeletons, and what is no kernel.

    tests/courses/check.py build/release/bin/warplens-cli
"""
import json
import os
import subprocess
import sys
import tempfile

SCALE = "__global__ void scale(float* a, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) a[i] *= %s;\n}\n"
FILES = {
    "one/LICENSE": "",
    "one/scale.cu": '#include "factor.h"\n' + SCALE % "kFactor" +
                    "// __global__ void in_a_comment() {}\n#if 0\n__global__ void left_out() {}\n#endif\n"
                    "__global__ void only_declared(float*);\n"
                    "template <int N> __global__ void __launch_bounds__(N) bounded(float* a) { a[threadIdx.x] = N; }\n",
    "one/factor.h": "constexpr float kFactor = 2;\n",
    "one/skeleton.cu": SCALE % "FIXME",
    "one/notes.txt": SCALE % "1",
    "two/deep/refused.cu": "__global__ void throws(int* a) { throw 1; }\n",
    "two/deep/notebook.ipynb": json.dumps({"cells": [
        {"cell_type": "markdown", "source": [SCALE % "1"]},
        {"cell_type": "code", "source": ["%%writefile sources/cell.cpp\n", '#include "../../factor.cuh"\n', SCALE % "kTwo"]},
        {"cell_type": "code", "source": ["%%cuda\n", SCALE % "3"]},
        {"cell_type": "code", "source": ["%%writefile ../../../outside.cu\n", SCALE % "3"]},
        {"cell_type": "code", "source": ["print(1)"]}]}),
    "two/factor.cuh": "constexpr float kTwo = 2;\n",
    "two/.git/HEAD": "",
}
WANTED = """\
ok        one/scale.cu  scale
ok        one/scale.cu  bounded
skeleton  one/skeleton.cu  scale  :3:22: error: 'FIXME' is not declared here
ok        two/deep/notebook.cell1.cu  scale
refused   two/deep/refused.cu  throws  :1:34: error: exceptions are not supported in device code
ok        two/deep/sources/cell.cpp  scale

course       kernels skeletons report refused  share
one                3         1      2       0  100.0 %
two                3         0      2       1  66.7 %
all                6         1      4       1  80.0 %
"""


def main():
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        ran = subprocess.run([command, folder, "--cli", sys.argv[1], "--all"], stdout=subprocess.PIPE, check=False)
    said = ran.stdout.decode()
    if ran.returncode != 0 or said != WANTED:
        print(f"exit {ran.returncode}; wanted:\n{WANTED}\ngot:\n{said}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
