// Stands in for libcuda.so.1 in tests of warplens-gpu on machines without a GPU. Memory is the host's; a
// kernel named "copy" copies its second argument to its first; others do nothing. STAND_IN_DRIVER says how it
// misbehaves:
//
//   no-device   there is a driver and no GPU          endless     user kernels do not end
//   old         the driver lacks functions            sticky      user kernels break the context
//   small       only 160 MiB of memory are free       refuses     launches are refused
//   old-ptx     the driver is older than the toolkit  full        the driver has less memory than it says
#include <cuda.h>
#undef cuEventElapsedTime

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool behaves(const char* how) {
  const char* told = std::getenv("STAND_IN_DRIVER");
  return told != nullptr && std::string(told) == how;
}

struct FakeFunction {
  std::string name;
  bool is_helper() const { return name.find("warplens_") != std::string::npos; }
};
struct FakeEvent {
  std::chrono::steady_clock::time_point when;
};

bool user_kernel_launched = false;
std::size_t bytes_free = 0;

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT CUresult cuInit(unsigned) {
  bytes_free = behaves("small") ? std::size_t{160} << 20 : std::size_t{2} << 30;
  return behaves("no-device") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}
// Rows that are not 16 bytes apart are refused, as the driver refuses them.
EXPORT CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType, cuuint32_t dimensions,
                                       void* data, const cuuint64_t*, const cuuint64_t* pitch,
                                       const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                       CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  if (dimensions > 1 && (pitch[0] == 0 || pitch[0] % 16 != 0)) return CUDA_ERROR_INVALID_VALUE;
  return map->opaque[0] = reinterpret_cast<cuuint64_t>(data), CUDA_SUCCESS;
}
EXPORT CUresult cuDriverGetVersion(int* version) {
  return *version = 13000, CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetCount(int* count) {
  return *count = 1, CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGet(CUdevice* device, int) {
  return *device = 0, CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  return std::strncpy(name, "Stand-in GPU", static_cast<std::size_t>(length)), CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = 9;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = 0;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
      *value = 2147483647;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
      *value = 65535;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
      *value = 64;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = 227 << 10;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      *value = 48 << 10;
      break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      *value = 1 << 20;
      break;
    default:
      *value = 1024;
  }
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice) {
  return std::strncpy(text, "0000:00:00.0", static_cast<std::size_t>(length)), CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice) {
  return *bytes = std::size_t{2} << 30, CUDA_SUCCESS;
}
EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  return *context = reinterpret_cast<CUcontext>(&bytes_free), CUDA_SUCCESS;
}
EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  return CUDA_SUCCESS;
}
EXPORT CUresult cuCtxSetCurrent(CUcontext) {
  return CUDA_SUCCESS;
}
EXPORT CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = bytes_free;
  return *total = std::size_t{2} << 30, CUDA_SUCCESS;
}
EXPORT CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  if (bytes > bytes_free || behaves("full")) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(512, (bytes + 511) / 512 * 512));
  return CUDA_SUCCESS;
}
EXPORT CUresult cuMemFree(CUdeviceptr address) {
  return std::free(reinterpret_cast<void*>(address)), CUDA_SUCCESS;
}
EXPORT CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), CUDA_SUCCESS;
}
EXPORT CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return std::memcpy(to, reinterpret_cast<void*>(from), bytes), CUDA_SUCCESS;
}
EXPORT CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes), CUDA_SUCCESS;
}
EXPORT CUresult cuMemsetD32Async(CUdeviceptr, unsigned, std::size_t, CUstream) {
  return CUDA_SUCCESS;
}
EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  return std::memset(reinterpret_cast<void*>(to), value, bytes), CUDA_SUCCESS;
}
EXPORT CUresult cuStreamCreate(CUstream* stream, unsigned) {
  return *stream = reinterpret_cast<CUstream>(&bytes_free), CUDA_SUCCESS;
}
EXPORT CUresult cuStreamDestroy(CUstream) {
  return CUDA_SUCCESS;
}
EXPORT CUresult cuStreamQuery(CUstream) {
  if (user_kernel_launched && behaves("endless")) return CUDA_ERROR_NOT_READY;
  return user_kernel_launched && behaves("sticky") ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}
EXPORT CUresult cuEventCreate(CUevent* event, unsigned) {
  return *event = reinterpret_cast<CUevent>(new FakeEvent), CUDA_SUCCESS;
}
EXPORT CUresult cuEventDestroy(CUevent event) {
  return delete reinterpret_cast<FakeEvent*>(event), CUDA_SUCCESS;
}
EXPORT CUresult cuEventRecord(CUevent event, CUstream) {
  return reinterpret_cast<FakeEvent*>(event)->when = std::chrono::steady_clock::now(), CUDA_SUCCESS;
}
EXPORT CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  const auto span = reinterpret_cast<FakeEvent*>(end)->when - reinterpret_cast<FakeEvent*>(begin)->when;
  return *milliseconds = std::chrono::duration<float, std::milli>(span).count(), CUDA_SUCCESS;
}
EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void*, unsigned, CUjit_option*, void**) {
  if (behaves("old-ptx")) return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  return *module = reinterpret_cast<CUmodule>(new FakeFunction), CUDA_SUCCESS;
}
EXPORT CUresult cuModuleUnload(CUmodule module) {
  return delete reinterpret_cast<FakeFunction*>(module), CUDA_SUCCESS;
}
EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  reinterpret_cast<FakeFunction*>(module)->name = name;
  return *function = reinterpret_cast<CUfunction>(module), CUDA_SUCCESS;
}
EXPORT CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
           : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS            ? 16
                                                                : 0;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) {
  return CUDA_SUCCESS;
}
EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned,
                               unsigned, unsigned, CUstream, void** arguments, void**) {
  const auto& kernel = *reinterpret_cast<FakeFunction*>(function);
  if (kernel.is_helper()) return CUDA_SUCCESS;
  if (behaves("refuses")) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  user_kernel_launched = true;
  if (kernel.name.find("4copyPfPKfi") == std::string::npos) return CUDA_SUCCESS;
  const auto pointer = [&](int i) { return *static_cast<void**>(arguments[i]); };
  std::memcpy(pointer(0), pointer(1),
              sizeof(float) * static_cast<std::size_t>(*static_cast<int*>(arguments[2])));
  return CUDA_SUCCESS;
}
// NVRTC asks for this, to keep what it compiled in the driver's cache; it does without.
EXPORT CUresult cuGetExportTable(const void**, const CUuuid*) {
  return CUDA_ERROR_NOT_FOUND;
}
EXPORT CUresult cuGetErrorName(CUresult result, const char** name) {
  return *name = result == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR",
         CUDA_SUCCESS;
}
#ifndef STAND_IN_OLD
EXPORT CUresult cuGetErrorString(CUresult result, const char** text) {
  return *text =
             result == CUDA_ERROR_ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "an error",
         CUDA_SUCCESS;
}
#endif
