// The CUDA driver's functions, looked up in libcuda.so.1 while the program runs, and their errors in words.
#pragma once

#include <cuda.h>

#include <string>

#include "kernels/gpu/cuda/shared_library.h"
#include "kernels/protocol/failure.h"

namespace warplens::gpu {

// member, type, name in the library (written out, because newer headers rename functions that older drivers
// lack)
#define WARPLENS_DRIVER_FUNCTIONS(X)                                            \
  X(init, cuInit, "cuInit")                                                     \
  X(driver_version, cuDriverGetVersion, "cuDriverGetVersion")                   \
  X(device_count, cuDeviceGetCount, "cuDeviceGetCount")                         \
  X(device_get, cuDeviceGet, "cuDeviceGet")                                     \
  X(device_name, cuDeviceGetName, "cuDeviceGetName")                            \
  X(device_attribute, cuDeviceGetAttribute, "cuDeviceGetAttribute")             \
  X(device_bus_id, cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId")                  \
  X(device_memory, cuDeviceTotalMem, "cuDeviceTotalMem_v2")                     \
  X(context_retain, cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")       \
  X(context_release, cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2") \
  X(context_set, cuCtxSetCurrent, "cuCtxSetCurrent")                            \
  X(memory_info, cuMemGetInfo, "cuMemGetInfo_v2")                               \
  X(allocate, cuMemAlloc, "cuMemAlloc_v2")                                      \
  X(free, cuMemFree, "cuMemFree_v2")                                            \
  X(copy_to_device, cuMemcpyHtoD, "cuMemcpyHtoD_v2")                            \
  X(copy_to_host, cuMemcpyDtoH, "cuMemcpyDtoH_v2")                              \
  X(copy_on_device, cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2")                  \
  X(set_words, cuMemsetD32Async, "cuMemsetD32Async")                            \
  X(set_bytes, cuMemsetD8Async, "cuMemsetD8Async")                              \
  X(stream_create, cuStreamCreate, "cuStreamCreate")                            \
  X(stream_destroy, cuStreamDestroy, "cuStreamDestroy_v2")                      \
  X(stream_query, cuStreamQuery, "cuStreamQuery")                               \
  X(event_create, cuEventCreate, "cuEventCreate")                               \
  X(event_destroy, cuEventDestroy, "cuEventDestroy_v2")                         \
  X(event_record, cuEventRecord, "cuEventRecord")                               \
  X(event_elapsed, cuEventElapsedTime, "cuEventElapsedTime")                    \
  X(module_load, cuModuleLoadDataEx, "cuModuleLoadDataEx")                      \
  X(module_unload, cuModuleUnload, "cuModuleUnload")                            \
  X(module_function, cuModuleGetFunction, "cuModuleGetFunction")                \
  X(function_get, cuFuncGetAttribute, "cuFuncGetAttribute")                     \
  X(function_set, cuFuncSetAttribute, "cuFuncSetAttribute")                     \
  X(launch, cuLaunchKernel, "cuLaunchKernel")                                   \
  X(encode_tensor_map, cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled")        \
  X(error_name, cuGetErrorName, "cuGetErrorName")                               \
  X(error_text, cuGetErrorString, "cuGetErrorString")

struct Driver {
#define WARPLENS_MEMBER(member, type, name) decltype(&::type) member = nullptr;
  WARPLENS_DRIVER_FUNCTIONS(WARPLENS_MEMBER)
#undef WARPLENS_MEMBER
  SharedLibrary library;
  // Set once the GPU's state is lost (a kernel that does not end, a sticky error): from then on nothing is
  // given back, because every such call would wait for ever.
  mutable bool lost = false;

  // False, with `reason` in words, where there is no driver or an unfit one.
  bool load(Message& reason);

  // Throws FailureError for anything but success: "cuMemAlloc: out of memory (CUDA_ERROR_OUT_OF_MEMORY)".
  void check(CUresult result, Message::Text what) const;
  measure::Failure failure_of(CUresult result, const Message& what) const;
};

// After these, every further call in the process fails: only a new process helps.
bool is_sticky(CUresult result);

}  // namespace warplens::gpu
