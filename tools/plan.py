#!/usr/bin/env python3
"""Which launches a pack is to hold, for `tools/record.py PLAN -o PACK`.

    tools/plan.py transpose > plan.json    a ladder (transpose, with the copies it is held against; ...) or `all` of the gallery
    tools/plan.py states > plan.json       what the lessons show without a recorded measurement: tests/data/not_recorded.txt

Several sizes, and every setting that a class is likely to turn. --missing leaves out what assets/recorded holds."""
import argparse
import itertools
import json
import sys

import packs

# Rows and columns; the last is a multiple of nothing. m, n, k of products; the last fills no block, but lets 16-byte accesses be aligned.
SIZES = [(1024, 1024), (2048, 2048), (4096, 4096), (1000, 1537)]
PRODUCTS = [(1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (1000, 1540, 776)]
SHAPES = [(32, 32), (32, 16), (32, 8), (16, 16), (8, 32), (64, 4), (8, 8), (1, 128)]
FEW_SHAPES = [(32, 32), (32, 8), (16, 16), (8, 32)]  # of products, which take longest
LARGEST = 4096 * 4096  # "all" takes settings of this many elements only; packs of one ladder take them at every size
SIZE_NAMES = {"nrows", "ncols", "m", "n", "k", "length"}
TYPICAL = {"pad": [0, 1, 2], "offset": [0, 1, 2, 4, 8, 16, 32], "stride": [0, 1, 2, 4, 8, 16, 32], "base": [0, 1, 8, 32],
           "size": [1, 2, 3, 4], "tile": [8, 16, 32], "side": [8, 16, 32], "nbins": [1, 32, 256, 1024], "block_x": [32, 256, 1024]}


class Scenario:
    def __init__(self, file):
        document = json.loads(file.read_text(encoding="utf-8"))
        self.name, self.ladder = document["name"], document.get("ladder", "")
        self.parameters = {p["name"]: p for p in document.get("parameters", [])}
        self.defaults = {name: p["default"] for name, p in self.parameters.items()}
        self.matrix, self.product = ({*names} <= self.parameters.keys() for names in (("nrows", "ncols"), ("m", "n", "k")))
        shape = self.parameters.get("block_x")  # free: not one of a few widths
        self.shaped = bool(shape) and not shape.get("choices") and "block_y" in self.parameters
        self.plain = self.matrix and all(name in {"nrows", "ncols", "block_x", "block_y", "pad", "shape"}
                                         and (not p.get("choices") or name == "shape") for name, p in self.parameters.items())

    def taken(self, name, values):
        """Those of the values that the parameter can be, and its default."""
        p = self.parameters[name]
        can_be = (lambda v: v in p["choices"]) if p.get("choices") else (lambda v: p["minimum"] <= v <= p["maximum"])
        return [(value,) for value in sorted({*values, p["default"]}) if can_be(value)]

    def typical(self, name):
        """What a class is likely to turn it to."""
        return self.taken(name, self.parameters[name].get("choices") or TYPICAL.get(name, []))

    def sizes(self):
        names, values = ((("nrows", "ncols"), SIZES) if self.matrix else (("m", "n", "k"), PRODUCTS) if self.product else
                         (("n",), self.taken("n", [a * b for a, b in SIZES])) if "n" in self.parameters else ((), []))
        return vary([self.defaults], names, values) * bool(names) + [self.defaults]

    def elements(self, values):
        return values["nrows"] * values["ncols"] if self.matrix else values["n"]

    def launches(self, whole_gallery):
        values = self.sizes()
        # Settings are varied at all sizes of copies and plain transposes; of the others at their default one.
        varied = values if self.ladder == "copy" or self.plain else [self.defaults]
        if whole_gallery and (self.matrix or "n" in self.parameters and not self.product):
            def kept(v):
                return self.elements(v) >= LARGEST or v == self.defaults
            varied = [v for v in varied if kept(v)]
            values = values if self.matrix else [v for v in values if kept(v)]
        return values + (self.every_combination(varied) if self.plain else self.one_at_a_time(varied))

    def every_combination(self, values):
        if self.shaped:
            values = vary(values, ("block_x", "block_y"), SHAPES)
        for name in ("pad", "shape"):
            if name in self.parameters:
                values = vary(values, (name,), self.typical(name))
        return values

    def one_at_a_time(self, values):
        shaped = self.shaped and (self.matrix or self.product)
        found = vary(values, ("block_x", "block_y"), FEW_SHAPES if self.product else SHAPES) if shaped else []
        for name in self.parameters:
            if name not in SIZE_NAMES and not (shaped and name.startswith("block_")):
                found += vary(values, (name,), self.typical(name))
        return found


def vary(all_of, names, choices):
    return [{**values, **dict(zip(names, choice))} for values, choice in itertools.product(all_of, choices)]


def states():
    """Lines such as `transpose_shared pad=1 as_written`."""
    for line in (packs.ROOT / "tests/data/not_recorded.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, *values, mode = line.split()
            yield {"scenario": {"name": name, "parameters": {p: int(v) for p, v in (value.split("=") for value in values)}},
                   "subject": {"mode": mode}}


def gallery(wanted):
    for file in sorted((packs.ROOT / "kernels").glob("*.scenario.json")):
        scenario = Scenario(file)
        if wanted in ("all", scenario.ladder) or (wanted == "transpose" and scenario.ladder == "copy"):
            for values in scenario.launches(wanted == "all"):
                yield {"scenario": {"name": scenario.name, "parameters": values}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", help="a ladder, all, or states")
    parser.add_argument("--missing", action="store_true", help="only what assets/recorded does not hold")
    options = parser.parse_args()
    entries = {json.dumps(entry, sort_keys=True): entry for entry in (states() if options.what == "states" else gallery(options.what))}
    if options.missing:
        for file in (packs.ROOT / "assets/recorded").glob("*.json"):
            for measurement in packs.read(file)["measurements"]:
                entries.pop(json.dumps({"scenario": measurement.get("scenario")}, sort_keys=True), None)
    if not entries:
        sys.exit(f"{options.what}: no scenario, or all of it is recorded already")
    json.dump({"schema": "warplens.plan/1", "measurements": list(entries.values())}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
