#!/bin/sh
# compile_with_nvcc.sh KERNELS_FOLDER WORK_FOLDER [NVCC]: compiles every gallery file as it stands. Exit 77, skipped, where
# there is no nvcc.
set -u
kernels=$1
work=$2
nvcc=${3:-}
if [ -z "$nvcc" ]; then
  echo "nvcc not found: skipped"
  exit 77
fi
failed=0
for file in "$kernels"/*.cu; do
  if "$nvcc" -c -arch=sm_90 -Werror all-warnings -I "$kernels" -o "$work/nvcc_check.o" "$file"; then
    echo "ok      $(basename "$file")"
  else
    echo "FAILED  $(basename "$file")"
    failed=1
  fi
done
rm -f "$work/nvcc_check.o"
exit $failed
