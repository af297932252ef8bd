#!/usr/bin/env python3
"""SVG files of many scenarios and views: well-formed for a real XML parser, every font with a fall-back, nothing outside
the file, numbers that are numbers; librsvg draws them.   check_svg.py WARPLENS-CLI"""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

program = str(pathlib.Path(sys.argv[1]).resolve())
failures, count = [], 0
targets = ["copy_row", "warplens:transpose_shared?pad=1#warp=3&access=3&wavefront=2", "transpose_naive_row", "sgemm_tiled",
           "histogram_shared", "transpose_float4"]
generic = ("sans-serif", "monospace", "serif")
with tempfile.TemporaryDirectory() as folder:
    for target in targets:
        for view in ("access", "slide", "global", "shared", "map", "matrix", "source", "lanes"):
            for language, theme in (("en", "light"), ("zh-CN", "dark")):
                where = f"{target}, {view}, {language}"
                file = pathlib.Path(folder) / f"{count}.svg"
                count += 1
                run = subprocess.run([program, "render", target, "--view", view, "--lang", language, "--theme", theme,
                                      "-o", file], capture_output=True, text=True)
                if run.returncode != 0:
                    failures.append(f"{where}: {run.stderr}")
                    continue
                try:
                    root = xml.etree.ElementTree.parse(file).getroot()
                except xml.etree.ElementTree.ParseError as error:
                    failures.append(f"{where}: {error}")
                    continue
                texts = 0
                for element in root.iter():
                    for name, value in element.attrib.items():
                        inside = name.endswith("href") and value.startswith("data:image/png;base64,")
                        if re.search(r"nan|inf", value) and name != "id" and not inside:
                            failures.append(f"{where}: {name}={value}")
                        if ("href" in name and not inside) or re.search(r"url\((?!#)", value):
                            failures.append(f"{where}: refers to something outside: {value}")
                    if element.tag.endswith("}text"):
                        texts += 1
                        if element.get("font-family", "").split(",")[-1].strip() not in generic:
                            failures.append(f"{where}: no fall-back in font-family={element.get('font-family')}")
                if texts < 3:
                    failures.append(f"{where}: only {texts} texts")
                if count % 5 == 0:
                    drawn = subprocess.run(["rsvg-convert", file, "-o", f"{file}.png"], capture_output=True, text=True)
                    if drawn.returncode != 0:
                        failures.append(f"{where}: rsvg-convert: {drawn.stderr}")
    # An existing file is replaced, and that is said.
    again = subprocess.run([program, "render", "copy_row", "-o", f"{folder}/0.svg"], capture_output=True, text=True)
    if again.returncode != 0 or "has been replaced" not in again.stderr:
        failures.append(f"a replaced file is not told: {again.stderr}")
    wrong = subprocess.run([program, "render", "warplens:transpose_shared?pda=1&pad=99", "-o", f"{folder}/x.svg"],
                           capture_output=True, text=True)
    if wrong.returncode != 2 or "pda=1" not in wrong.stderr or "pad=99" not in wrong.stderr:
        failures.append(f"a wrong line of text: {wrong.returncode}: {wrong.stderr}")
print("\n".join(failures) or f"{count} SVG files are sound")
sys.exit(1 if failures else 0)
