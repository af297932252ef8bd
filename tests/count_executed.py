#!/usr/bin/env python3
"""Counts the tests that ran, from what ctest wrote, and says why others were skipped; fails where one was skipped that needs
neither a GPU nor a browser nor a network of its own, or too few ran.

    count_executed.py BUILD_DIR OUTCOME.xml [LEAST]

OUTCOME is ctest's --output-junit. A test of ctest that is a suite of GoogleTest's has written BUILD_DIR/outcomes/ITS_NAME.xml:
the tests in there count, each by itself. LEAST names, a line each, how many must have been executed: `everywhere` of those that
need nothing special, `toolkit` of those labelled so, which are built where the CUDA Toolkit is and not counted elsewhere."""
import collections
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

MAY_BE_SKIPPED = {"gpu", "nvcc", "web", "namespaces"}

# words: why it was skipped; empty where that is not known.
Test = collections.namedtuple("Test", "name labels ran words")


def labels_of(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    found = {}
    for test in json.loads(listed.stdout)["tests"]:
        found[test["name"]] = {label for p in test.get("properties", []) if p["name"] == "LABELS" for label in p["value"]}
    return found


def in_suite(outcome, labels):
    """The tests of a suite, from what GoogleTest wrote."""
    for case in ElementTree.parse(outcome).getroot().iter("testcase"):
        skipped = case.find("skipped")
        words = [] if skipped is None else skipped.get("message", "").splitlines()
        yield Test(f"{case.get('classname')}.{case.get('name')}", labels, skipped is None,
                   "skipped: " + words[-1] if words else "")


def tests_of(build, cases, labels):
    for case in cases:
        name, ran = case.get("name"), case.get("status") in ("run", "fail")
        outcome = pathlib.Path(build, "outcomes", name + ".xml")
        if ran and outcome.is_file():
            yield from in_suite(outcome, labels.get(name, set()))
        else:
            said = (case.findtext("system-out") or "").strip().splitlines()[-1:]
            yield Test(name, labels.get(name, set()), ran, said[0] if said and said[0].startswith("skipped: ") else "")


def least_of(path):
    words = [line.split() for line in open(path) if line.strip() and not line.startswith("#")]
    return {kind: int(number) for kind, number in words}


def main():
    build = sys.argv[1]
    labels = labels_of(build)
    tests = list(tests_of(build, ElementTree.parse(sys.argv[2]).getroot().iter("testcase"), labels))
    ran, skipped = [t for t in tests if t.ran], [t for t in tests if not t.ran]
    reasons = collections.Counter(t.words for t in skipped if t.words)
    failures = [f"{t.name} was skipped, and needs neither a GPU nor a browser" for t in skipped if not t.labels & MAY_BE_SKIPPED]
    special = MAY_BE_SKIPPED | {"toolkit"}
    executed = {"everywhere": sum(not t.labels & special for t in ran), "toolkit": sum("toolkit" in t.labels for t in ran)}
    words = f"{len(ran)} tests executed, {len(skipped)} skipped"
    if len(sys.argv) > 3:
        least = least_of(sys.argv[3])
        if not any("toolkit" in of for of in labels.values()):
            del least["toolkit"]
        words += "; " + ", ".join(f"{kind}: {executed[kind]} of at least {number}" for kind, number in least.items())
        failures += [f"{kind}: only {executed[kind]} tests were executed, {number} must be ({sys.argv[3]})"
                     for kind, number in least.items() if executed[kind] < number]
    print("\n".join([words, *(f"{reason} ({count} tests)" for reason, count in reasons.items()), *failures]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
