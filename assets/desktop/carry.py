#!/usr/bin/env python3
"""What an archive brings along, so that it runs unpacked where nothing but a driver's OpenGL is installed.

    carry.py PREFIX FONT_PACKAGES PROGRAM...      FONT_PACKAGES: with commas between them

Into PREFIX/lib/warplens go the libraries that the programs need, and those that the libraries open by name; into
PREFIX/share/warplens/fonts the fonts of the packages that the programs name; into PREFIX/share/doc/warplens/carried the
copyright file of the Debian package that each is from. Left to the machine is what its OpenGL needs itself, as Mesa's does here, and
what is of the same source as that: glibc, libstdc++, libX11, zlib. A copy of another release would be handed to its driver."""
import functools
import pathlib
import re
import shutil
import subprocess
import sys

FONTS = pathlib.Path("/usr/share/fonts")
LICENCES = pathlib.Path("/usr/share/common-licenses")
OPENGL = re.compile(r"lib(OpenGL|EGL|GL|GLX|GLES\w*|OSMesa|vulkan)\b")  # and what is like it


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def all_needed(file):
    """Name and place of what the loader loads for the file, whoever asks for it."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", file), re.M)
    missing = re.findall(r"^\s*(\S+) => not found", output("ldd", file), re.M)
    if missing:
        sys.exit(f"carry.py: {file} needs {', '.join(missing)}, which is not installed")
    return dict(found)


def cached():
    """Name and place of every library that could be opened by its name."""
    lines = output("/sbin/ldconfig", "-p").splitlines()
    return dict(reversed([(line.split()[0], line.split()[-1]) for line in lines if " => " in line and "x86-64" in line]))


def of_the_machine(names):
    """The sources of what its OpenGL needs, with the drivers that Mesa brings."""
    opengl = [place for name, place in names.items() if OPENGL.match(name)]
    folders = {pathlib.Path(place).parent for place in opengl}
    drivers = {path.resolve() for folder in folders for kind in ("dri/*.so", "libgallium-*.so") for path in folder.glob(kind)}
    if not drivers:
        sys.exit("carry.py: no OpenGL driver is installed here to look at: libgl1-mesa-dri")
    return {source_of(place) for file in [*opengl, *drivers] for place in all_needed(file).values()}


def carried(programs):
    names = cached()
    left, found, waiting = of_the_machine(names), {}, list(programs)
    while waiting:
        file = waiting.pop()
        # A library that opens others says their names; it does without those that are not there.
        text = pathlib.Path(file).read_bytes().decode("latin-1") if file not in programs else ""
        opened = {name: names[name] for name in re.findall(r"\blib[\w+-]+\.so\.\d+(?=\0)", text) if name in names}
        for name, place in {**all_needed(file), **opened}.items():
            if name not in found and not OPENGL.match(name) and source_of(place) not in left:
                found[name] = place
                waiting.append(place)
    return found


@functools.cache
def package_of(file):
    """The one that the file is from; the loader may name it by /lib, which is /usr/lib."""
    real = str(pathlib.Path(file).resolve())
    for path in (real, real.removeprefix("/usr"), file):
        told = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if told.returncode == 0:
            return told.stdout.split(": ")[0].split(":")[0]
    sys.exit(f"carry.py: no Debian package has {file}, whose licence would have to travel with it")


@functools.cache
def source_of(file):
    return output("dpkg-query", "-W", "-f", "${source:Package}\n", package_of(file)).splitlines()[0]


def put(file, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def main():
    if not shutil.which("dpkg"):
        sys.exit("carry.py: the archive is made on Debian or Ubuntu, whose packages say what may travel and under which licence")
    prefix, packages, programs = pathlib.Path(sys.argv[1]), sys.argv[2].split(", "), sys.argv[3:]
    sources = set()
    for name, place in sorted(carried(programs).items()):
        put(place, prefix / "lib/warplens" / name)
        sources.add(package_of(place))
        print(f"carried: {name}")
    named = b"".join(pathlib.Path(program).read_bytes() for program in programs)
    for package in packages:
        files = [pathlib.Path(line) for line in output("dpkg", "-L", package).splitlines()]
        fonts = [file for file in files if FONTS in file.parents and file.is_file() and file.name.encode() in named]
        if not fonts:
            sys.exit(f"carry.py: the programs name no font of {package}")
        for file in fonts:
            put(file, prefix / "share/warplens/fonts" / file.relative_to(FONTS))
        sources.add(package)
    told = prefix / "share/doc/warplens/carried"
    for package in sorted(sources):
        copyright_of = pathlib.Path("/usr/share/doc") / package / "copyright"
        put(copyright_of, told / f"{package}.copyright")
        for licence in re.findall(rf"{LICENCES}/([\w.-]*\w)", copyright_of.read_text(errors="replace")):
            put((LICENCES / licence).resolve(), told / licence)  # Debian's files refer to them


main()
