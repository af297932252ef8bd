#!/usr/bin/env python3
"""site.py BIN SITE: makes a folder of files that a browser opens Warplens from: the page, the program that
lies in BIN, and what the program reads. Any web server can hold it. Written whole or not at all; tells what
goes over the wire."""
import gzip
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "app/platform/web/page"
# What the program reads before its first picture, and after it; folders of the source tree.
FIRST = {"kernels": ["*.cu", "*.scenario.json"], "assets/languages": ["*.json"], "assets/lessons": ["*.json"],
         "assets/lectures": ["*.json"], "shaders": ["*"]}
RECORDED = {"assets/recorded": ["*.json"], "assets/compiled": ["*.gz"]}
# The program finds them where Debian has them: on screen, and in the pictures that it writes.
FONTS = ["/usr/share/fonts/opentype/inter/Inter-Regular.otf", "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
         "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
         "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Bold.ttf"]
CHINESE = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
# Latin with its accents, Greek, punctuation, arrows, mathematics, boxes and the signs of the transport.
LATIN = "U+20-7E,U+A0-17F,U+370-3FF,U+2000-206F,U+2070-209F,U+20A0-20BF,U+2100-214F,U+2190-22FF,U+2300-23FF,U+2500-26FF,U+2713-2717"


def found(folders):
    """Path in the program's file system -> bytes."""
    files = {}
    for folder, patterns in folders.items():
        for pattern in patterns:
            for file in sorted((ROOT / folder).glob(pattern)):
                if file.is_file():
                    files[f"/{folder}/{file.name}"] = file.read_bytes()
    return files


def subset(font, to, unicodes=None, text=None):
    to.parent.mkdir(parents=True, exist_ok=True)
    characters = [f"--unicodes={unicodes}"] if unicodes else [f"--text-file={text}"]
    subprocess.run(["pyftsubset", font, f"--output-file={to}", "--layout-features=", "--no-hinting", "--font-number=0",
                    *characters], check=True)
    return to.read_bytes()


def fonts(work):
    return {font: subset(font, work / pathlib.Path(font).name, unicodes=LATIN) for font in FONTS}


def chinese(work, files):
    """Every character beyond Latin in what comes with the program, and the signs that the Latin fonts may lack; a text
    of one's own may have others, which are then shown as missing."""
    characters = {c for content in files.values() for c in content.decode(errors="ignore") if ord(c) >= 0x2190}
    # The first level of GB 2312, by frequency what a text of one's own is written with.
    level = (bytes([row, column]) for row in range(0xB0, 0xD8) for column in range(0xA1, 0xFF))
    characters |= {c for pair in level for c in pair.decode("gb2312", errors="ignore")}
    text = work / "chinese.txt"
    text.write_text("".join(sorted(characters)), encoding="utf-8")
    return {CHINESE: subset(CHINESE, work / "chinese.ttf", text=text)}


def pack(files):
    """A line of JSON, [path, where it begins behind the line, bytes] of each, then the bytes; by gzip."""
    index, at = [], 0
    for path, content in files.items():
        index.append([path, at, len(content)])
        at += len(content)
    plain = json.dumps(index).encode() + b"\n" + b"".join(files.values())
    return gzip.compress(plain, 9, mtime=0)


def on_the_wire(path):
    content = path.read_bytes()
    return len(content) if path.suffix == ".pack" else len(gzip.compress(content, 9, mtime=0))


def write_worker(site):
    """The service worker knows every file, and changes whenever one does."""
    files = sorted(p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file())
    version = hashlib.sha256()
    for file in files:
        version.update(file.encode() + b"\0" + (site / file).read_bytes())
    text = (PAGE / "worker.js").read_text()
    text = text.replace("'VERSION'", json.dumps(version.hexdigest()[:16])).replace("FILES", json.dumps(["./", *files]), 1)
    (site / "worker.js").write_text(text)


def build(binaries, site, work):
    for file in PAGE.iterdir():
        if file.name != "worker.js":
            shutil.copy(file, site / file.name)
    shutil.copy(ROOT / "docs/embed.html", site / "embed.html")  # what a page of a course looks like
    for name in ("warplens.js", "warplens.wasm"):
        shutil.copy(binaries / name, site / name)
    data = site / "data"
    data.mkdir()
    texts = found(FIRST)
    (data / "first.pack").write_bytes(pack({**texts, **fonts(work)}))
    (data / "recorded.pack").write_bytes(pack(found(RECORDED)))
    (data / "chinese.pack").write_bytes(pack(chinese(work, texts)))
    sizes = {"wasm": (site / "warplens.wasm").stat().st_size, "data": (data / "first.pack").stat().st_size,
             "later": ["recorded.pack"]}
    (site / "site.json").write_text(json.dumps(sizes) + "\n")
    write_worker(site)


def tell(site):
    later = {"data/recorded.pack", "data/chinese.pack", "worker.js", "embed.html"}
    total = 0
    print(f"{'file':24} {'bytes':>10} {'by gzip':>10}")
    for path in sorted(p for p in site.rglob("*") if p.is_file()):
        name, wire = path.relative_to(site).as_posix(), on_the_wire(path)
        total += 0 if name in later else wire
        print(f"{name:24} {path.stat().st_size:10,} {wire:10,}{'  later' if name in later else ''}")
    print(f"{'first load':24} {'':10} {total:10,}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    binaries, site = map(pathlib.Path, sys.argv[1:])
    part, work = site.with_name(site.name + ".part"), site.with_name(site.name + ".work")
    for folder in (part, work):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    build(binaries, part, work)
    shutil.rmtree(site, ignore_errors=True)
    part.rename(site)
    shutil.rmtree(work)
    tell(site)


main()
