#!/usr/bin/env python3
"""Pictures without a display: the same twice, of the size asked for, different where something differs, and in the
colours that say what is costly and what is ideal."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from png import Picture  # noqa: E402

program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_pictures_"))
failures = []
COSTLY, IDEAL = (0xe8, 0x74, 0x3b), (0x4f, 0xd8, 0x32)


def take(name, *arguments, size="1280x720", of=("transpose_shared", "--step", "3")):
    path = folder / (name + ".png")
    done = subprocess.run([program, *of, "--set", "nrows=2048", "--set", "ncols=2048", "--size", size,
                           "--screenshot", str(path), *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{name}: ended with {done.returncode}: {done.stderr}")
    return path


def share(picture, color, left, top, right, bottom):
    """Pixels of about this colour in the part of the picture given in shares of its width and height."""
    count = 0
    for y in range(int(top * picture.height), int(bottom * picture.height)):
        row = picture.rows[y]
        for x in range(int(left * picture.width), int(right * picture.width)):
            count += all(abs(row[3 * x + c] - color[c]) <= 12 for c in range(3))
    return count


first, again = take("first"), take("again")
if first.read_bytes() != again.read_bytes():
    failures.append("the same picture twice is not the same file")
for size in ("1920x1080", "3840x2160"):
    picture = Picture(take(size, size=size))
    if f"{picture.width}x{picture.height}" != size:
        failures.append(f"asked for {size}, got {picture.width}x{picture.height}")
# The same calls and shaders as OpenGL ES 3.0, which browsers have, give the same picture.
for name, arguments in {"es": [], "es_map": ["--view", "map"]}.items():
    core = Picture(take(name + "_core", *arguments))
    os.environ["WARPLENS_OPENGL"] = "es"
    es = Picture(take(name, *arguments))
    del os.environ["WARPLENS_OPENGL"]
    far = sum(1 for a, b in zip(b"".join(core.rows), b"".join(es.rows)) if abs(a - b) > 1)
    if far > 0:
        failures.append(f"{name}: {far} bytes of the picture are not those of OpenGL 3.3")
others = {"light": ["--theme", "light"], "chinese": ["--lang", "zh-CN"], "padded": ["--set", "pad=2"], "later": ["--wavefront", "9"],
          "present": ["--present"], "compare": ["--compare", "pad=2"], "rung": ["--compare", "rung"],
          "compare_present": ["--compare", "pad=2", "--present"], "map": ["--view", "map"],
          "map_zoomed": ["--view", "map", "--keys", "Shift F10, +, +, +"], "arriving": ["--at", "0.1"],
          "fixed": ["--keys", "Ctrl D"],
          "sliding": ["--then", "pad=1", "--at", "0.17"]}
for name, arguments in others.items():
    if take(name, *arguments).read_bytes() == first.read_bytes():
        failures.append(f"{name}: the picture is the same as without {' '.join(arguments)}")

# Alone with all parameters, with one, with none: three pictures.
alone = [take(f"alone_{i}", "--alone", *controls, size="800x450").read_bytes()
         for i, controls in enumerate(([], ["--controls", "pad"], ["--controls", ","]))]
if len(set(alone)) != 3:
    failures.append(f"{len(set(alone))} pictures differ, of three with other parameters offered")

# In the middle of a motion: the same twice, different a moment later, and at rest at its end.
if take("sliding_again", *others["sliding"]).read_bytes() != (folder / "sliding.png").read_bytes():
    failures.append("the same moment of a motion twice is not the same picture")
if take("sliding_later", "--then", "pad=1", "--at", "0.25").read_bytes() == (folder / "sliding.png").read_bytes():
    failures.append("words do not move between 0.17 and 0.25 seconds")
# (the right column says what the turned parameter did, which the state at rest does not know)
rested, turned = (Picture(take(name, *how)) for name, how in (("at_rest", ("--then", "pad=1", "--at", "5")), ("turned", ("--set", "pad=1"))))
if [row[:9 * rested.width // 4] for row in rested.rows] != [row[:9 * turned.width // 4] for row in turned.rows]:
    failures.append("at the end of a motion the picture is not that of the state at rest")
if take("compare_again", *others["compare"]).read_bytes() != (folder / "compare.png").read_bytes():
    failures.append("the same comparison twice is not the same picture")

# The verdict, at the right: large and costly without padding; with it in no colour, as a copy is twice as fast; and
# ideal where nothing is left to gain.
verdict = (0.765, 0.1, 0.99, 0.18)
conflict, padded, done = Picture(first), Picture(folder / "padded.png"), Picture(take("done", of=("transpose_float4", "--step", "1")))
if share(padded, COSTLY, *verdict) + share(padded, IDEAL, *verdict) > 0:
    failures.append("pad=2: a colour says more than is so")
for name, picture, color, other in (("pad=0", conflict, COSTLY, IDEAL), ("float4", done, IDEAL, COSTLY)):
    if share(picture, color, *verdict) < 100 or share(picture, other, *verdict) > 0:
        failures.append(f"{name}: the verdict is not in its colour: {share(picture, color, *verdict)} pixels of it, "
                        f"{share(picture, other, *verdict)} of the other")

print("\n".join(failures) or "pictures: all as they should be")
sys.exit(1 if failures else 0)
