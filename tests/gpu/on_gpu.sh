#!/usr/bin/env bash
# Everything that needs an NVIDIA GPU, one after the other, into one folder: the tests on the device, exact wavefronts
# through CUPTI, both modes, cuBLAS, buffers that are too large. Goes on where a
# step fails, and says so at the end.
#
#   tests/gpu/on_gpu.sh [--bin build/release/bin] [--out out/gpu] [--counters] [--pack]
#
# --counters: also what `explain` makes of Nsight Compute's files; --pack: also record the whole gallery and correlate it.
set -u
bin=build/release/bin out=out/gpu pack='' counters=''
while [ $# -gt 0 ]; do
  case $1 in
    --bin) bin=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --pack) pack=1; shift ;;
    --counters) counters=1; shift ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
done
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cli=$bin/warplens-cli
[ -x "$cli" ] || { echo "on_gpu.sh: $cli is not there: ./test builds it, and what runs on the device; or --bin FOLDER" >&2; exit 2; }
summary=$out/summary.txt
: >"$summary"

# step NAME WANTED_EXIT_CODE COMMAND...
step() {
  local name=$1 wanted=$2 code; shift 2
  echo "== $name"
  timeout "${STEP_SECONDS:-300}" "$@" >"$out/$name.out" 2>"$out/$name.err"; code=$?
  if [ "$code" = "$wanted" ]; then echo "ok    $name" | tee -a "$summary"
  else echo "WRONG $name: exit code $code, expected $wanted: $(tail -n 1 "$out/$name.err" | cut -c1-200)" | tee -a "$summary"; fi
}

nvidia-smi >"$out/nvidia-smi.txt" 2>&1
step doctor 0 "$cli" doctor
[ -x "$bin/test_device" ] && step test_device 0 "$bin/test_device"

# Exact shared wavefronts by CUPTI's SASS metrics: 128 x 16-way loads and so on have to equal the prediction.
step sass_measure 0 "$cli" measure transpose_shared --set nrows=1024 --set ncols=1024 --set pad=0 --samples 5 -o "$out/sass.json"
step sass_check 0 "$cli" check transpose_shared --set nrows=1024 --set ncols=1024 --set pad=0 --against "$out/sass.json"
if grep -q smsp__sass_ "$out/sass.json"; then echo "ok    sass metrics read" | tee -a "$summary"
else echo "WRONG no sass metrics: $(grep exact_reason "$out/sass.json")" | tee -a "$summary"; fi

# Both compile modes: a tiled product merges four loads of A's row into one.
step both_modes 0 "$cli" measure sgemm_tiled --mode both -o "$out/both.json"
step both_check 0 "$cli" check sgemm_tiled --against "$out/both.json"
step cublas 0 "$cli" measure sgemm_tiled --mode as_optimised -o "$out/cublas.json"
step plain_transpose 0 "$cli" measure transpose_padded --mode both -o "$out/padded.json"

# What goes wrong.
cat >"$out/large.cu" <<'CU'
__global__ void fill(float* a) { a[threadIdx.x] = 1; }
CU
step too_large 4 "$cli" measure "$out/large.cu" --grid 1 --block 64 --set a=@100000000000 -o "$out/large.json"

[ -n "$counters" ] && STEP_SECONDS=1200 step explain 0 "$here/explain_ncu.sh" --bin "$bin" --out "$out/explain"
rm -rf "$out/accesses" && cp -r "$here/../compiled/data/accesses" "$out/accesses"  # what it counts is written there
step accesses 0 python3 "$here/record_accesses.py" "$out/accesses"
if [ -n "$pack" ]; then
  STEP_SECONDS=3000 step pack 0 "$here/../../tools/record.py" -o "$out/pack.json" --cli "$cli"
  step correlation 0 "$here/../../tools/correlate.py" "$out/pack.json" --cli "$cli" --page "$out/correlation.md" --svg "$out/correlation.svg" --data "$out/correlation.json"
fi
echo
cat "$summary"
! grep -q ^WRONG "$summary"
