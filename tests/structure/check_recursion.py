#!/usr/bin/env python3
"""No recursion of the front-end goes without the budget: every circle in the call graph of preprocessor, parser, lowering
and its passes has a function that looks at the budget (Pace::step), so that a text that asks for much can be stopped
wherever it is.

    tests/structure/check_recursion.py build/release/sim/libwarplens_cuda.a build/release/sim/libwarplens_lower.a

The graph is that of the machine code: who calls whom or takes whose address, tables of std::visit included. What only
frees what was made before is left out.
"""
import re
import subprocess
import sys
from collections import defaultdict

# What looks at the budget, or takes a step before anything else.
LOOKS = re.compile(r"^_ZNK?8warplens(6Budget(4look|5check|4take|18spend_instructions)E|3sim5lower8Lowering(6deeper|4step)E|"
                   r"4cuda6Parser(6deeperEv|8token_at))")
FREES = re.compile(r"^(?:\w+ )*std::|__gnu_cxx|~|_M_reset|_M_erase|_M_destroy|_M_drop|_M_clear|_M_dispose|::_M_copy|default_delete|_Destroy")
# Circles without a look that end soon, whatever the text: why.
BOUNDED = {
    "append": "at most 4,096 leaves (require_few_leaves), and nothing where there are none",
    "append_chunks": "the same",
    "leaf_count": "each struct once (Record::leaves)",
    "has_pointers": "each struct once (Record::pointers)",
    "contains_array": "each struct once (Record::has_array)",
    "needs_construction": "each struct once (Record::constructs)",
    "copies_by_function": "each struct once (Record::copies)",
    "nameless_with": "the same",
    "path_to_base": "kMostBases",
    "base_with_method": "kMostBases",
    "has_method": "kMostBases",
    "name_of": "a type's depth (kMostTypeDepth)",
    "size_of": "the same",
    "alignment_of": "the same",
    "with_const": "the same",
    "op": "once more, with the operands of one that is simpler",
    "simplified": "the same",
    "rvalue": "the same",
    "unit_of": "the same",
    "store": "the same",
    "write_bits": "the same",
    "bits_of": "the same",
    "member_of": "the same",
    "conversion_rank": "once: what a constructor takes is no struct",
    "converts_from": "the same",
    "convert": "once: what a struct converts itself to is the type that is wanted, or a number",
    "place": "as deep as headers include one another",
    "collect": "kMostLevels",
    "compile": "of PTX once more, of the text that it was compiled from, which has no source itself",
    "compile_module": "the same",
    "names_object": "walks a text's tree once, which nests 500 deep (kDepthLimit)",
    "depends": "the same",
    "is_zero_initializer": "the same",
    "add_roots": "the same",
    "type_text": "the same",
    "add": "the same",
    "add_all": "calls nothing of its kind: the compiler made two of it",
    "binary": "the tokens of a line, which nest kNestingLimit deep",
    "ternary": "the same",
    "unary": "the same",
    "operand": "two deep: a vector in an address",
    "Operand": "copies what was read before",
    "Message": "the same",
    "operator=": "the same",
    "Node": "the same",
}


def lines_of(*command):
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        yield from process.stdout
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed")


class Graph:
    def __init__(self):
        self.edges, self.defined, self.unit = defaultdict(set), set(), ""

    def node(self, symbol):
        """Of an unnamed namespace there is one in each unit; what the compiler split off belongs to its function."""
        symbol = re.sub(r"\.(cold|part\.\d+|constprop\.\d+|isra\.\d+|lto_priv\.\d+)", "", symbol)
        return f"{self.unit} {symbol}" if "_GLOBAL__N_" in symbol else symbol

    def read(self, archive):
        here = to = ""
        for line in lines_of("objdump", "-dr", "--no-show-raw-insn", archive):
            if match := re.search(r"R_X86_64_\w+\s+(\S+?)(?:[-+]0x[0-9a-f]+)?$", line.rstrip()):
                self.edges[here].add(self.node(match.group(1)))
                to = ""  # what the instruction itself shows is not where it leads
                continue
            if to and to != here:
                self.edges[here].add(to)
            to = ""
            if match := re.match(r"(\S+\.o):\s+file format", line):
                self.unit = match.group(1)
            elif match := re.match(r"[0-9a-f]+ <(\S+)>:$", line):
                here = self.node(match.group(1))
                self.defined.add(here)
            elif match := re.search(r"\b(call|j[a-z]+|lea)\b.*<(\S+?)(\+0x[0-9a-f]+)?>", line):
                to = self.node(match.group(2))
                if to == here and match.group(1) == "call" and not match.group(3):
                    self.edges[here].add(here)  # it calls itself
        table = ""
        for line in lines_of("objdump", "-r", archive):
            if match := re.match(r"(\S+\.o):\s+file format", line):
                self.unit = match.group(1)
            elif match := re.match(r"RELOCATION RECORDS FOR \[\.data\.rel\.ro(?:\.local)?\.(\S+)\]", line):
                table = self.node(match.group(1))
                self.defined.add(table)
            elif line.startswith("RELOCATION RECORDS"):
                table = ""
            elif table and (match := re.search(r"R_X86_64_64\s+(\S+?)(?:[-+]0x[0-9a-f]+)?$", line.rstrip())):
                self.edges[table].add(self.node(match.group(1)))


def circles_of(graph):
    """Components of more than one function, and functions that call themselves (Tarjan)."""
    index, low, on, stack, found = {}, {}, set(), [], []
    for start in graph:
        if start in index:
            continue
        work = [(start, iter(graph[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on.add(start)
        while work:
            node, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    on.add(to)
                    work.append((to, iter(graph[to])))
                    break
                if to in on:
                    low[node] = min(low[node], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = set()
                    while node not in part:
                        part.add(stack.pop())
                    on -= part
                    if len(part) > 1 or node in graph[node]:
                        found.append(part)
    return found


def main():
    graph = Graph()
    for archive in sys.argv[1:]:
        graph.read(archive)
    looks = {node for node in graph.defined if any(LOOKS.match(to) for to in graph.edges[node])}
    symbols = sorted({node.split()[-1] for node in graph.defined})
    names = dict(zip(symbols, subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True,
                                             check=True).stdout.splitlines()))
    name_of = {node: names[node.split()[-1]] for node in graph.defined}
    kept = {n for n in graph.defined - looks if not FREES.search(name_of[n].split("(")[0]) or "_S_vtable" in name_of[n]}
    # What a table holds of the freeing kind is not kept, so that tables of that kind lead nowhere.
    circles = circles_of({n: {to for to in graph.edges[n] if to in kept} for n in kept})
    bad = []
    for circle in circles:
        plain = {re.sub(r"^.*::|^.*[ *&]", "", re.sub(r"<.*|\[abi.*", "", name_of[n].replace("(anonymous namespace)", "").split("(")[0]))
                 or name_of[n] for n in circle}
        if not plain <= set(BOUNDED):
            bad.append(sorted(name_of[n][:150] for n in circle))
    for circle in bad:
        print("a circle of calls without a look at the budget:\n    " + "\n    ".join(circle[:12]))
    print(f"{len(graph.defined)} functions, {len(looks)} of which look at the budget; {len(circles)} circles without a look, "
          f"{len(bad)} of them not known to be short")
    return 1 if bad or len(looks) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
