"""Kernels and documents that want more than there is, each made by a few lines, and what must be said of them."""
import base64
import json
import zlib
from dataclasses import dataclass, field


@dataclass
class Bomb:
    name: str
    text: str
    codes: tuple = (2,)          # 0 done, 2 refused with a diagnostic, 4 a limit was hit
    words: str = ""              # what the message must hold
    command: list = field(default_factory=lambda: ["report"])  # the file comes behind its first word
    options: list = field(default_factory=lambda: ["--grid", "1", "--block", "32"])
    file: str = "bomb.cu"        # - : the text comes through standard input, which stays open; empty: none
    beside: dict = field(default_factory=dict)  # further files: name -> text
    links: dict = field(default_factory=dict)   # names -> the file of this folder that they all are
    environment: dict = field(default_factory=dict)


def kernel(body, parameters="int* out, int n", before=""):
    return f"{before}\n__global__ void k({parameters}) {{\n{body}\n}}\n"


def lines(count, form):
    return "\n".join(form.format(i=i, j=i - 1, h=i // 2) for i in range(1, count + 1))


STORE = "out[threadIdx.x] = "
BIG = ["--grid", "2147483647,65535,65535", "--block", "1024"]
SOME = ["--grid", "4096", "--block", "256"]


def texts():
    """The text alone: lexer and preprocessor."""
    yield Bomb("comment without end", kernel("") + "/*" + "x" * 1_000_000, words="comment does not end")
    yield Bomb("string without end", kernel(STORE + '"' + "x" * 1_000_000), words="string does not end")
    yield Bomb("raw string without end", kernel(STORE + 'R"a(' + "x" * 1_000_000))
    yield Bomb("name of a megabyte", kernel(STORE + "x" * 1_000_000 + ";"), words="not declared")
    yield Bomb("a million empty statements", kernel(";" * 1_000_000), codes=(0, 4))
    yield Bomb("line joined a million times", kernel("int a\\\n" + "\\\n" * 500_000 + "= 1; " + STORE + "a;"),
               codes=(0,))
    yield Bomb("nothing but zero bytes", "\0" * 1_000_000)
    yield Bomb("macro that names itself", "#define f(x) f(f(x)) + f(x)\n" +
               kernel(STORE + "f(f(f(f(f(f(f(f(n))))))));"), codes=(0, 2))
    yield Bomb("pasting that doubles", "#define P(a) a ## a\n" + lines(40, "#define Q{i}(a) Q{j}(a ## a)").replace(
        "Q0(", "P(") + kernel("int Q40(xy) = 1;"), words="65,536 bytes")
    yield Bomb("quoting that doubles", "#define S(x) #x\n" + lines(60, "#define T{i}(x) T{j}(S(x))").replace(
        "T0(", "S(") + kernel('printf(T60("a\\\\b"));'), codes=(0, 2))
    yield Bomb("macro of 20,000 parameters", "#define M(" + ",".join(f"a{i}" for i in range(20_000)) + ") " +
               " ".join(f"a{i}+" for i in range(20_000)) + "0\n" +
               kernel(STORE + "M(" + ",".join(["1"] * 20_000) + ");"), codes=(2, 4))
    yield Bomb("#if within #if", "#if 1\n" * 50_000 + kernel("") + "#endif\n" * 50_000, words="nested too deeply")
    yield Bomb("#if of parentheses", "#if " + "(" * 100_000 + "1" + ")" * 100_000 + "\n#endif\n" + kernel(""))
    yield Bomb("#include chain", lines(40_000, '#include "a{i}.h"') + kernel(STORE + "n;"), codes=(0, 4))
    yield Bomb("40,000 macros in a chain", lines(40_000, "#define M{i} M{j}") + kernel(STORE + "M40000;"), words="M0")


def nesting():
    """Depth: types, templates, and of the parser what tests/cuda/robustness_test.cpp has not."""
    deep = 100_000
    yield Bomb("parentheses", kernel(STORE + "(" * deep + "1" + ")" * deep + ";"), words="nested too deeply")
    yield Bomb("pointers to pointers", kernel("", "int " + "*" * 40_000 + " p"), words="nested too deeply")
    yield Bomb("typedefs in a chain", "typedef int* T0;\n" + lines(35_000, "typedef T{j} T{i};") +
               kernel(STORE + "sizeof(T35000);"), words="nested too deeply")
    yield Bomb("typedefs of pointers", "typedef int* T0;\n" + lines(900, "typedef T{j}* T{i};") +
               kernel(STORE + "sizeof(T900);"), words="nested too deeply")
    yield Bomb("addresses of addresses", kernel("int p0 = 0;\n" + lines(2_000, "auto p{i} = &p{j};") + STORE + "n;"),
               words="nested too deeply")
    yield Bomb("array of 5,000 dimensions", kernel("int a" + "[1]" * 5_000 + "; " + STORE + "n;"),
               words="nested too deeply")
    yield Bomb("structs in structs", "".join(f"struct S{i} {{" for i in range(5_000)) + "int x;" + "};" * 5_000 +
               kernel(STORE + "n;"), codes=(0, 2))
    yield Bomb("structs that double", "struct S0 { int x; };\n" + lines(60, "struct S{i} {{ S{j} a, b; }};") +
               kernel("S60 s; " + STORE + "n;"), words="too large")
    yield Bomb("members in a chain", "struct S0 { int x; };\n" + lines(30_000, "struct S{i} {{ S{j} a; }};") +
               kernel("S30000* s = 0; " + STORE + "sizeof(*s);"), words="too many instances")
    yield Bomb("templates within templates", "template <class T> struct V { T x; };\n" +
               kernel("V<" * 400 + "int" + " >" * 400 + " v; " + STORE + "n;"), codes=(0, 2))
    yield Bomb("a template's scopes", "template <class T> struct V { typedef int t; };\n" +
               kernel("V<int>" + "::t" * 50_000 + " v; " + STORE + "n;"))
    yield Bomb("template that needs the next", "template <int N> struct V { V<N + 1> v; };\n" +
               kernel("V<0> v; " + STORE + "n;"))
    yield Bomb("function template without end",
               "template <int N> __device__ int f(int x) { return f<N + 1>(x) + 1; }\n" + kernel(STORE + "f<0>(n);"),
               words="nested too deeply")
    yield Bomb("functions that call each other", "__device__ int g(int);\n"
               "__device__ int f(int x) { return g(x) + 1; }\n__device__ int g(int x) { return f(x) + 1; }\n" +
               kernel(STORE + "f(n);"), words="recursion")
    yield Bomb("constants in a chain", "constexpr int c0 = 1;\n" + lines(30_000, "constexpr int c{i} = c{j} + 1;") +
               kernel(STORE + "c30000;"), words="nested too deeply")
    yield Bomb("aliases in a circle", "using A = B;\nusing B = A;\n" + kernel("A a; " + STORE + "n;"))


def size():
    """Width: what inlining, templates and lists make of a short text."""
    call_twice = lines(40, "__device__ int f{i}(int x) {{ return f{j}(x + {i}) * f{j}(x - {i}); }}")
    yield Bomb("calls that double", "__device__ int f0(int x) { return x * x; }\n" + call_twice +
               kernel(STORE + "f40(n);"), words="'f0' alone is inlined", codes=(2, 4))
    yield Bomb("calls that double and fold away", "__device__ void f0() {}\n" +
               lines(40, "__device__ void f{i}() {{ f{j}(); f{j}(); }}") + kernel("f40(); " + STORE + "n;"), codes=(0,))
    yield Bomb("calls that double and give nothing", "__device__ int f0(int x) { return 0; }\n" +
               lines(40, "__device__ int f{i}(int x) {{ return f{j}(x) + f{j}(x); }}") + kernel(STORE + "f40(n);"),
               words="becomes too large", codes=(2, 4))
    yield Bomb("fib<30>", "template <int N> __device__ int fib() {\n"
               "  if constexpr (N < 2) return N; else return fib<N - 1>() + fib<N - 2>();\n}\n" +
               kernel(STORE + "fib<30>();"), codes=(0,))
    yield Bomb("constexpr recursion", "constexpr __device__ int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n" +
               kernel("constexpr int x = f(40); " + STORE + "x;"), codes=(0, 2))
    yield Bomb("constexpr Ackermann", "constexpr __device__ int a(int m, int n) {\n"
               "  return m == 0 ? n + 1 : n == 0 ? a(m - 1, 1) : a(m - 1, a(m, n - 1));\n}\n" +
               kernel("constexpr int x = a(4, 4); " + STORE + "x;"))
    yield Bomb("cases", kernel("switch (n) {\n" + lines(20_000, "case {i}: out[{i} & 31] = {i}; break;") + "}"),
               codes=(0, 4))
    yield Bomb("array statements", kernel("int a[64];\n" + lines(35_000, "a[{i} & 63] = n + {i};") + STORE + "a[n & 63];"),
               codes=(0, 2, 4))
    yield Bomb("initialiser of 200,000 values", kernel("int a[200000] = {" + "1," * 200_000 + "}; " + STORE + "a[n];"),
               codes=(2, 4))
    yield Bomb("kernels", lines(20_000, "__global__ void k{i}(int* p) {{ p[{i}] = 1; }}"), words="choose one")
    yield Bomb("parameters", kernel("", ",".join(f"int* p{i}" for i in range(20_000))), codes=(0, 2))
    yield Bomb("variables", kernel(lines(40_000, "int a{i} = out[{i}];") + STORE + "a1;"), codes=(0, 4))
    yield Bomb("sums of what was before", kernel("int a0 = n;\n" + lines(24, "int a{i} = a{j} * a{j} + a{j};") +
               "int b[8]; for (int i = 0; i < 8; ++i) b[i] = i;\nb[a24 & 7] = 1; " + STORE + "b[(a24 >> 1) & 7];"),
               codes=(0,))
    yield Bomb("flow against the text", kernel("int " + ", ".join(f"a{i} = {i}" for i in range(15_001)) + ";\n"
               "for (int i = 0; i < n; ++i) {\n" + lines(15_000, "a{j} = a{i};") + "a15000 = threadIdx.x;\n}\n" +
               "out[a0 & 31] = 1;"), codes=(0, 4))
    yield Bomb("reads and writes of one variable", kernel("int x; if (n) x = 1;\n" +
               lines(15_000, "if (n == {i}) x = out[{i} & 31]; out[{i} & 31] = x;")), codes=(0, 4),
               options=["--grid", "1", "--block", "32", "--check"])
    yield Bomb("loops in a row", kernel(lines(10_000, "for (int i = 0; i < 4; ++i) n += i;") + STORE + "n;"),
               codes=(0, 4))
    yield Bomb("loops within loops", kernel("".join(f"for (int i{i} = 0; i{i} < 4; ++i{i})" for i in range(300)) +
               " ++n; " + STORE + "n;"), codes=(0, 2, 4))
    yield Bomb("a pointer's long way", kernel("const int* p0 = out;\n" + lines(8_000, "const int* p{i} = p{j} + out[{i} & 7];") +
               STORE + "*p8000;"), codes=(0, 2, 4))
    yield Bomb("one long text in many places", "__device__ int f(int* p, int n) { return p[" +
               "n" + " + n" * 500 + " /*" + "x" * 100_000 + "*/ ]; }\n" + kernel(lines(400, "out[{i} & 31] = f(out, {i} + n);")),
               codes=(0, 2, 4))
    yield Bomb("lines of one shared array", kernel("__shared__ float t[32][33];\n" +
               lines(4_000, "t[threadIdx.x][({i} + threadIdx.x) & 31] = {i};")), codes=(0, 4))


def running():
    """Compiled in a moment, but the run has no end."""
    stopped = dict(codes=(4,), words="stopped")
    loop = kernel("int i = 0; while (n >= 0) { i = i * 5 + 1; out[i & 31] = i; n = (n + 1) & 1023; }")
    yield Bomb("endless loop", loop, **stopped)
    yield Bomb("endless loop, traced", loop, command=["trace"], **stopped)
    yield Bomb("endless loop, drawn", loop, command=["render", "-o", "bomb.svg"], **stopped)
    yield Bomb("endless loop, checked", loop, options=["--grid", "1", "--block", "32", "--check"], **stopped)
    yield Bomb("endless loop, brute force", loop, options=SOME + ["--brute-force"], **stopped)
    yield Bomb("endless loop with barriers", kernel("while (true) { __syncthreads(); out[threadIdx.x] += n; __syncthreads(); }"),
               **stopped)
    yield Bomb("endless loop of arithmetic", kernel("float x = n; for (;;) { x = sinf(x) + 1; if (x < 0) break; } out[0] = x;"),
               codes=(2, 4))
    yield Bomb("lock that is never free", kernel("while (atomicCAS(out, 1, 2) != 7) atomicAdd(out + 1, 1);"),
               codes=(2, 4))
    yield Bomb("2^31 blocks and more, each its own", kernel("out[n * blockIdx.x * blockIdx.x % 7 + out[blockIdx.x & 31]] = 1;"),
               options=BIG + ["--brute-force"], **stopped)
    yield Bomb("2^31 blocks, alike", kernel("out[threadIdx.x] = n;"), options=["--grid", "2147483647", "--block", "1024"], codes=(0,))
    yield Bomb("more blocks than counts can add up", kernel("out[threadIdx.x] = n;"), options=BIG, codes=(4,))
    yield Bomb("empty kernel, brute force", kernel(""), options=BIG + ["--brute-force"], **stopped)
    yield Bomb("large local arrays", kernel("char a[500000]; a[n & 255] = 1; out[threadIdx.x] = a[threadIdx.x];"),
               options=["--grid", "100000", "--block", "1024", "--brute-force"], **stopped)
    yield Bomb("large shared arrays", kernel("__shared__ int t[12000]; t[threadIdx.x] = n; __syncthreads(); out[0] += t[n & 31];"),
               options=["--grid", "10000000", "--block", "1024", "--brute-force"], **stopped)
    yield Bomb("shared array beyond any GPU", kernel("__shared__ int t[1 << 28]; t[0] = 1; out[0] = t[n];"),
               words="too large for shared memory")
    yield Bomb("array of 2^62 elements", kernel("int a[1LL << 62]; out[0] = a[n];"), words="too large")
    yield Bomb("a terabyte is written", kernel("for (size_t i = 0; i < (1ull << 38); i += 4096) out[i + threadIdx.x] = 1;"),
               options=["--grid", "64", "--block", "32", "--brute-force"], codes=(2, 4))
    yield Bomb("a long trace", kernel("for (int i = 0; i < 100000000; ++i) out[(i * 7 + threadIdx.x) & 1023] = i;"),
               command=["trace"], options=["--grid", "1", "--block", "1024"], codes=(4,))
    yield Bomb("printf without end", kernel('for (int i = 0; i < 2000000000; ++i) { printf("%d\\n", i); out[i & 31] = i; }'),
               **stopped)
    rows = "__global__ void k(float* out, const float* in, int n) {\n  const float* x = in + blockIdx.x * n; float* y = out + blockIdx.x * n;\n" \
        "  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] * 2;\n}\n"
    yield Bomb("reasons for 16 GB, each read once", rows, codes=(0, 4), command=["report", "--why"],
               options=["--grid", "4096", "--block", "256", "--set", "n=1048576"])
    yield Bomb("reasons for sectors far apart", rows.replace("x[i] * 2", "x[(i * 2654435761u) % (unsigned)n]"), codes=(0, 4),
               command=["report", "--why"], options=["--grid", "4096", "--block", "256", "--set", "n=1048576"])
    yield Bomb("a trace without end, all of it", loop, command=["trace"], **stopped,
               options=["--grid", "1", "--block", "1024", "--events", str(1 << 62)])
    yield Bomb("two that never end, compared", loop, command=["compare"], **stopped)


def drawing():
    """The replay for a picture, and the picture itself."""
    late = kernel("unsigned x = threadIdx.x; for (int i = 0; i < {0}; ++i) x = x * 1664525u + 1013904223u;\n"
                  "for (int j = 0; j < 64; ++j) out[(x + j * 32) & 1023] = j;")
    yield Bomb("an access that comes late, drawn", late.replace("{0}", "60000000"), codes=(0, 4),
               command=["render", "-o", "bomb.png", "--view", "slide"])
    yield Bomb("accesses that come late, drawn one by one", late.replace("{0}", "20000000"), codes=(4,), words="stopped",
               command=["render", "-o", "bomb", "--view", "steps"])
    yield Bomb("a warp of many accesses, drawn", kernel("for (int i = 0; i < 3900000; ++i) out[(i * 7 + threadIdx.x * (i & 31)) & 1023] = i;"),
               codes=(0, 4), command=["render", "-o", "bomb.svg", "--view", "source"])


def as_json(fields, member, entry, count):
    """A document whose list has one entry many times over, without building it first."""
    begin = json.dumps(fields)[:-1] + (", " if fields else "")
    return f'{begin}"{member}": [' + ",".join([entry] * count) + "]}"


def scenario(**fields):
    made = {"schema": "warplens.scenario/1", "name": "bomb", "title": "bomb", "kernel": "k", "source": "k.cu",
            "parameters": [parameter("n")], "grid": ["1"], "block": ["32"], "scalars": {"n": "n"},
            "buffers": {"out": {"elements": "64"}}}
    return json.dumps({**made, **fields})


def parameter(name):
    return {"name": name, "label": name, "default": 8, "minimum": 1, "maximum": 100}


def documents():
    """What is read as JSON: validate, check, list."""
    validate = dict(file="bomb.json", command=["validate"], options=[])
    yield Bomb("a kernel from a pipe that never ends", "__global__ void k(", codes=(4,), words="stopped", file="-",
               command=["report"], options=[])
    pack = {"schema": "warplens.pack/1", "title": "t", "device": {}}
    yield Bomb("a pack of 10 million empty measurements", as_json(pack, "measurements", "{}", 10_000_000), codes=(2, 4),
               **validate)
    yield Bomb("a target against such a pack", as_json(pack, "measurements", "{}", 20_000_000), codes=(2, 4),
               file="bomb.json", command=["check", "copy", "--against"], options=[])


def scenarios():
    """What scenarios, lessons and sessions have worked out, compiled and run."""
    validate = dict(file="bomb.json", command=["validate"], options=[], beside={"k.cu": kernel(STORE + "n;")})
    many = [parameter(f"n{i}") for i in range(6_000)] + [parameter("n")]
    yield Bomb("16,000 rules over 6,000 parameters", scenario(parameters=many, requires=[{"rule": "n", "words": "w"}] * 16_000),
               codes=(0, 4), **validate)
    yield Bomb("100,000 template arguments", scenario(template=["n"] * 100_000), codes=(2, 4), **validate)
    yield Bomb("50,000 definitions", scenario(defines={f"A{i}": "n" for i in range(50_000)}), codes=(0, 2, 4), **validate)
    yield Bomb("a rule of 400,000 parentheses", scenario(shared="(" * 400_000 + "n" + ")" * 400_000), codes=(2,), **validate)
    yield Bomb("a gallery of 20,000 scenarios", "", codes=(0, 4), file="", command=["list", "scenarios"], options=[],
               beside={"kernels/k.cu": kernel(STORE + "n;"), "one.json": scenario(teaches="x" * 20_000)},
               links={f"kernels/{i}.scenario.json": "one.json" for i in range(20_000)}, environment={"WARPLENS_DATA": "."})
    show = {"scenario": "sgemm_naive", "set": {"k": 8192, "m": 1024, "n": 1024}}
    words = {"en": "w", "zh-CN": "w"}
    choices = [{"words": words, "when": f"sectors == {i}"} for i in range(40)]
    yield Bomb("a lesson that shows a long run", json.dumps({
        "schema": "warplens.lesson/1", "name": "bomb", "title": words, "goal": words,
        "steps": [{"text": words, "show": show,
                   "predict": {"question": words, "hint": words, "why": words, "choices": choices}}] * 5,
        "challenge": {"text": words, "show": show, "goals": [{"rule": "sectors < 0", "words": words}]}}), codes=(2, 4),
        **validate)
    call_twice = lines(40, "__device__ int f{i}(int x) {{ return f{j}(x + {i}) * f{j}(x - {i}); }}")
    text = "__device__ int f0(int x) { return x * x; }\n" + call_twice + kernel(STORE + "f40(n);")
    doubling = {"name": words, "scenario": "mine", "text": text, "own": {"file": "mine.cu", "kernel": "k"}}
    yield Bomb("a lecture of calls that double", json.dumps({"schema": "warplens.lecture/1", "title": words, "scenes": [doubling] * 5}),
               codes=(2, 4), **validate)
    diamonds = "struct A0 {};\n" + lines(40, "struct L{i} : A{j} {{}}; struct R{i} : A{j} {{}}; struct A{i} : L{i}, R{i} {{}};") + \
        kernel("A40 a; " + STORE + "sizeof(a);")
    own = {"scenario": "mine", "text": diamonds, "own": {"file": "mine.cu", "kernel": "k"}}
    yield Bomb("a lecture of bases in diamonds", json.dumps({
        "schema": "warplens.lecture/1", "title": words, "scenes": [{"name": words, **own}] * 20}), words="does not compile", **validate)
    packed = base64.urlsafe_b64encode(zlib.compress(json.dumps(own).encode(), 9)).decode().rstrip("=")
    yield Bomb("a link of bases in diamonds", "", file="", options=[], command=["report", f"warplens:kernel#view=1.{packed}"],
               words="too many base classes")
    constants = "\n".join(f"const int a{i} = {'1' if i == 0 else f'a{i - 1} + 1'};" for i in range(30_000))
    yield Bomb("host code of 30,000 constants", kernel(STORE + "n;") +
               f"int main() {{\n{constants}\n" + "k<<<a9, 32>>>(0, a9);\n" * 16 + "}\n", codes=(0, 2, 4),
               command=["validate"], options=[])
    yield Bomb("a GPU's program that never answers", "", codes=(0, 3), file="", command=["doctor"], options=[],
               beside={"deaf": "#!/bin/sh\ntrap '' TERM\nexec sleep 100\n"}, environment={"WARPLENS_GPU": "./deaf"})


def doubling():
    """Types, bases and calls that name the one before twice, or each other: what is worked out once for each stays small."""
    done = dict(codes=(0,))
    yield Bomb("alias templates of sizes of two", "template <int N> struct Q { char c[(N & 7) | 1]; };\n"
               "template <int N> using T0 = Q<N>;\n" +
               lines(50, "template <int N> using T{i} = Q<(sizeof(T{j}<N>) + sizeof(T{j}<N + 1>)) & 7>;") +
               kernel(STORE + "sizeof(T50<1>);"), **done)
    yield Bomb("member types that double", "template <class A, class B> struct Q {};\ntemplate <class A> struct S0 { using t = A; };\n" +
               lines(60, "template <class A> struct S{i} {{ using t = Q<typename S{j}<A>::t, typename S{j}<A>::t>; }};") +
               kernel("typename S60<int>::t x; " + STORE + "sizeof(x);"), **done)
    yield Bomb("bases in diamonds of a template", "template <int N, int W> struct D;\n"
               "template <int N> struct A : D<N, 0>, D<N, 1> {};\ntemplate <int N, int W> struct D : A<N - 1> {};\n"
               "template <> struct A<0> {};\n" + kernel("A<40> a; " + STORE + "sizeof(a);"), words="too many base classes")
    yield Bomb("400 bases in a chain", "struct A0 { int x; };\n" + lines(400, "struct A{i} : A{j} {{}};") +
               kernel("A400 a; a.x = n; " + STORE + "a.x;"), **done)
    yield Bomb("functions of 300 bases that double", "struct A0 { __device__ int f0() { return 1; } };\n" +
               lines(300, "struct A{i} : A{j} {{ __device__ int f{i}() {{ return f{j}() + f{j}(); }} }};") +
               kernel("A300 a; " + STORE + "a.f300();"), codes=(2, 4))
    yield Bomb("250 bases side by side", lines(250, "struct B{i} {{ int x{i}; }};") + "\nstruct D : " +
               ", ".join(f"B{i}" for i in range(1, 251)) + " {};\n" + kernel("D d; d.x250 = n; " + STORE + "d.x250;"), **done)
    yield Bomb("bases that take their own struct", "template <class D, int N> struct C {};\n"
               "template <int N> struct X : X<N - 1>, C<X<N>, N> { int a; };\ntemplate <> struct X<0> {};\n" +
               kernel("X<200> x; " + STORE + "sizeof(x);"), **done)
    yield Bomb("results that are measured twice", "template <class T> __device__ auto f0(T x) { return x; }\n" +
               lines(40, "template <class T> __device__ decltype(f{j}(T()) + f{j}(T())) f{i}(T x) {{ return x; }}") +
               kernel(STORE + "f40(n);"), codes=(0, 2))
    yield Bomb("types of sums of what was before", kernel("int a0 = n;\n" + lines(400, "decltype(a{j} + a{j}) a{i} = a{j};") +
               STORE + "a400;"), **done)
    yield Bomb("sizes of calls that double", "__device__ int f0(int x) { return x; }\n" +
               lines(40, "__device__ int f{i}(int x) {{ return sizeof(f{j}(x) + f{j}(x + 1)); }}") + kernel(STORE + "sizeof(f40(n));"),
               codes=(0, 2, 4))
    yield Bomb("sizes of two templates before", "template <int N> struct T { char c[((sizeof(T<N - 1>) + sizeof(T<N - 2>)) & 63) | 1]; };\n"
               "template <> struct T<0> { char c; };\ntemplate <> struct T<1> { char c; };\n" + kernel(STORE + "sizeof(T<100>);"), **done)
    yield Bomb("default arguments that double", "__device__ int f0(int x = 1) { return x; }\n" +
               lines(40, "__device__ int f{i}(int x = f{j}() + f{j}()) {{ return x; }}") + kernel(STORE + "f40();"), **done)
    yield Bomb("template arguments that are left out and double", "template <class A, class B> struct Q {};\ntemplate <class T0" +
               "".join(f", class T{i} = Q<T{i - 1}, T{i - 1} >" for i in range(1, 60)) +
               ">\n__device__ int f() { return sizeof(T59); }\n" + kernel(STORE + "f<int>();"), codes=(0, 2))
    yield Bomb("constants of two before", "constexpr __device__ int f0(int x) { return x; }\n" +
               lines(40, "constexpr __device__ int f{i}(int x) {{ return f{j}(x) + f{j}(x + {i}); }}") +
               kernel("constexpr int x = f40(1); " + STORE + "x;"), codes=(0, 2))
    yield Bomb("enumerators of two before", "enum E { e0 = 1, " + ", ".join(f"e{i} = e{i - 1} + e{i - 1} - 1" for i in range(1, 200)) +
               " };\n" + kernel(STORE + "(int)e199;"), **done)
    yield Bomb("lambdas that double", kernel("auto f0 = [=](int x) { return x + n; };\n" +
               lines(30, "auto f{i} = [=](int x) {{ return f{j}(x) + f{j}(x + 1); }};") + STORE + "f30(n);"), codes=(2, 4))
    yield Bomb("launches of what doubles", kernel(STORE + "n;") + "int main() {\nint a0 = 1;\n" + lines(60, "int a{i} = a{j} + a{j};") +
               "int* p; cudaMalloc(&p, 4 * a60); k<<<a60, 32>>>(p, a59); }\n", codes=(0, 2, 4))


def choosing():
    """Overloads, specialisations, members: as many uses as there are of them."""
    done = dict(codes=(0,))
    calls = "out[0] = f(n);\n" * 1500
    yield Bomb("overloads in namespaces, called as often", lines(
        2_000, "namespace n{i} {{ __device__ int f(int a) {{ return {i}; }} }} using namespace n{i};") + kernel(calls),
               words="fit equally well")
    yield Bomb("explicit arguments, called as often", lines(
        1500, "template <int N> __device__ int f(int x, int (*)[{i}] = nullptr) {{ return x; }}") +
               kernel(lines(1500, "out[0] = f<{i}>(n);")), words="1500 fit equally well")
    yield Bomb("specialisations, called as often", "template <int N> __device__ int f(int x) { return N; }\n" +
               lines(1500, "template <> __device__ int f<{i}>(int x) {{ return x + {i}; }}") + kernel(lines(1500, "out[0] = f<{i}>(n);")),
               **done)
    yield Bomb("partial specialisations", "template <" + ", ".join(f"int A{i}" for i in range(8)) +
               "> struct V { static constexpr int v = 0; };\n" + "\n".join(
                   "template <" + ", ".join(f"int A{k}" for k in range(7)) + "> struct V<" + ", ".join(f"A{k}" for k in range(7)) +
                   f", {i}> {{ static constexpr int v = {i}; }};" for i in range(3_000)) + kernel(STORE + "V<" + "1, " * 7 + "2>::v;"),
               **done)
    yield Bomb("constructors, called as often", "struct C { int x;\n" + lines(1500, "__device__ C(int (*p)[{i}]) : x({i}) {{}}") +
               "__device__ C(int t) : x(t) {} };\n" + kernel("{ C c(n); out[0] = c.x; }\n" * 1500), codes=(0, 4))
    yield Bomb("a function of a struct of 3,000 members, called often", "struct M { " + "".join(f"int f{i}; " for i in range(3_000)) +
               "__device__ void g(int x) { f7 += x; } };\n" + kernel("M m; m.f7 = 0;\n" + "m.g(n);\n" * 500 + STORE + "m.f7;"),
               codes=(0, 4))
    yield Bomb("copies of structs of 250 members", "struct M { " + "".join(f"int f{i}; " for i in range(250)) + "};\n" +
               kernel("M m[100];\n" + "m[n] = m[n + 1];\n" * 500 + STORE + "m[n].f7;"), codes=(0, 2, 4))
    yield Bomb("450 arguments to deduce", "template <" + ", ".join(f"class T{i}" for i in range(450)) + "> __device__ int f(" +
               ", ".join(f"T{i} a{i}" for i in range(450)) + ") { return 1; }\n" + kernel(STORE + "f(" + ", ".join(["n"] * 450) + ");"),
               codes=(0, 2))
    yield Bomb("a megabyte of space in an access", "__device__ void f(int* p, int n) { p[" + " " * 900_000 + "n] = p[n + 1]; }\n" +
               kernel("f(out, n);\n" * 2_000), codes=(0, 2, 4))
    yield Bomb("branches that change one variable", kernel("int a = n;\n" + "".join(
        f"if (a & {1 << i % 30}) a += {i}; else a -= {i};\n" for i in range(15_000)) + STORE + "a;"), codes=(0, 4))
    yield Bomb("loads that any turn may change", kernel("for (int i = 0; i < n; ++i) {\n" + "".join(
        f"out[i + {i}] = out[i * n + {i}];\n" for i in range(6_000)) + "}"), codes=(0, 2, 4))
    deep = 100_000
    yield Bomb("members that are named in members", "struct P { int x; };\n" + kernel("P p = {" + ".x = " * deep + "1};"),
               words="nested too deeply")
    yield Bomb("template parameters of templates", "template <" * deep, words="")
    yield Bomb("addresses in addresses of PTX", kernel('asm volatile("ld.global.u32 %0, ' + "[a, " * deep + '" : "=r"(n));'), words="PTX")


def host(body, before=""):
    return f"{kernel('out[threadIdx.x] = n;')}{before}\nint main(int argc, char** argv) {{\nint* out; int n = 7;\n{body}\nk<<<1, 32>>>(out, n);\n}}\n"


def nested(count, opens, inside=""):
    return opens * count + inside + "}" * count


def hosts():
    """Host code, which is gone through and not run."""
    calls = {"diamonds": "{{ g{i}(); g{i}(); }}", "either way": "{{ if (f()) g{i}(); else g{i}(); }}"}
    for name, body in calls.items():
        functions = lines(61, "void g{i}();") + "\n" + "\n".join(f"void g{i}() " + body.format(i=i + 1) for i in range(1, 61))
        yield Bomb("calls in " + name, host("g1();", functions + "\nvoid g61() {}"), codes=(0,), options=[])
    doubling = "struct D0 { int a; };\n" + lines(40, "struct D{i} {{ D{j} a, b; }};")
    for name, body, before in (
            ("loops that nobody knows", nested(60, "while (f(n)) { n++;"), ""), ("ways that nobody knows", nested(60, "if (f(n)) n++; else {"), ""),
            ("switches in switches", nested(60, "switch (f()) { case 1: case 2: n++;"), ""), ("a recursion without end", "r(1);", "int r(int a) { return r(a + 1) + r(a - 1); }"),
            ("a loop without end", "while (true) n = n + 1;", ""), ("an array of 4 GiB", "int a[1 << 30]; for (int i = 0; i < (1 << 30); ++i) a[i] = i;", ""),
            ("structs that double", "D40 s; D40 t = s; n = sizeof(D40);", doubling), ("a struct in itself", "S s; S t = s;", "struct S { S a; S* p; int n; };"),
            ("a formula that doubles", "n = n + n;\n" * 400, ""), ("a vector without end", "std::vector<int> v; for (;;) v.push_back(n);", ""),
            ("20,000 functions", "", lines(20_000, "int f{i}(int a) {{ return a + {i}; }}")), ("20,000 launches", lines(20_000, "k<<<{i}, 32>>>(out, n);"), ""),
            ("an alias of itself", "A a; n = sizeof(A);", "typedef B A;\ntypedef A B;"), ("overflows", "n = (-2147483647 - 1) / -1; n = 5 % 0; n = 1 << 99;", "")):
        yield Bomb("host code: " + name, host(body, before), codes=(0, 2), options=[])


def modules():
    """PTX, as a stranger's compiler would not make it."""
    def ptx(body, before="", registers=".reg .b32 %r<100>; .reg .pred %p<4>; .reg .b64 %rd<4>;"):
        return (f".version 8.0\n.target sm_80\n.address_size 64\n{before}\n.visible .entry k(.param .u64 a)\n"
                f"{{\n{registers}\n{body}\nret;\n}}\n")

    for name, text, words in (
            ("200,000 blocks", ptx(lines(200_000, "L{i}: setp.eq.u32 %p1, %r1, {i}; @%p1 bra L{i};")), "more than"),
            ("a switch of 16,000 labels",
             ptx("brx.idx %r1, T; T: .branchtargets " + "E, " * 15_999 + "E; E:"), "labels"),
            ("30,000 jumps over one another", ptx("\n".join(
                f"setp.eq.u32 %p1, %r1, {i}; @%p1 bra L{min(i + 6, 29_999)}; L{i}: add.u32 %r1, %r1, 1;" for i in range(30_000))), "nested more than"),
            ("100,000 functions", ptx("", lines(100_000, ".func f{i}() {{ ret; }}")), ""),
            ("60,000 jumps to one place", ptx(lines(60_000, "setp.eq.u32 %p1, %r1, {i}; @%p1 bra E;") + "E:"), "basic blocks"),
            ("braces 200,000 deep", ptx("{" * 200_000 + "}" * 200_000), "nested more than"),
            ("loops 3,000 deep", ptx(lines(3_000, "L{i}:") + "\n".join(f"setp.lt.u32 %p1, %r1, {i}; @%p1 bra L{i};" for i in range(3_000, 0, -1))),
             "nested more than"),
            ("calls that double", ptx("call f59, ();", ".func f0() { ret; }\n" + lines(59, ".func f{i}() {{ call f{j}, (); call f{j}, (); ret; }}")),
             "with what it calls"),
            ("a function that calls itself", ptx("call f, ();", ".func f() { call f, (); ret; }"), "'f' calls itself"),
            ("shared memory of 2^63 bytes", ptx("mov.u32 %r1, s;", ".shared .align 4 .b8 s[9223372036854775807];"), "than any GPU"),
            ("2^31 registers", ptx("mov.u32 %r1, 1;", registers=".reg .b32 %r<2147483647>;"), ""),
            ("a vector of 100,000 registers", ptx("ld.global.v4.u32 {" + "%r1," * 100_000 + "%r2}, [%rd1];"), ""),
            ("an instruction of 500,000 operands", ptx("add.u32 " + "%r1," * 500_000 + "%r1;"), "operands"),
            ("a switch of 50,000 ways", ptx("t: .branchtargets " + ", ".join(f"L{i}" for i in range(50_000)) + ";\nbrx.idx %r1, t;\n" +
                                            "".join(f"L{i}: " for i in range(50_000))), ""),
            ("a loop without end", ptx("ld.param.u64 %rd1, [a];\nL: ld.global.u32 %r1, [%rd1];\nbra L;"), "never ends")):
        yield Bomb("PTX: " + name, text, codes=(0, 2), words=words, options=["--grid", "1", "--block", "32", "--set", "a=1"] if "without" not in name else
                   ["--grid", "1", "--block", "32"], file="bomb.ptx")


def all_bombs():
    """One after another: some are large."""
    for group in (texts, nesting, size, doubling, choosing, running, drawing, hosts, modules, documents, scenarios):
        yield from group()
