"""Warplens from Python: which memory a kernel of Triton or CuPy touches, predicted exactly.

    import warplens
    warplens.show(kernel[grid], x, y, n, BLOCK=128)            # Triton: as the kernel is launched
    warplens.show(raw_kernel, grid, block, (x, y, n))          # CuPy: a RawKernel, and what it is called with; or a
    warplens.show(raw_module, grid, block, (x, y, n), name="k<int>")    # RawModule, and which of its kernels
    report = warplens.report(kernel[grid], x, y, n, BLOCK=128) # the dict of docs/report.md; in a notebook a picture

`show` opens the window, `report` runs warplens-cli. Nothing is launched and no array is changed: the compiler only makes PTX.
The PTX, a launch document and the arrays that decide addresses are written into a folder (`folder=`, or a temporary one).
The programs are looked up in $WARPLENS_BIN, beside this file's installation, and on PATH.
"""
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

__all__ = ["Error", "Report", "report", "show", "write"]

# Elements of arrays and types of Triton, as a launch document names them.
_ELEMENTS = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "complex64": "f64", "bool": "u8", "int8": "i8",
             "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32", "int64": "i64", "uint64": "u64"}
_TRITON = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64", "i1": "u8", "u1": "u8"}
_BYTES = {"8": 1, "16": 2, "32": 4, "64": 8}
_MOST_BYTES = 1 << 30  # of an array that is written as a file


class Error(Exception):
    """What cannot be shown, and what to do."""


class _Memory:
    """What is behind a pointer: the whole allocation, so that arrays that overlap do so in the simulation too."""

    def __init__(self, array):
        self.offset, self.type = 0, _ELEMENTS.get(str(array.dtype).split(".")[-1], "u8")
        if hasattr(array, "untyped_storage"):  # PyTorch
            storage = array.untyped_storage()
            self.begin, self.bytes = storage.data_ptr(), storage.nbytes()
            self.offset = array.data_ptr() - self.begin

            def read():
                whole = sys.modules["torch"].empty(0, dtype=sys.modules["torch"].uint8, device=array.device)
                return whole.set_(storage).cpu().numpy().tobytes()
        elif hasattr(array, "data") and hasattr(array.data, "mem"):  # CuPy
            memory = array.data.mem
            self.begin, self.bytes = memory.ptr, memory.size
            self.offset = array.data.ptr - self.begin

            def read():
                cupy = sys.modules["cupy"]
                return cupy.ndarray((self.bytes,), cupy.uint8, cupy.cuda.MemoryPointer(memory, 0)).get().tobytes()
        else:
            raise Error(f"{type(array).__name__} is neither an array of PyTorch or CuPy nor a number")
        self.read = read


def _is_array(value):
    return hasattr(value, "dtype") and (hasattr(value, "untyped_storage") or hasattr(getattr(value, "data", None), "mem"))


def _number(value, type_name):
    if type_name.startswith("f") or type_name == "bf16":
        return {type_name: float(value)}
    return {type_name: int(value)}


class _Launch:
    """A kernel's PTX and its launch: `arguments` in the order of the PTX's parameters, each an array or a launch document's."""

    def __init__(self, kernel, ptx, source, grid, block, shared_bytes, arguments):
        self.kernel, self.ptx, self.source, self.arguments = kernel, ptx, source, arguments
        self.grid, self.block = ([int(n) for n in sizes] + [1] * (3 - len(sizes)) for sizes in (grid, block))
        self.shared_bytes = shared_bytes


