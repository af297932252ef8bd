#!/usr/bin/env python3
"""As compiled, by Ctrl J in a real window: A│B of the text and of what a compiler makes of it, and back; a file that is
refused here is shown as compiled alone; what the compiler says, that it is stopped or missing is told.

    check_compiled.py WARPLENS

nvcc is a stand-in: it does what the file `how` beside it says."""
import os
import pathlib
import sys
import tempfile

from window_driver import App, display

program = sys.argv[1]
failures = []

NVCC = """\
#!/bin/bash
here=$(dirname "$0")
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 99.1, V99.1.7"; exit; fi
while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
. "$here/how"
"""
KERNEL = """\
__global__ void copy(float* out, const float* in) {
  float sum = 0;
  for (int i = 0; i < 2; ++i)
    sum += in[threadIdx.x + 32 * i];
  out[threadIdx.x] = sum;
  out[threadIdx.x + 32] = in[0] + in[0];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 64 * sizeof(float)); cudaMalloc(&b, 64 * sizeof(float));
  copy<<<1, 32>>>(a, b);
}
"""
REFUSED = KERNEL.replace("sum = 0;", "sum = [](auto... all) { return sizeof...(all); }(1);")
# Line 4 unrolled, line 6 with one of its two loads.
PTX = """\
.version 8.0
.target sm_90
.address_size 64
.visible .entry _Z4copyPfPKf(.param .u64 _Z4copyPfPKf_param_0, .param .u64 _Z4copyPfPKf_param_1) {
  .reg .b64 %d<5>; .reg .b32 %r<2>; .reg .f32 %f<4>;
  .loc 1 1 0
  ld.param.u64 %d0, [_Z4copyPfPKf_param_0];
  ld.param.u64 %d1, [_Z4copyPfPKf_param_1];
  cvta.to.global.u64 %d0, %d0;
  cvta.to.global.u64 %d1, %d1;
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d2, %r0, 4;
  add.s64 %d3, %d1, %d2;
  .loc 1 4 3
  ld.global.f32 %f0, [%d3];
  .loc 1 4 3
  ld.global.f32 %f1, [%d3+128];
  add.f32 %f2, %f0, %f1;
  add.s64 %d4, %d0, %d2;
  .loc 1 5 3
  st.global.f32 [%d4], %f2;
  .loc 1 6 3
  ld.global.f32 %f3, [%d1];
  .loc 1 6 3
  st.global.f32 [%d4+128], %f3;
  ret;
}
.file 1 "copy.cu"
"""


def notice(state):
    return (state["seen"].get("notice") or {}).get("words", ""), (state["seen"].get("notice") or {}).get("key", "")


def is_told(key):
    return lambda s: notice(s)[1] == key


with tempfile.TemporaryDirectory(prefix="warplens_compiled_") as name, display(name):
    folder = pathlib.Path(name)
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    os.environ["TMPDIR"] = str(folder / "tmp")
    (folder / "tmp").mkdir()
    nvcc = folder / "nvcc"
    nvcc.write_text(NVCC)
    nvcc.chmod(0o755)
    os.environ["CUDACXX"] = str(nvcc)
    (folder / "made.ptx").write_text(PTX)
    (folder / "copy.cu").write_text(KERNEL)
    (folder / "refused.cu").write_text(REFUSED)

    def set_up(how):
        (folder / "how").write_text(how + "\n")

    def kernel(state):
        return pathlib.Path(state["own"]["file"]).name

    works = 'cp "$here/made.ptx" "$out"'
    set_up("sleep 1000")
    app = App(program, folder / "state.json", failures, str(folder / "copy.cu"))
    app.key("ctrl+j", is_told("compile.running"), "it is being compiled")
    app.key("ctrl+j", is_told("compile.stopped"), "the same key stops it")
    set_up('echo "copy.cu(4): error: no such thing" >&2; exit 1')
    said = app.key("ctrl+j", is_told("compile.cannot"), "what the compiler says is told")
    if "nvcc 99.1.7 does not compile copy.cu, line 4: no such thing" not in notice(said)[0]:
        failures.append(f"the compiler's words: {notice(said)}")
    if [p["message"] for p in said["seen"]["problems"] if p.get("line") == 4] != ["no such thing"]:
        failures.append(f"they stand at their line: {said['seen']['problems']}")
    set_up(works)
    both = app.key("ctrl+j", lambda s: is_told("compile.done")(s) and s.get("a"), "A│B")
    if (kernel(both), both["a"]["own"]["kernel"], both["own"]["compiler"]) != ("copy.ptx", "copy", "nvcc 99.1.7, sm_90"):
        failures.append(f"A│B: {kernel(both)}, {both['a']['own']['kernel']}, {both['own'].get('compiler')}")
    if both["seen"]["edited"]:
        failures.append("what a compiler made is no edited text")
    became = app.wait(lambda s: s["seen"]["became"], "what became of the lines")["seen"]["became"]
    if became != {"4": "unrolled", "6": "dropped"}:
        failures.append(f"what became of the lines: {became}")
    # A session has all of it.
    session = folder / "kept.warplens.json"
    session.write_text((folder / "state.json").read_text())
    app.key("ctrl+j", lambda s: kernel(s) == "copy.cu" and "a" not in s, "and back")
    os.environ["CUDACXX"] = str(folder / "none")
    app.quit()
    app = App(program, folder / "state.json", failures, str(session))
    again = app.wait(lambda s: s["seen"]["became"] == became, "the session's A│B")
    if (again["own"]["fields"], again["own"]["source"]) != (both["own"]["fields"], KERNEL):
        failures.append(f"the session: {again['own']}")
    app.quit()
    app = App(program, folder / "state.json", failures, str(folder / "copy.cu"))
    missing = app.key("ctrl+j", is_told("compile.cannot"), "there is no compiler")
    if "none could not be started" not in notice(missing)[0] or "CUDACXX=path" not in notice(missing)[0]:
        failures.append(f"without a compiler: {notice(missing)}")
    app.quit()
    os.environ["CUDACXX"] = str(nvcc)
    app = App(program, folder / "state.json", failures, "copy")
    app.key("ctrl+o", lambda s: s["seen"].get("dialog"), "the chooser")
    app.do("type", "--delay", "5", str(folder / "refused.cu"))
    app.key("Return", lambda s: kernel(s) == "refused.cu" and s["seen"]["problems"], "a file that is refused")
    alone = app.key("ctrl+j", is_told("compile.alone"), "as compiled alone")
    if kernel(alone) != "refused.ptx" or "a" in alone:
        failures.append(f"a refused file as compiled: {kernel(alone)}, {'a' in alone}")
    app.wait(lambda s: s["seen"].get("units") == 4, "its picture")
    app.quit()
    left = list((folder / "tmp").iterdir())
    if left:
        failures.append(f"left behind: {left}")

print("\n".join(failures) if failures else "A│B, back, its words, stopped, missing, refused: as they should be")
sys.exit(1 if failures else 0)
