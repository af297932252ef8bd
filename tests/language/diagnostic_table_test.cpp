// What is said about a text that is wrong or outside of the language: one thing, at its place, with a remedy.
#include <gtest/gtest.h>

#include <string>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"

namespace warplens::language {
namespace {

struct Row {
  const char* text;
  const char* place;  // "line:column-line:column", the end behind the last byte
  const char* message;
  const char* remedy;
};

#define K "__global__ void k(float* a, int n) {\n  "

constexpr Row kRows[] = {
    {K "a[0] = 1\n}", "2:11-3:1", "expected ';' after the expression", ""},
    {K "a[0] = (n + 1;\n}", "2:16-2:17", "expected ')' after the expression in parentheses, before ';'", ""},
    {K "a[0 = 1;\n}", "2:10-2:11", "expected ']' after the index, before ';'", ""},
    {K "if (n > 3 { a[0] = 1; }\n}", "2:12-2:13", "expected ')' after the condition of 'if', before '{'", ""},
    {K "for (int i = 0; i < n) a[i] = 0;\n}", "2:24-2:25",
     "expected ';' after the condition of 'for', not ')'", ""},
    {K "a[0] = ;\n}", "2:10-2:11", "expected an expression, not ';'", ""},
    {K "else a[0] = 1;\n}", "2:3-2:7", "'else' without 'if'", "look for a ';' or '}' too many before it"},
    {K "int 3x = 1;\n}", "2:7-2:9", "expected the name of a variable, not '3x'", ""},
    {K "a[0] = 09;\n}", "2:10-2:12", "'9' is not an octal digit", ""},
    {K "a[0] = \"text\n;\n}", "2:10-2:15", "this string does not end", "end it with \" on the same line"},
    {K "a[0] = 1 @ 2;\n}", "2:12-2:13", "stray '@' in the text", ""},
    {"__global__ void k(float* a {\n  a[0] = 1;\n}", "1:27-1:28",
     "expected ')' after the parameters, before '{'", ""},
    {"__global__ void k(float* a) {\n  a[0] = 1;\n", "1:29-1:30",
     "the '{' that begins the body of 'k' has no '}'", "look for a missing '}'"},
    {"__global__ int k(float* a) { }", "1:16-1:17", "a kernel returns void, not 'int'",
     "return values through a pointer"},
    {"#define F(x x\n__global__ void k(float* a) { a[0] = 1; }", "1:13-1:14",
     "the parameters of macro 'F' are malformed", "write them as in #define F(a, b) or #define F(...)"},
    {"#if 1\n__global__ void k(float* a) { a[0] = 1; }", "1:1-1:4", "this conditional has no #endif",
     "end it with #endif"},
    {"#error no\n__global__ void k(float* a) { }", "1:1-1:10", "#error: no", ""},
    {"#define F(a, b) a + b\n__global__ void k(float* p) {\n  p[0] = F(1);\n}", "3:10-3:11",
     "macro 'F' takes 2 arguments, not 1", ""},
    {K "a[0] = b;\n}", "2:10-2:11", "'b' is not declared here", ""},
    {K "flot x = 1;\n}", "2:3-2:7", "unknown type 'flot'", "did you mean 'float'?"},
    {K "a[0] = sqrtff(2.0f);\n}", "2:10-2:16", "function 'sqrtff' is not declared here",
     "did you mean 'sqrtf'?"},
    {K "float4 v = {};\n  a[0] = v.q;\n}", "3:12-3:13", "'float4' has no member 'q'",
     "it has 'x', 'y', 'z', 'w'"},
    {K "int n = 2;\n  int n = 3;\n}", "3:7-3:8", "'n' is already declared in this block, in line 2", ""},
    {K "const int c = 1;\n  c = 2;\n}", "3:3-3:4", "'c' is const and cannot be changed",
     "remove the const, or use another variable"},
    {K "(n > 3 ? a[0] : a[1]) = 1;\n}", "2:4-2:23", "an assignment to '?:' is not supported",
     "write it with if and else"},
    {"constexpr int t[2] = {1, 2};\n" K "a[0] = t[n & 1] + t[1];\n}", "3:10-3:18",
     "'t' is an array of the host: nvcc refuses an index that is not known when compiling",
     "make it a __device__ constexpr array of the file"},
    {K "3 = n;\n}", "2:3-2:4", "'3' is a value, not a variable: it cannot be changed", ""},
    {K "a = 1.5f;\n}", "2:3-2:11", "cannot convert 'float' to 'float*'", ""},
    {K "int* p = a;\n}", "2:12-2:13", "cannot convert 'float*' to 'int*'", "use reinterpret_cast"},
    {K "a[1.5f] = 1;\n}", "2:3-2:10", "an index must be an integer, not 'float'", "convert it with int(...)"},
    {K "n[0] = 1;\n}", "2:3-2:4", "'int' is neither an array nor a pointer", ""},
    {K "*n = 1;\n}", "2:3-2:5", "'*' needs a pointer, not 'int'", ""},
    {K "a->x = 1;\n}", "2:6-2:7", "'float' has no members", ""},
    {K "n.x = 1;\n}", "2:5-2:6", "'int' has no members", ""},
    {K "a[0] = n % 1.5f;\n}", "2:10-2:18", "'%' needs integers, not 'int' and 'float'", "use fmodf(a, b)"},
    {K "a[0] = a * a;\n}", "2:10-2:15", "'*' cannot combine 'float*' and 'float*'", ""},
    {K "a[0] = ~1.5f;\n}", "2:10-2:15", "'~' needs an integer, not 'float'", ""},
    {K "int x[n];\n}", "2:9-2:10", "an array's extent must be known when compiling",
     "use constants and template parameters"},
    {K "int x[0];\n}", "2:9-2:10", "an array cannot have 0 elements", ""},
    {K "int x[];\n}", "2:7-2:8", "array 'x' has no extent", "write one: [N]"},
    {K "int x[2] = {1, 2, 3};\n}", "2:21-2:22", "too many values for 'int[2]'", ""},
    {K "auto x;\n}", "2:8-2:9", "'auto' needs a value to take its type from", ""},
    {K "void x;\n}", "2:8-2:9", "a variable cannot have type 'void'", ""},
    {K "break;\n}", "2:3-2:9", "'break' stands outside of a loop or switch", ""},
    {K "return 1;\n}", "2:10-2:11", "a kernel returns nothing", "write the result to memory"},
    {K "switch (n) { case 1: break; case 1: break; }\n}", "2:31-2:38", "this case stands twice in the switch",
     ""},
    {K "switch (a[0]) { }\n}", "2:11-2:15", "'switch' needs an integer, not 'float'", ""},
    {K "__shared__ float s[4] = {1};\n}", "2:27-2:30", "a __shared__ variable cannot have an initial value",
     "assign it in one thread, then __syncthreads()"},
    {K "__shared__ float s[];\n}", "2:20-2:21", "shared array 's' has no extent",
     "write one, or make it extern __shared__"},
    {K "extern __shared__ float s[4];\n}", "2:27-2:28", "'s' is extern and must leave its first extent open",
     "write [] and give the size at the launch"},
    {K "static float x;\nx[0] = 1;\n}", "3:1-3:2", "'float' is neither an array nor a pointer", ""},
    {K "if constexpr (n) a[0] = 1;\n}", "2:17-2:18",
     "the condition of 'if constexpr' must be known when compiling", "use a plain 'if'"},
    {K "float& r = 1.0f;\n}", "2:14-2:18", "'float&' cannot refer to a value of type 'float'",
     "copy it to a variable, or make the reference const"},
    {"__device__ int f(int x) { return x; }\n" K "a[0] = f();\n}", "3:10-3:11",
     "'f' takes 1 argument, 0 are given", ""},
    {"__device__ int f(int x) { return f(x - 1); }\n" K "a[0] = f(n);\n}", "1:34-1:42",
     "'f' calls itself: recursion is not supported",
     "write a loop, or a template that ends with if constexpr"},
    {"__device__ void f(float& x) { x = 1; }\n" K "f(1.0f);\n}", "3:5-3:9",
     "'float' cannot be passed to parameter 'x' of 'f', which is 'float&'", "pass a variable"},
    {"__device__ void f(int) {}\n__device__ void f(float) {}\n" K "f(a);\n}", "4:3-4:4",
     "none of the 2 functions 'f' takes (float*)", ""},
    {"int f(int x) { return x; }\n" K "a[0] = f(n);\n}", "3:10-3:11",
     "'f' is a host function: a kernel cannot call it", "mark it __device__"},
    {"__device__ int f(int x);\n" K "a[0] = f(n);\n}", "3:10-3:11",
     "'f' is declared, but its body is not in this file", ""},
    {K "k(a, n);\n}", "2:3-2:4", "'k' is a kernel: device code cannot call it",
     "make it a __device__ function"},
    {"__device__ int f() { }\n" K "a[0] = f();\n}", "1:16-1:17",
     "'f' returns nothing, but should return 'int'", "end it with a return"},
    {"template <int N> __device__ int f() { return N; }\n" K "a[0] = f<n>();\n}", "3:12-3:13",
     "template argument 'N' must be known when compiling", "use constants and template parameters"},
    {"template <typename T> __device__ T f() { return T(); }\n" K "a[0] = f();\n}", "3:10-3:11",
     "the template arguments of 'f' do not fit or cannot be deduced", "write them: f<...>(...)"},
    {K "a[0] = __shfl_down_sync(~0u, a, 1);\n}", "2:10-2:37", "a shuffle moves numbers, not 'float*'", ""},
    {K "atomicAdd(a[0], 1.0f);\n}", "2:13-2:17", "'atomicAdd' needs an address, not 'float'",
     "write & before it"},
    {K "__syncthreads(1);\n}", "2:3-2:19", "'__syncthreads' takes 0 arguments, 1 is given", ""},
    {K "atomicMin(&a[0], 1.0f);\n}", "2:3-2:25", "'atomicMin' does not exist for 'float'",
     "it takes int, unsigned int and 64-bit integers"},
    {"struct V { float x; float len() { return x; } };\n" K "V v{1};\n  a[0] = v.len();\n}", "4:12-4:15",
     "'len' is a member function for the host: a kernel cannot call it", "mark it __device__"},
    {"struct V { float x; __device__ float len() { return x; } };\n" K "const V v{1};\n  a[0] = v.len();\n}",
     "4:12-4:15", "'len' may change its object, which is const here",
     "declare the function const: len(...) const"},
    {"struct V { float x; };\n" K "V v{1};\n  a[0] = v.len();\n}", "4:12-4:15",
     "'V' has no member function 'len'", ""},
    {"struct V { float x; __device__ V(float a) : y(a) {} };\n" K "V v(1);\n}", "1:45-1:49",
     "'V' has no member 'y'", ""},
    {"struct V { float x; V(float a) : x(a) {} };\n" K "V v(1);\n}", "3:6-3:9",
     "'V' has constructors for the host alone", "mark them __device__, or assign its members"},
    {"struct V { float x; };\n" K "V v{1}, w{2};\n  v = v + w;\n}", "4:9-4:10",
     "there is no operator '+' for 'V' and 'V'",
     "CUDA defines none for vector types and structs: write it for each member, or define operator+"},
    {"struct V { float x; __device__ ~V() { x = 0; } };\n" K "V v{1};\n  a[0] = v.x;\n}", "1:32-1:33",
     "destructors are not supported in device code", "call a function at the end"},
    {"#include \"cute/tensor.hpp\"\nstruct Size { int n; };\n__global__ void k(GRID Size const size, float* "
     "a) { a[0] = size.n; }",
     "3:19-3:23", "'GRID' is not known here: it seems to be a macro",
     "\"cute/tensor.hpp\" may declare GRID, and is not here: put it beside the file, or give its folder (-I "
     "FOLDER)"},
    {"__device__ INLINE const float& f(const float& x) { return x; }\n" K "a[0] = f(a[1]);\n}", "1:12-1:18",
     "'INLINE' is not known here: it seems to be a macro", ""},
    {"template <class T> struct S { virtual __device__ T f() = 0; };\n" K "S<float>* s = 0;\n}", "1:31-1:38",
     "virtual functions and virtual bases are not supported", "call a function directly"},
    {"struct R { int& n; };\n" K "R r{n};\n  a[0] = r.n;\n}", "1:15-1:18",
     "references as members are not supported", "make it a pointer"},
    {"template <class T> struct S { __device__ T f(); };\ntemplate <class U> __device__ U S<U>::f() { int T "
     "= 1; return T; }\n" K "a[0] = S<float>().f();\n}",
     "2:49-2:50", "'T' is what the struct calls a parameter of its template",
     "call the parameters here as the struct does"},
    {"struct S { __device__ float f(); };\n__device__ float S::f() { goto x; return 1.0f; }\n" K
     "a[0] = S().f();\n}",
     "2:27-2:31", "goto is not supported in a kernel", "use a loop, if, break or continue"},
    {K "float x = x + sizeof(x);\n}", "2:13-2:14", "'x' is used in its own initial value", ""},
    {"const int N = 4;\n__global__ void k(float* a) {}\n__global__ void k(float a[N][N]) {}", "3:17-3:18",
     "the file has 2 kernels: k(float*), k(float(*)[N])", "choose one by its name"},
    {"struct B { float x; };\nstruct V : virtual B { float y; };\n" K "V v;\n}", "2:12-2:19",
     "virtual functions and virtual bases are not supported", "call a function directly"},
    {"typedef float F;\nstruct V : F { float y; };\n" K "V v;\n}", "2:12-2:13",
     "'float' cannot be a base class", ""},
    {"struct B { float x; };\nstruct V { float y; };\n" K "V v;\n  B* p = &v;\n}", "5:10-5:12",
     "cannot convert 'V*' to 'B*'", "use reinterpret_cast"},
    {"union U { int i; float f; };\n" K "U u = {1, 2.0f};\n}", "3:13-3:17", "too many values for 'U'", ""},
    {"union U { int i; float f; };\n" K "U u;\na[0] = u.g;\n}", "4:10-4:11", "'U' has no member 'g'",
     "it has 'i', 'f'"},
    {"struct P { float x, y; };\n" K "P p = {.y = 1, .x = 2};\n}", "3:23-3:24", "too many values for 'P'",
     ""},
    {"struct V { int b : 3; };\n" K "V v;\n}", "1:18-1:19", "bit fields are not supported",
     "shift and mask an integer"},
    {"struct S { S s; };\n" K "S s;\n}", "1:14-1:15", "member 's' cannot have this type", ""},
    {K "this->x = 1;\n}", "2:3-2:7", "'this' has no meaning outside of a member function", ""},
    {K "asm(\"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 %0, %0;\" : \"+r\"(n));\n}", "2:3-2:81",
     "the PTX instruction 'wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16' is not simulated",
     "m64nNk16 of f16 and bf16, k8 of tf32, k32 of s8, u8, e4m3 and e5m2 are simulated, without .sp"},
    {K "asm(\"tcgen05.fence::before_thread_sync;\");\n}", "2:3-2:45",
     "the PTX instruction 'tcgen05.fence::before_thread_sync' is not simulated",
     "use mma.sync on fragments that ldmatrix loads"},
    {K "asm(\"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %1}], [%1];\" :: \"l\"(a), "
       "\"r\"(n));\n}",
     "2:3-2:104",
     "which tensor map 'cp.async.bulk.tensor.2d.global.shared::cta.bulk_group' uses is not known when "
     "compiling",
     "give it the address of a parameter of the kernel: const __grid_constant__ CUtensorMap map"},
    {"__global__ void k(const __grid_constant__ CUtensorMap m, int n) {\n"
     "asm(\"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%1];\" :: \"l\"(&m), "
     "\"r\"(n));\n}",
     "2:1-2:99", "what 'm' holds is not known: the file's host code does not name one type of its elements",
     "write the call that makes it into the file: cuTensorMapEncodeTiled(&m, "
     "CU_TENSOR_MAP_DATA_TYPE_FLOAT16, ...)"},
    {K "asm(\"istypep.samplerref p, %0;\" :: \"l\"(a));\n}", "2:3-2:46",
     "the PTX instruction 'istypep.samplerref' is not simulated",
     "write it in C++; ldmatrix, stmatrix, mma.sync, cp.async, ld, st, atom, cvta and arithmetic are "
     "simulated"},
    {K "asm(\"again: add.s32 %0, %0, 1; bra again;\" : \"+r\"(n));\n}", "2:3-2:57",
     "a jump in inline PTX is not simulated, but forwards behind a try to wait", "write the branch in C++"},
    {K "asm(\"mov.u32 %0, %%smid;\" : \"=r\"(n));\n}", "2:3-2:40",
     "the PTX register '%smid' is not simulated",
     "which multiprocessor a block runs on is not simulated: go by the block's index"},
    {K "asm(\"mov.u32 %0, t;\" : \"=r\"(n));\n}", "2:3-2:35",
     "the PTX register 't' is read before it has a value", ""},
    {K "asm(\"mov.u32 %0, 1;\" : \"=x\"(n));\n}", "2:3-2:35", "the asm constraint \"=x\" is not supported",
     ""},
    {K "asm(n);\n}", "2:7-2:8", "asm needs its instructions as a string", ""},
    {K "asm(\"cp.async.cg.shared.global [%0], [%1], 8;\" :: \"r\"(n), \"l\"(a));\n}", "2:3-2:69",
     "'cp.async.cg.shared.global' copies 16 bytes, known when compiling", ""},
    {K "asm(\"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0}, {%0}, {%0}, {%0};\" : \"+r\"(n));\n}",
     "2:3-2:92", "the PTX instruction 'mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16' is not simulated",
     "mma.sync of m16n8k8 and k16 (f16, bf16), k4 and k8 (tf32), k16 and k32 (s8, u8), k32 (e4m3, "
     "e5m2), and of m8n8k16 (s8, u8), row.col, is simulated"},
    {K "int m = 2;\nm++;\nauto f = [](int i) { return i + m; };\na[0] = f(1);\n}", "4:33-4:34",
     "'m' is not declared here", ""},
    {K "auto f = [2](int i) { return i; };\n}", "2:13-2:14",
     "expected the name of what the lambda captures, not '2'", ""},
    {"__device__ void f(float* a, State& s) {\n  a[0] = 1;\n}\n" K "f(a, a[0]);\n}", "1:29-1:34",
     "unknown type 'State'", ""},
    {K "a[0] = ({ int t = n; t * t; });\n}", "2:11-2:12",
     "a block in parentheses, which GNU's C has, is not supported",
     "write a lambda: [&] { ...; return x; }()"},
    {K "float* p = new float[4];\n}", "2:14-2:17", "new is not supported in a kernel",
     "use a local or __shared__ array, or a buffer that is a parameter"},
    {K "float* p = (float*)malloc(16);\n}", "2:22-2:28", "malloc is not supported in a kernel",
     "use a local or __shared__ array, or a buffer parameter"},
    {K "try { a[0] = 1; } catch (...) { }\n}", "2:3-2:6", "exceptions are not supported in device code",
     "return an error value instead"},
    {K "throw 1;\n}", "2:3-2:8", "exceptions are not supported in device code",
     "return an error value instead"},
    {K "for (float x : a) { }\n}", "2:18-2:19",
     "a range-based for goes through an array here, not through a 'float*'",
     "write for (int i = 0; i < n; ++i)"},
    {K "static_assert(sizeof(float) == 8, \"wide\");\n}", "2:3-2:45",
     "this static_assert does not hold: nvcc refuses the kernel", "choose other template arguments"},
    {K "auto [x, y, z] = make_float2(1, 2);\n}", "2:8-2:37",
     "3 names cannot be bound to the parts of 'float2'",
     "write a name for each member of a struct or element of an array"},
    {K "n = FIXME; // FIXME\n  // FIXME: more\n}\nvoid host() { int i = FIXME; }", "2:7-2:12",
     "'FIXME' is not declared here", "lines 2, 5 say FIXME: they are left to write"},
    {K "int i = FIXME // the index\n  a[i] = n;\n}", "2:16-2:17", "expected ';' after the declaration",
     "line 2 says FIXME: it is left to write"},
    {K "k<<<{1, 2}, {32}>>>(a + n, {n});\n}", "2:3-2:34",
     "the grid that this kernel launches is not simulated: its accesses are not in the counts, and what it "
     "writes is not there",
     "report the launched kernel by itself"},
    {K "cudaDeviceSynchronize();\n}", "2:3-2:26",
     "CUDA 12 took cudaDeviceSynchronize out of kernels; here it waits for nothing", ""},
    {K "decltype(m) x = 1;\n}", "2:12-2:13", "'m' is not declared here", ""},
    {K "float (*f)(float) = sqrt;\n}", "2:23-2:27",
     "'sqrt' is the name of several functions: which one is passed here?",
     "pass a __device__ function of your own that calls it"},
    {K "float (*f)(float) = sinf;\nf = cosf;\n}", "3:1-3:9",
     "which function this is must be known when compiling",
     "call functions by their names, or pass them as template arguments"},
    {K "a[0] = tex2D<float>(0, 1, 2);\n}", "2:23-2:24",
     "'tex2D' needs a texture or surface that is known when compiling, not 'int'",
     "pass the kernel's parameter, or name the reference"},
    {"__global__ void k(cudaTextureObject_t t, float* a) {\na[0] = tex1Dfetch<float>(t, 0);\na[1] = "
     "tex1Dfetch<int>(t, 1);\n}",
     "3:8-3:29", "'t' is read as 'int' here and as 'float' elsewhere", "read it as one type"},
    // What an object holds that is read as floats follows from one description of the file, or not at all.
    {"__global__ void k(cudaTextureObject_t t, float* a) {\na[0] = tex1Dfetch<float>(t, 0);\n}\nvoid f() {\n"
     "d.readMode = cudaReadModeNormalizedFloat;\n}",
     "2:8-2:31", "what 't' holds is not known: the file reads a texture with cudaReadModeNormalizedFloat",
     "let the file describe one such texture, cudaCreateChannelDesc<uchar4>(), or read integers and divide"},
    {"__global__ void k(cudaTextureObject_t t, float* a) {\na[0] = tex1Dfetch<float>(t, 0);\n}\nvoid f() {\n"
     "d.readMode = cudaReadModeNormalizedFloat;\ne = cudaCreateChannelDesc<unsigned char>();\n"
     "e = cudaCreateChannelDesc<float>();\n}",
     "2:8-2:31", "what 't' holds is not known: the file reads a texture with cudaReadModeNormalizedFloat",
     "let the file describe one such texture, cudaCreateChannelDesc<uchar4>(), or read integers and divide"},
    {"__global__ void k(cudaTextureObject_t t, float* a) {\na[0] = tex1Dfetch<float>(t, 0);\na[1] = "
     "tex1Dfetch<float2>(t, 0).x;\n}\nvoid f() {\n"
     "d.readMode = cudaReadModeNormalizedFloat;\ne = cudaCreateChannelDesc<unsigned char>();\n}",
     "3:8-3:32", "'t' is read as 'float2' here and as 'float' elsewhere", "read it as one type"},
    {"__global__ void k(cudaTextureObject_t t, double* a) {\na[0] = tex1Dfetch<double>(t, 0);\n}", "2:8-2:32",
     "a texture or surface cannot hold 'double'",
     "use numbers of up to 32 bits, or vectors of one, two or four of them"},
    {K "__shared__ cuda::barrier<cuda::thread_scope_device> b;\n}", "2:14-2:54",
     "'barrier' is declared, but not defined for these arguments", ""},
    {K "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 8, int, nvcuda::wmma::row_major> f;\n"
       "nvcuda::wmma::load_matrix_sync(f, a, 16);\n}",
     "3:1-3:31",
     "none of the 36 functions 'load_matrix_sync' takes (nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, "
     "16, 8, int, nvcuda::wmma::row_major>, float*, int)",
     ""},
    {K "a[0] = clock();\n}", "2:10-2:17", "'clock' counts up by 1000 with each call here",
     "time is measured on a GPU, never simulated"},
    {K "memcpy(a, a + 4, n);\n}", "2:3-2:22",
     "'memcpy' needs a number of bytes that is known when compiling, at most 1024",
     "copy element by element, in a loop"},
    {K "std::vector<float> v(3);\n}", "2:3-2:21", "'vector' is for the host: a kernel cannot use it",
     "use an array, a pointer or a plain struct"},
    {K "a[0] = \"text\";\n}", "2:3-2:16", "cannot convert 'const char*' to 'float'", ""},
    {"template <typename... T> __global__ void k(T... t) { }", "1:19-1:22",
     "parameter packs are not supported", "write the parameters out"},
    {"template <typename T> using P = T*;\n__global__ void k(P<> a) { a[0] = 1; }", "2:19-2:22",
     "template argument 'T' is missing", ""},
    {"template <typename T> constexpr T most = T(9);\n" K "a[0] = most<>;\n}", "3:10-3:16",
     "template argument 'T' is missing", ""},
    {K "std::enable_if_t<false, int> x = 1;\n}", "2:32-2:33", "'enable_if<holds, T>' has no type 'type'", ""},
    {"__global__ void k(float& x) { x = 1; }", "1:19-1:27", "parameter 'x' of a kernel cannot be a reference",
     "pass a pointer or a value"},
    {"MY_API\n__global__ void k(float* a) { a[0] = 1; }", "1:1-1:7",
     "'MY_API' is not known here: it seems to be a macro", ""},
    {"__global__ void k(float* a, ...) { }", "1:29-1:32",
     "parameter packs and variable arguments are not supported", "write the parameters out"},
    {K "a[0] = typeid(n).name();\n}", "2:10-2:16", "typeid is not supported in device code", ""},
    {K "thread_local int x = 0;\n}", "2:3-2:15", "thread_local is not supported in device code",
     "a local variable is each thread's own"},
    {"__device__ int f(int);\n__device__ int g(int);\n" K "int (*h)(int);\nh = n ? f : g;\n}", "5:5-5:14",
     "which function this is must be known when compiling",
     "call functions by their names, or pass them as template arguments"},
    {K "__pipeline_memcpy_async(a, a, n);\n}", "2:3-2:35",
     "'__pipeline_memcpy_async' copies 4, 8 or 16 bytes, known when compiling",
     "copy element by element, in a loop"},
    {K "a[0] = __match_all_sync(~0u, n, nullptr);\n}", "2:10-2:26", "'__match_all_sync' is not simulated",
     "use __ballot_sync"},
    {K "a[0] = __syncthreads_count();\n}", "2:10-2:31", "'__syncthreads_count' takes 1 argument, 0 are given",
     ""},
    {K "a[0] = __syncthreads_or(a);\n}", "2:27-2:28", "cannot convert 'float*' to 'int'", ""},
    {K "cooperative_groups::coalesced_group g = cooperative_groups::coalesced_threads();\n}", "2:3-2:38",
     "type 'coalesced_group' is not supported", "thread blocks and tiles of up to 32 threads are"},
    {"int x;", "1:1-1:1", "the file has no kernel", "mark one: __global__ void name(...) { ... }"},
    {"__global__ void k(int* a);\nvoid run(int* a) { k<<<1, 32>>>(a); }", "1:1-1:1", "the file has no kernel",
     "'k' is only declared here: give the file that defines it"},
    {"", "1:1-1:1", "the file has no kernel", "mark one: __global__ void name(...) { ... }"},
    {"__global__ void k(int* p) { p[0] = 1 / 0; }", "1:36-1:41", "division by zero", ""},
    {K "a[0] = erfinvf(a[1]);\n}", "2:10-2:17", "'erfinvf' is not simulated",
     "use another function, or pass its values in a buffer"},
    {"typedef float Row[0];\n" K "Row r;\n}", "1:19-1:20", "an array cannot have 0 elements", ""},
    {"__device__ int d = 5, e = d + 1;\n" K "a[0] = e;\n}", "1:27-1:32",
     "the initial value of a variable of the file must be known when compiling",
     "use constants and template parameters"},
    {K "a[0] = thredIdx.x;\n}", "2:10-2:18", "'thredIdx' is not declared here", "did you mean 'threadIdx'?"},
    {K "int count = 0;\n  a[0] = cuont;\n}", "3:10-3:15", "'cuont' is not declared here",
     "did you mean 'count'?"},
    {K "{ int b = 1; }\n  a[0] = b;\n}", "3:10-3:11", "'b' is not declared here", ""},
    {K "n(3);\n}", "2:3-2:4", "'n' is not a function", ""},
    {"__device__ int f(int x, int y) { return x + y; }\n" K "a[0] = f(1, a);\n}", "3:15-3:16",
     "'float*' cannot be passed to parameter 'y' of 'f', which is 'int'", ""},
    {"__device__ void g(int x) {}\n__device__ void g(unsigned x) {}\n" K "g(1.5f);\n}", "4:3-4:4",
     "which 'g' is meant? 2 fit equally well", "convert the arguments to the parameters' types"},
    {"__device__ int g(int n);\n__device__ int f(int n) { return g(n); }\n__device__ int g(int n) { return "
     "f(n); }\n" K "a[0] = f(n);\n}",
     "3:34-3:38", "'f' calls itself: recursion is not supported",
     "write a loop, or a template that ends with if constexpr"},
    {"template <int N> __device__ int f() { return f<N + 1>(); }\n" K "a[0] = f<0>();\n}", "1:46-1:56",
     "calls are nested too deeply: more than 64 functions", ""},
    {"__global__ void k(const float* b) {\n  float* p = b;\n}", "2:14-2:15",
     "cannot convert 'const float*' to 'float*'", "declare the pointer const as well"},
    {"__global__ void k(const float* b) {\n  b[0] = 1;\n}", "2:3-2:7",
     "'b[0]' is const and cannot be changed", "remove the const, or use another variable"},
    {K "threadIdx.x = 3;\n}", "2:3-2:14", "'threadIdx.x' is const and cannot be changed",
     "remove the const, or use another variable"},
    {K "int x[3], y[3];\n  x = y;\n}", "3:3-3:4", "'x' is an array and cannot be assigned as a whole",
     "assign its elements in a loop"},
    {K "static int s = n;\n}", "2:18-2:19",
     "the initial value of a variable of the file must be known when compiling",
     "use constants and template parameters"},
    {K "int big[1000000];\n}", "2:7-2:10",
     "'big' is too large: a thread has 524288 bytes of local memory, and 4000000 are needed", ""},
    {K "switch (n) { case 1: continue; }\n}", "2:24-2:33", "'continue' stands outside of a loop", ""},
    {K "switch (n) { case 2: case n: break; }\n}", "2:29-2:30", "a case must be known when compiling",
     "use constants and template parameters"},
    {"int m = 3;\n" K "a[0] = m;\n}", "3:10-3:11", "'m' exists on the host only",
     "make it constexpr or __device__, or pass it to the kernel as a parameter"},
    {K "int x[3] = {0};\n  a[0] = x[3];\n}", "3:10-3:14",
     "index 3 is outside of the array, which has 3 elements", ""},
    {"template <int N> __global__ void k(float* a) { a[0] = N; }", "1:34-1:35",
     "template argument 'N' is missing", "give the template arguments of 'k': --template ..."},
    {"struct P { float* v[140]; };\n__global__ void k(P p) { }", "2:19-2:22",
     "parameter 'p' has type 'P': kernels take numbers, pointers and small structs here",
     "pass its members one by one"},
};

#undef K

std::string place_text(const cuda::SourceRange& range) {
  return std::to_string(range.begin.line) + ":" + std::to_string(range.begin.column) + "-" +
         std::to_string(range.end.line) + ":" + std::to_string(range.end.column);
}

TEST(DiagnosticTable, OneAtItsPlace) {
  for (const Row& row : kRows) {
    sim::CompileRequest request;
    request.text = row.text;
    const sim::CompileResult result = sim::compile(request);
    EXPECT_EQ(result.diagnostics.size(), 1u) << row.text;
    if (result.diagnostics.empty()) continue;
    const cuda::Diagnostic& d = result.diagnostics[0];
    EXPECT_EQ(place_text(d.range), row.place) << row.text;
    EXPECT_EQ(d.message, row.message) << row.text;
    EXPECT_EQ(d.remedy, row.remedy) << row.text;
    EXPECT_EQ(result.program.has_value(), d.severity == cuda::Severity::Warning) << row.text;
  }
}

TEST(DiagnosticTable, ShownWithLineCaretAndRemedy) {
  const std::string text = "__global__ void k(float* a, int n) {\n  goto end;\n}";
  sim::CompileRequest request;
  request.text = text;
  const sim::CompileResult result = sim::compile(request);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(cuda::render(result.diagnostics[0], text, "k.cu"),
            "k.cu:2:3: error: goto is not supported in a kernel\n"
            "    goto end;\n"
            "    ^~~~\n"
            "  use a loop, if, break or continue\n");
}

// A run that fails names the access itself, not the statement around it.
TEST(DiagnosticTable, OutOfRangeUnderlinesTheAccess) {
  const char* const texts[] = {
      "__global__ void k(float* a, const float* b, int n) {\n  a[0] = 2.0f * b[n * 900] + 1;\n}",
      "__constant__ float b[4];\n__global__ void k(float* a, int n) {\n  a[0] = 2.0f * b[n * 900] + 1;\n}",
      "__global__ void k(float* a, int n) {\n  float b[4] = {1};\n  a[0] = 2.0f * b[n * 900] + 1;\n}"};
  for (const std::string text : texts) {
    sim::CompileRequest request;
    request.text = text;
    const sim::CompileResult compiled = sim::compile(request);
    ASSERT_TRUE(compiled.program) << text;
    sim::Launch launch;
    for (const sim::KernelParameter& p : compiled.program->parameters) {
      if (p.name == "n") launch.arguments["n"] = std::int64_t{7};
      if (p.is_pointer && p.symbol_elements == 0) launch.arguments[p.name] = sim::Buffer{32, sim::Fill::Zero};
    }
    const sim::GridValues values = sim::run_grid(*compiled.program, launch, memory::default_gpu_model());
    ASSERT_TRUE(values.error) << text;
    EXPECT_EQ(values.error->kind, sim::RunError::Kind::OutOfRange);
    const auto begin = static_cast<std::size_t>(values.error->range.begin.offset);
    const auto end = static_cast<std::size_t>(values.error->range.end.offset);
    EXPECT_EQ(text.substr(begin, end - begin), "b[n * 900]");
  }
}

}  // namespace
}  // namespace warplens::language
