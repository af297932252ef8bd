#!/usr/bin/env python3
"""Walks every lesson in both languages and takes a picture of each step: as asked, as answered, and of the challenge.

    tests/app/walk_lessons.py build/release/bin/warplens out/lessons [--size 1280x720] [--present] [--theme light] [--only padding]

Not a part of ./test: it takes minutes, and is there to be looked at (out/lessons/index.html). Ends with 1 if a picture could
not be taken."""
import argparse
import html
import json
import pathlib
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--size", default="1280x720")
parser.add_argument("--present", action="store_true")
parser.add_argument("--theme", default="dark")
parser.add_argument("--only", default="")
options = parser.parse_args()

root = pathlib.Path(__file__).resolve().parents[2]
options.folder.mkdir(parents=True, exist_ok=True)
pictures, failed = [], 0
for file in sorted((root / "assets" / "lessons").glob("*.lesson.json")):
    lesson = json.loads(file.read_text(encoding="utf-8"))
    if options.only and lesson["name"] != options.only:
        continue
    for language in ("en", "zh-CN"):
        for step in range(1, len(lesson["steps"]) + 2):
            asks = step <= len(lesson["steps"]) and "predict" in lesson["steps"][step - 1]
            for guess in (["", "2"] if asks else [""]):
                name = f"{lesson['order']:02}-{lesson['name']}-{language}-{step}{'-answered' if guess else ''}.png"
                command = [options.program, "--lesson", lesson["name"], "--lesson-step", str(step), "--lang", language,
                           "--theme", options.theme, "--size", options.size, "--screenshot", str(options.folder / name)]
                command += ["--guess", guess] if guess else []
                command += ["--present"] if options.present else []
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode != 0:
                    failed += 1
                    print(f"{name}: ended with {done.returncode}: {done.stderr}", file=sys.stderr)
                    continue
                pictures.append(name)
page = "".join(f'<figure><img src="{html.escape(p)}" width="100%"><figcaption>{html.escape(p)}</figcaption></figure>\n'
               for p in pictures)
(options.folder / "index.html").write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>Every lesson</title>\n{page}')
print(f"{len(pictures)} pictures and index.html in {options.folder}; {failed} could not be taken")
sys.exit(1 if failed else 0)
