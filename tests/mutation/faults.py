"""The table of faults: tests/mutation/faults/*.txt, one small change of the sources an entry.

  # a remark
  tests: sim kernels              the test programs test_sim, test_kernels ..., likeliest first, for what follows
  file: sim/analyse/slice.cpp      the file that what follows changes
  through: tests/a.cpp sim/b.cpp   of a header that very many sources use: those that are compiled anew instead of all

  [slice-division] a division by a constant is taken for one that can fail
  -  return !divisor.is_constant ||     the text, which is there exactly once; of several lines: several of these
  +  return                             what stands there instead; none: the text is left out
  = why no input can tell the two apart: only for a fault that is none
"""
import pathlib
import re


class TableError(Exception):
    """What is wrong with the table, with file and line."""


class Fault:
    def __init__(self, name, words, path, through, programs, place):
        self.name, self.words, self.path, self.through = name, words, path, through
        self.programs, self.place = programs, place
        self._old, self._new, self._reason = [], [], []

    old = property(lambda self: "\n".join(self._old))
    new = property(lambda self: "\n".join(self._new))
    reason = property(lambda self: " ".join(self._reason))

    def add(self, sign, rest):
        {"-": self._old, "+": self._new, "=": self._reason}[sign].append(rest)

    def line_in(self, text):
        """The first line that the fault changes, or 0 where its text is not there exactly once."""
        return text[: text.index(self.old)].count("\n") + 1 if text.count(self.old) == 1 else 0


def read_table(folder):
    """All faults of a folder's .txt files, in order. Raises TableError."""
    faults = []
    for file in sorted(pathlib.Path(folder).glob("*.txt")):
        faults += _read_file(file)
    names = [fault.name for fault in faults]
    for name in names:
        if names.count(name) > 1:
            raise TableError(f"two faults have the name {name}")
    for fault in faults:
        if not fault.old or fault.old == fault.new:
            raise TableError(f"{fault.place}: {fault.name} changes nothing")
    return faults


def _read_file(file):
    faults, path, through, programs = [], "", [], []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{file.name}:{number}"
        head = re.fullmatch(r"\[([a-z0-9-]+)\] (.+)", line)
        if head:
            if not path or not programs:
                raise TableError(f"{place}: no file: or no tests: before the first fault")
            faults.append(Fault(head[1], head[2], path, through, programs, place))
        elif line.startswith("file: "):
            path, through = line.removeprefix("file: ").strip(), []
        elif line.startswith("through: "):
            through = line.removeprefix("through: ").split()
        elif line.startswith("tests: "):
            programs = ["test_" + name for name in line.removeprefix("tests: ").split()]
        elif line[:1] in ("-", "+", "=") and faults:
            faults[-1].add(line[0], line[1:].removeprefix(" ") if line[0] == "=" else line[1:])
        elif line.strip() and not line.startswith("#"):
            raise TableError(f"{place}: '{line}' is neither a fault nor a part of one")
    return faults
