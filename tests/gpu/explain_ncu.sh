#!/usr/bin/env bash
# Five kernels under Nsight Compute, by its details page and by its raw page, and what `warplens-cli explain` makes of each
# file. On a machine with an NVIDIA GPU, ncu and the right to read counters.
#
#   tests/gpu/explain_ncu.sh [--bin build/release/bin] [--out out/explain] [--ncu PATH]
#
# Exit code 0: every file is read, and every difference has a cause. The CSVs and what was said of them stay in --out.
set -u
bin=build/release/bin out=out/explain ncu=ncu
while [ $# -gt 0 ]; do
  case $1 in
    --bin) bin=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --ncu) ncu=$2; shift 2 ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
done
cli=$bin/warplens-cli gpu=$bin/warplens-gpu wrong=0
mkdir -p "$out"
command -v "$ncu" >/dev/null || { echo "no ncu: --ncu names it" >&2; exit 3; }
[ -x "$gpu" ] || { echo "no $gpu" >&2; exit 3; }

l1=l1tex__
metrics=$(tr -s ' \n' ',' <<M | sed 's/^,//; s/,$//'
 ${l1}t_requests_pipe_lsu_mem_global_op_ld.sum ${l1}t_requests_pipe_lsu_mem_global_op_st.sum
 ${l1}t_sectors_pipe_lsu_mem_global_op_ld.sum ${l1}t_sectors_pipe_lsu_mem_global_op_st.sum
 ${l1}t_bytes_pipe_lsu_mem_global_op_ld.sum ${l1}t_sector_hit_rate.pct
 ${l1}average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio
 ${l1}data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum ${l1}data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
 ${l1}data_bank_conflicts_pipe_lsu_mem_shared.sum
 ${l1}data_pipe_lsu_wavefronts_mem_shared_op_ld.sum ${l1}data_pipe_lsu_wavefronts_mem_shared_op_st.sum
 smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum
 smsp__inst_executed_op_global_ld.sum smsp__inst_executed_op_global_st.sum
 smsp__sass_inst_executed_op_shared_ld.sum smsp__sass_inst_executed_op_shared_st.sum
 smsp__sass_data_bytes_mem_shared_op_ld.sum smsp__sass_data_bytes_mem_shared_op_st.sum
 smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct
 smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct
 smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct
 memory_l1_wavefronts_shared memory_l1_wavefronts_shared_ideal
 memory_l2_theoretical_sectors_global memory_l2_theoretical_sectors_global_ideal
 lts__t_sectors_op_read.sum lts__t_sectors_op_write.sum lts__t_sector_hit_rate.pct
 dram__bytes_read.sum dram__bytes_write.sum launch__registers_per_thread launch__grid_size gpu__time_duration.sum
M
)

# profile NAME PAGE NCU_OPTIONS... : the request in $out/NAME.request, into $out/NAME.PAGE.csv
profile() {
  local name=$1 page=$2; shift 2
  timeout 300 "$ncu" --target-processes all --csv --page "$page" --log-file "$out/$name.$page.csv" \
    --kernel-name-base function --kernel-name "$(cat "$out/$name.kernel")" "$@" \
    "$gpu" --batch <"$out/$name.request" >"$out/$name.$page.replies" 2>"$out/$name.$page.err"
}

# target NAME MODE TARGET...
target() {
  local name=$1 mode=$2 page code; shift 2
  "$cli" measure "$@" --mode "$mode" --samples 0 --no-counters --no-reference --request >"$out/$name.json" ||
    { echo "WRONG $name: no request"; wrong=1; return; }
  # Without the disassembler, which ncu would follow too.
  python3 - "$out/$name.json" "$out/$name.request" "$out/$name.kernel" <<'P'
import json, sys
request = json.load(open(sys.argv[1]))
request.update(id=1)
open(sys.argv[2], "w").write(json.dumps(request) + "\n")
open(sys.argv[3], "w").write(request["subject"]["kernel"])
P
  for page in details raw; do
    if [ $page = details ]; then profile "$name" details --set full
    else profile "$name" raw --metrics "$metrics"; fi
    "$cli" explain "$out/$name.$page.csv" "$@" >"$out/$name.$page.txt" 2>"$out/$name.$page.explain.err"; code=$?
    "$cli" explain "$out/$name.$page.csv" "$@" --json >"$out/$name.$page.explained.json" 2>/dev/null
    if [ $code = 0 ]; then echo "ok    $name, $page: $(tail -n 1 "$out/$name.$page.txt")"
    else
      echo "WRONG $name, $page: exit code $code: $(tail -n 1 "$out/$name.$page.txt") $(head -n 1 "$out/$name.$page.explain.err")"
      wrong=1
    fi
  done
}

target copy as_written copy --set n=1048576
target copy_stride as_written copy_stride --set n=1048576 --set stride=8
target transpose_naive as_written transpose_naive_row --set nrows=2048 --set ncols=2048
target transpose_tile as_written transpose_shared --set nrows=2048 --set ncols=2048 --set pad=0
target product as_optimised sgemm_tiled
exit $wrong