def _of_triton(launcher, arguments, keywords):
    """kernel[grid] is a function that knows both; asked to warm up, it compiles and does not launch."""
    known = dict(zip(launcher.__code__.co_freevars, (cell.cell_contents for cell in launcher.__closure__ or ())))
    kernel, grid = known.get("self"), known.get("grid")
    if not hasattr(kernel, "run") or grid is None:
        raise Error("the first argument is neither kernel[grid] of a Triton kernel nor a RawKernel of CuPy")
    compiled = kernel.run(*arguments, grid=grid, warmup=True, **keywords)
    function = kernel
    while not hasattr(function, "arg_names") or hasattr(function, "configs") or hasattr(function, "values"):
        if not hasattr(function, "fn"):
            break
        function = function.fn  # behind @autotune and @heuristics
    given = {**dict(zip(function.arg_names, arguments)), **keywords}
    for name, parameter in inspect.signature(function.fn).parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            given.setdefault(name, parameter.default)
    if hasattr(kernel, "best_config"):
        given.update(kernel.best_config.all_kwargs())
    if callable(grid):
        grid = grid(given)
    constants = {key if isinstance(key, str) else function.arg_names[key[0]] for key in compiled.src.constants}
    made = []
    for name, type_name in compiled.src.signature.items():
        if isinstance(name, int):
            name = function.arg_names[name]
        if type_name == "constexpr" or name in constants:
            continue
        value = given[name]
        if type_name.startswith("*"):
            made.append(value if value is not None else {"null": True})
        elif type_name in _TRITON or re.fullmatch(r"[iu](8|16|32|64)", type_name):
            made.append(_number(value, _TRITON.get(type_name, type_name)))
        else:
            raise Error(f"the argument {name} has the type {type_name}, which a launch document cannot hold")
    threads = 32 * compiled.metadata.num_warps
    source = pathlib.Path(inspect.getsourcefile(function.fn))
    return _Launch(compiled.metadata.name, compiled.asm["ptx"], (source.name, source.read_text(encoding="utf-8")), grid, (threads,),
                   compiled.metadata.shared, made)


def _of_cupy(kernel, grid, block, arguments, shared_mem, name):
    """NVRTC is asked by CuPy's own binding, with line numbers, which RawKernel leaves out."""
    if not kernel.code:
        raise Error("the kernel comes from a RawModule and has no text: pass the RawModule, and name=\"...\"")
    from cupy.cuda import nvrtc
    import cupy
    is_template = "<" in name
    file = f"{re.split(r'[<(]', name)[0].split('::')[-1]}.cu"
    program = nvrtc.createProgram(kernel.code, file, [], [])
    try:
        if is_template:
            nvrtc.addNameExpression(program, name)
        options = list(getattr(kernel, "options", ()) or ())
        if not any("arch" in option for option in options):
            options.append(f"--gpu-architecture=compute_{cupy.cuda.Device().compute_capability}")
        try:
            nvrtc.compileProgram(program, [*options, "-lineinfo", "-default-device"])
        except nvrtc.NVRTCError as error:
            raise Error(f"NVRTC: {nvrtc.getProgramLog(program)}") from error
        ptx = nvrtc.getPTX(program)
        entry = nvrtc.getLoweredName(program, name) if is_template else name
    finally:
        nvrtc.destroyProgram(program)
    ptx, entry = (text.decode() if isinstance(text, bytes) else text for text in (ptx, entry))
    made = []
    for value in arguments:
        if value is None:
            made.append({"null": True})
        elif _is_array(value):
            made.append(value)
        elif isinstance(value, (bool, int, float)):  # as CuPy passes them
            made.append({"u8": int(value)} if isinstance(value, bool) else _number(value, "i64" if isinstance(value, int) else "f64"))
        elif str(getattr(value, "dtype", "")) in _ELEMENTS and str(value.dtype) != "complex64":
            made.append(_number(value, _ELEMENTS[str(value.dtype)]))
        elif hasattr(value, "tobytes"):
            made.append({"bytes": value.tobytes().hex()})
        else:
            raise Error(f"an argument has the type {type(value).__name__}, which a launch document cannot hold")
    return _Launch(entry, ptx.rstrip("\0"), (file, kernel.code), grid, block, shared_mem, made)


def _launch_of(kernel, arguments, keywords):
    if hasattr(kernel, "code") and hasattr(kernel, "backend"):
        name = keywords.get("name") or getattr(kernel, "name", None)
        if len(arguments) != 3 or not name:
            raise Error("with CuPy, call warplens.show(raw_kernel, grid, block, arguments), or pass a RawModule and name=\"...\"")
        return _of_cupy(kernel, *arguments, shared_mem=keywords.get("shared_mem", 0), name=name)
    if not callable(kernel) or not hasattr(kernel, "__code__"):
        raise Error("the first argument is neither kernel[grid] of a Triton kernel nor a RawKernel of CuPy")
    return _of_triton(kernel, arguments, keywords)


