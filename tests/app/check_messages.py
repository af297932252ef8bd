#!/usr/bin/env python3
"""Every message of the sources is in every language but English, with the same places; and nothing besides."""
import ast
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
LITERALS = r'((?:"(?:\\.|[^"\\\n])*"\s*)+)'
MADE = re.compile(r"\bMessage(?:::Text)?(?:\s+\w+)?\s*\(\s*" + LITERALS)


def text_of(literals):
    return "".join(ast.literal_eval(literal) for literal in re.findall(r'"(?:\\.|[^"\\\n])*"', literals))


def places(text):
    """The numbers of the values that a text asks for: {} counts, {1} names."""
    numbers, counted = [], 0
    for number in re.findall(r"\{(\d{0,2})\}", text):
        numbers.append(int(number) if number else counted)
        counted += not number
    return sorted(set(numbers))


def patterns():
    found = {}
    for folder in ("sim", "app", "kernels"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".cpp", ".h"):
                continue
            source = re.sub(r"^\s*//.*$", "", file.read_text(encoding="utf-8"), flags=re.M)
            for match in MADE.finditer(source):
                found.setdefault(text_of(match.group(1)), file.relative_to(root))
    return found


def sentences_said_verbatim():
    """Words of ours that no language could ever change; the command line's are English anyway."""
    said = re.compile(r"Message::verbatim\(\s*" + LITERALS)
    for folder in ("sim", "app", "kernels"):
        for file in sorted((root / folder).rglob("*.cpp")):
            if (root / "app" / "cli") in file.parents:
                continue
            for match in said.finditer(file.read_text(encoding="utf-8")):
                if re.search(r"[a-z]{2} [a-z]{2}", text_of(match.group(1))):
                    yield f"{file.relative_to(root)}: said verbatim: {text_of(match.group(1))}"


def main():
    made = patterns()
    if "--list" in sys.argv:
        print(json.dumps(sorted(made), indent=1))
        return 0
    problems = []
    if len(made) < 500:
        problems.append(f"only {len(made)} messages were found in the sources")
    problems += sentences_said_verbatim()
    folder = root / "assets" / "languages"
    tables = sorted(folder.glob("messages.*.json"))
    languages = {file.name.split(".")[-2] for file in folder.glob("app.*.json")} - {"en"}
    if {file.name.split(".")[-2] for file in tables} != languages:
        problems.append(f"messages.*.json are not those of {sorted(languages)}")
    for table in tables:
        pairs = json.loads(table.read_text(encoding="utf-8"), object_pairs_hook=list)
        texts = dict(pairs)
        problems += [f"{table.name}: twice: {key}" for key in texts if sum(k == key for k, _ in pairs) > 1]
        problems += [f"{table.name} lacks {json.dumps(p)} ({made[p]})" for p in made if p not in texts]
        problems += [f"{table.name}: no source says {json.dumps(k)}" for k in texts if k not in made]
        for pattern, text in texts.items():
            if places(pattern) != places(text):
                problems.append(f"{table.name}: other places than {json.dumps(pattern)}: {text}")
            if not text.strip():
                problems.append(f"{table.name}: nothing for {json.dumps(pattern)}")
    print("\n".join(problems) or f"{len(made)} messages in {len(tables) + 1} languages")
    return 1 if problems else 0


sys.exit(main())
