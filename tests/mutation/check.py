#!/usr/bin/env python3
"""What tests/mutation finds to change in a source, and what it leaves alone."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutants  # noqa: E402

SOURCE = '''#include <map>  // a < b
namespace a {
enum class Kind { First = 7 };
struct Place {
  int at = 5;
  bool meets(const Place& other) const { return at == other.at; }
};
class Counter : public Base {
 public:
  explicit Counter(int n) : n_{n}, m_(n) { add("1 < 2", n - 1); }
 private:
  int n_, m_;
};
constexpr std::array<int, 2> kNone{3, 4};
// while (a && b)
void Counter::add(const char* words, int& n) {
  std::map<int, int> of(n);
  if (!words && n >= 0) {
    note(words);
    n = std::max(n, 'x' + 2);
  }
}
}  // namespace a
'''
EXPECTED = '''Place::meets returns false at once #1: 6
Place::meets returns true at once #1: 6
Place::meets == to != #1: 6
Counter::Counter - to + #1: 10
Counter::Counter number plus 1 #1: 10
Counter::add returns at once #1: 16
Counter::add ! left out #1: 18
Counter::add && to || #1: 18
Counter::add >= to > #1: 18
Counter::add number plus 1 #1: 18
Counter::add call left out #1: 19
Counter::add max to min #1: 20
Counter::add + to - #1: 20
Counter::add number minus 1 #1: 20
Counter::add number plus 1 #2: 20'''


def main():
    found = mutants.mutants("a.cpp", SOURCE)
    said = "\n".join(f"{m.function} {m.operator} #{m.nth}: {m.line}" for m in found)
    assert said == EXPECTED, said
    by_name = {(m.function, m.operator, m.nth): m for m in found}
    assert "if (words && n >= 0)" in mutants.changed(by_name["Counter::add", "! left out", 1], SOURCE)
    assert "{\n    ;\n" in mutants.changed(by_name["Counter::add", "call left out", 1], SOURCE)
    assert "int& n) { return;\n" in mutants.changed(by_name["Counter::add", "returns at once", 1], SOURCE)
    few = mutants.sample(found, 5, 3)
    assert few == mutants.sample(found, 5, 3) and len(few) == 5 and few != mutants.sample(found, 5, 4)
    assert set(mutants.sample(found[:8] + found[9:], 5, 3)) >= set(few) - {found[8]}, "what else there is changes the sample"
    known = mutants.read_equivalent(pathlib.Path(__file__).resolve().parent / "equivalent.txt")
    assert all(pathlib.Path(__file__).resolve().parents[2].joinpath(path).is_file() for path, *_ in known), "of a file that is gone"
    some = {("a.cpp", "Counter::add", "number plus 1", 2): "why"}
    assert [m.nth for m in found if mutants.reason(m, some)] == [2]


if __name__ == "__main__":
    main()
