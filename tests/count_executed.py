#!/usr/bin/env python3
"""Counts the tests that ran, from what ctest wrote, and says why others were skipped; fails where one was skipped that needs
neither a GPU nor a browser nor a network of its own, or too few ran.

    count_executed.py BUILD_DIR OUTCOME.xml [LEAST]

OUTCOME is ctest's --output-junit. LEAST names, a line each, how many must have been executed: `everywhere` of those that
need nothing special, `toolkit` of those labelled so, which are built where the CUDA Toolkit is and not counted elsewhere."""
import collections
import json
import subprocess
import sys
import xml.etree.ElementTree

MAY_BE_SKIPPED = {"gpu", "nvcc", "web", "namespaces"}


def labels_of(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    found = {}
    for test in json.loads(listed.stdout)["tests"]:
        found[test["name"]] = {label for p in test.get("properties", []) if p["name"] == "LABELS" for label in p["value"]}
    return found


def least_of(path):
    words = [line.split() for line in open(path) if line.strip() and not line.startswith("#")]
    return {kind: int(number) for kind, number in words}


def reasons(cases):
    """Why tests were skipped, as their last line says, and how many of each."""
    said = collections.Counter()
    for case in cases:
        lines = (case.findtext("system-out") or "").strip().splitlines()
        if lines and lines[-1].startswith("skipped: "):
            said[lines[-1]] += 1
    return [f"{words} ({count} tests)" for words, count in said.items()]


def main():
    labels = labels_of(sys.argv[1])
    cases = list(xml.etree.ElementTree.parse(sys.argv[2]).getroot().iter("testcase"))
    ran = [case.get("name") for case in cases if case.get("status") in ("run", "fail")]
    left = [case for case in cases if case.get("status") not in ("run", "fail")]
    skipped = [case.get("name") for case in left]
    failures = [f"{name} was skipped, and needs neither a GPU nor a browser" for name in skipped if not labels.get(name, set()) & MAY_BE_SKIPPED]
    special = MAY_BE_SKIPPED | {"toolkit"}
    executed = {"everywhere": sum(not labels.get(name, set()) & special for name in ran),
                "toolkit": sum("toolkit" in labels.get(name, set()) for name in ran)}
    words = f"{len(ran)} tests executed, {len(skipped)} skipped"
    if len(sys.argv) > 3:
        least = least_of(sys.argv[3])
        if not any("toolkit" in of for of in labels.values()):
            del least["toolkit"]
        words += "; " + ", ".join(f"{kind}: {executed[kind]} of at least {number}" for kind, number in least.items())
        failures += [f"{kind}: only {executed[kind]} tests were executed, {number} must be ({sys.argv[3]})"
                     for kind, number in least.items() if executed[kind] < number]
    print("\n".join([words, *reasons(left), *failures]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
