#!/usr/bin/env python3
"""Every key that the sources ask for is in every language, and no language has a key that is not asked for."""
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
folder = root / "assets" / "languages"
languages = {}
for file in sorted(folder.glob("*.json")):
    if file.name.startswith("messages."):  # by their English: check_messages.py
        continue
    name = file.name[: -len(".json")].split(".")[-1]
    texts = json.loads(file.read_text(encoding="utf-8"))
    for key, text in texts.items():
        if key in languages.setdefault(name, {}):
            sys.exit(f"{file}: {key}: is in another file of {name} too")
        languages[name][key] = text
english = languages.pop("en", {})
problems = []
if len(english) < 50 or not languages:
    problems.append(f"only {len(english)} English texts and {len(languages)} other languages were found in {folder}")

def places(text):
    return sorted(set(re.findall(r"{(\w+)}", text)))

for name, texts in languages.items():
    problems += [f"{name} lacks {key}" for key in english.keys() - texts.keys()]
    problems += [f"{name} has {key}, which English lacks" for key in texts.keys() - english.keys()]
    for key in english.keys() & texts.keys():
        base = key[:-4] if key.endswith(".one") else key
        wanted = set(places(english[key])) | set(places(english.get(base, "")))
        if not set(places(texts[key])) <= wanted:
            problems.append(f"{name}: {key}: {places(texts[key])} are not all given ({sorted(wanted)})")
        if not texts[key].strip():
            problems.append(f"{name}: {key} is empty")

sources = "\n".join(
    file.read_text(encoding="utf-8")
    for folder in ("app",)
    for file in sorted((root / folder).rglob("*"))
    if file.suffix in (".cpp", ".h")
)
literals = set(re.findall(r'"([a-z_]+(?:\.[a-z0-9_]+)+)"', sources))
prefixes = set(re.findall(r'"([a-z_]+(?:\.[a-z0-9_]+)*\.)"', sources))  # "ladder." + name
prefix_of_keys = {key.split(".")[0] for key in english}
for key in sorted(english):
    base = key[:-4] if key.endswith(".one") else key
    used = base in literals or key in literals or any(key.startswith(p) and key != p for p in prefixes)
    # counted() and the notes of the bank picture build keys from a stem: "scene.bank.say." + case
    if not used and not any(key.startswith(l + ".") for l in literals):
        problems.append(f"{key} is in the languages, and no source asks for it")
for literal in sorted(literals):
    if literal.split(".")[0] in prefix_of_keys and literal not in english:
        if not any(key.startswith(literal + ".") for key in english):
            problems.append(f"{literal} is asked for, and English lacks it")

print("\n".join(problems) or f"{len(english)} texts in {len(languages) + 1} languages, all asked for")
sys.exit(1 if problems else 0)