def _program(name):
    here = pathlib.Path(__file__).resolve()
    folders = [os.environ.get("WARPLENS_BIN"), *(parent / "bin" for parent in here.parents[:4])]
    for folder in folders:
        if folder and os.access(pathlib.Path(folder) / name, os.X_OK):
            return str(pathlib.Path(folder) / name)
    found = shutil.which(name)
    if not found:
        raise Error(f"{name} is not found: install Warplens, or name its folder in WARPLENS_BIN")
    return found


def _asked(*words):
    done = subprocess.run([_program("warplens-cli"), *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise Error(done.stderr.strip())
    return done.stdout


def write(kernel, *arguments, folder=None, **keywords):
    """Writes PTX, source, arrays and launch document; the path of the document."""
    launch = _launch_of(kernel, arguments, keywords)
    folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="warplens-"))
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"\W+", "_", launch.kernel)
    source_name, source = launch.source
    (folder / f"{stem}.ptx").write_text(launch.ptx, encoding="utf-8")
    (folder / source_name).write_text(source, encoding="utf-8")
    memories, by_begin, made = {}, {}, []
    for i, argument in enumerate(launch.arguments):
        if not _is_array(argument):
            made.append(argument)
            continue
        memory = _Memory(argument)
        name = by_begin.setdefault(memory.begin, f"memory{len(by_begin)}")
        first = memories.setdefault(name, memory)
        width = _BYTES[re.sub(r"\D", "", first.type)]
        made.append({"buffer": first.type, "elements": max(1, -(-memory.bytes // width)), "name": name,
                     **({"offset": memory.offset} if memory.offset else {})})
    document = {"schema": "warplens.launch/1", "code": f"{stem}.ptx", "kernel": launch.kernel,
                **({"source": source_name} if "\t.loc" in launch.ptx or " .loc" in launch.ptx else {}),  # no line numbers: the PTX is the text
                "grid": launch.grid, "block": launch.block, "shared_bytes": launch.shared_bytes, "arguments": made}
    path = folder / f"{stem}.launch.json"

    def save():
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")

    # The arrays that decide addresses, and those that decide which of them do: asked for until there are no others.
    save()
    for _ in made:
        steering = {int(entry["buffer"].rpartition("_")[2]) for entry in json.loads(_asked("report", str(path), "--json")).get("steering", [])}
        wanted = {made[i]["name"] for i in steering} - {argument["name"] for argument in made if "contents" in argument}
        if not wanted:
            break
        for name in wanted:
            if memories[name].bytes > _MOST_BYTES:
                raise Error(f"an array that decides addresses has {memories[name].bytes} bytes; at most {_MOST_BYTES} can be written")
            (folder / f"{name}.bin").write_bytes(memories[name].read())
            next(argument for argument in made if argument.get("name") == name)["contents"] = {"file": f"{name}.bin"}
        save()
    return path


class Report(dict):
    """What `warplens-cli report --json` says (docs/report.md); in a notebook its picture and its table."""

    def __init__(self, path):
        super().__init__(json.loads(_asked("report", str(path), "--json")))
        self.path = path

    def __str__(self):
        return _asked("report", str(self.path))

    def svg(self, view="access"):
        """The picture of the costliest access; other views: warplens-cli render --help."""
        picture = self.path.with_suffix(".svg")
        _asked("render", str(self.path), "--view", view, "-o", str(picture))
        return picture.read_text(encoding="utf-8")

    def _repr_html_(self):
        text = str(self).replace("&", "&amp;").replace("<", "&lt;")
        return f"{self.svg()}<pre>{text}</pre>"


def report(kernel, *arguments, folder=None, **keywords):
    """The report of a launch: see Report."""
    return Report(write(kernel, *arguments, folder=folder, **keywords))


def show(kernel, *arguments, folder=None, **keywords):
    """Opens the window on a launch and goes on; the path of its launch document."""
    path = write(kernel, *arguments, folder=folder, **keywords)
    subprocess.Popen([_program("warplens"), str(path)], start_new_session=True)
    return path
