// How much compiling takes for texts that say little and mean much: counted in looks at the budget, of which
// there is one in some 2,000 steps. What is worked out once for each thing that is named stays within a few;
// what is worked out anew at each naming takes thousands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>

#include "sim/lower/lower.h"

namespace warplens::sim {
namespace lower_bounded_test {

std::atomic<int> looks{0};

struct Compiled {
  CompileResult result;
  int looks = 0;
  std::string errors;
};

Compiled compiled(const std::string& before, const std::string& body) {
  CompileRequest request;
  request.text = before + "\n__global__ void k(int* out, int n) {\n" + body + "\n}\n";
  looks = 0;
  set_between_looks([] { ++looks; });
  Compiled compiled{compile(request), 0, {}};
  set_between_looks(nullptr);
  compiled.looks = looks;
  for (const cuda::Diagnostic& d : compiled.result.diagnostics)
    if (d.severity == cuda::Severity::Error) compiled.errors += d.message.english() + "\n";
  return compiled;
}

std::string lines(int first, int last,
                  const std::function<std::string(const std::string&, const std::string&)>& line) {
  std::string text;
  for (int i = first; i <= last; ++i) text += line(std::to_string(i), std::to_string(i - 1)) + "\n";
  return text;
}

void expect_few_looks(const std::string& before, const std::string& body, int most = 40) {
  const Compiled c = compiled(before, body);
  EXPECT_EQ(c.errors, "");
  EXPECT_TRUE(c.result.program.has_value());
  EXPECT_LE(c.looks, most) << body.substr(0, 200);
}

TEST(LowerBounded, AliasesThatNameTheOneBeforeTwice) {
  const std::string pair = "template <class A, class B> struct Q {}; template <class A> using T0 = A;\n";
  expect_few_looks(pair + lines(1, 22,
                                [](const std::string& i, const std::string& j) {
                                  return "template <class A> using T" + i + " = Q<T" + j + "<A>, T" + j +
                                         "<A>>;";
                                }),
                   "out[0] = sizeof(T22<int>);");
  expect_few_looks(pair + lines(1, 22,
                                [](const std::string& i, const std::string& j) {
                                  return "template <class A> using T" + i +
                                         " = std::conditional_t<(sizeof(T" + j + "<A>) > 1), Q<T" + j +
                                         "<A>, T" + j + "<A>>, T" + j + "<A>>;";
                                }),
                   "out[0] = sizeof(T22<int>);");
}

// Of four times the text about four times the looks.
void expect_linear(const std::function<Compiled(int)>& compiled_of, int count) {
  const int few = compiled_of(count).looks, many = compiled_of(4 * count).looks;
  EXPECT_LE(many, 6 * few + 20) << few;
}

std::string times(int count, const std::string& line) {
  return lines(1, count, [&](const std::string&, const std::string&) { return line; });
}

TEST(LowerBounded, OverloadsCalledAsOftenAsThereAreOfThem) {
  const auto by_type = [](const std::string& i, const std::string&) {
    return "__device__ int f(int (*p)[" + i + "]) { return " + i + "; }";
  };
  expect_linear(
      [&](int count) {
        Compiled c = compiled(lines(1, count, by_type) + "__device__ int f(int x) { return x; }",
                              times(count, "out[0] = f(n);"));
        EXPECT_EQ(c.errors, "");
        return c;
      },
      400);
  const auto left_out = [](const std::string& i, const std::string&) {
    return "template <class T, class = std::enable_if_t<sizeof(T) == " + i +
           " + 4>> __device__ int f(T x) { return x; }";
  };
  expect_linear(
      [&](int count) {
        Compiled c = compiled(lines(0, count, left_out), times(count, "out[0] = f(n);"));
        EXPECT_EQ(c.errors, "");
        return c;
      },
      400);
  // All fit equally well: each of the calls is refused, and none of them compares each with each.
  const auto alike = [](const std::string& i, const std::string&) {
    return "template <class T> __device__ int f(T x, int (*)[" + i + "] = nullptr) { return x; }";
  };
  expect_linear(
      [&](int count) {
        Compiled c = compiled(lines(1, count, alike), times(count, "out[0] = f(n);"));
        EXPECT_THAT(c.errors,
                    testing::HasSubstr("which 'f' is meant? " + std::to_string(count) + " fit equally well"));
        return c;
      },
      400);
}

TEST(LowerBounded, MemberFunctionsCalledAsOftenAsThereAreOfThem) {
  const auto by_type = [](const std::string& i, const std::string&) {
    return "__device__ int g(int (*p)[" + i + "]) { return " + i + "; }";
  };
  expect_linear(
      [&](int count) {
        Compiled c = compiled(
            "struct M { int y;\n" + lines(1, count, by_type) + "__device__ int g(int x) { return x + y; } };",
            "M m; m.y = 1;\n" + times(count, "out[0] = m.g(n);"));
        EXPECT_EQ(c.errors, "");
        return c;
      },
      400);
}

std::string diamonds(int levels, const std::string& root) {
  return root + lines(1, levels, [](const std::string& i, const std::string& j) {
           return "struct L" + i + " : A" + j + " {}; struct R" + i + " : A" + j + " {}; struct A" + i +
                  " : L" + i + ", R" + i + " {};";
         });
}

TEST(LowerBounded, BasesInDiamonds) {
  const std::string f = "struct A0 { int x; __device__ int f() { return 1; } };\n";
  expect_few_looks(diamonds(7, f), "A7 a; out[0] = a.f();");
  const Compiled many = compiled(diamonds(40, f), "A40 a; out[0] = a.f();");
  EXPECT_THAT(many.errors, testing::StartsWith("'A8' has too many base classes: more than 512\n"));
  EXPECT_LE(many.looks, 40);
}

// Two empty structs of one kind have two addresses, as GCC and nvcc lay them out; for an empty base no second
// one is looked for.
TEST(LowerBounded, EmptyBasesLieApart) {
  const std::string structs =
      "struct E {}; struct L : E {}; struct R : E {}; struct H : E { int x; }; struct N : L { char c; R r; "
      "};\n";
  const auto errors = [&](const std::string& more, const std::string& condition) {
    return compiled(structs + more, "static_assert(" + condition + ", \"\"); out[0] = n;").errors;
  };
  for (const char* condition : {"sizeof(E) == 1", "sizeof(H) == 4", "sizeof(N) == 2"})
    EXPECT_EQ(errors("", condition), "") << condition;
  EXPECT_EQ(errors("struct A : E { E e; };", "sizeof(A) == 2"), "");
  EXPECT_EQ(errors("struct A : E { H h; };", "sizeof(A) == 8"), "");
  EXPECT_EQ(errors("struct A : E { H h[2]; char c; };", "sizeof(A) == 16"), "");
  EXPECT_EQ(errors("struct A : E, H { int y; };", "sizeof(A) == 12"), "");
  EXPECT_EQ(errors("struct A : E { alignas(16) E e; char c; };", "sizeof(A) == 32"), "");
  EXPECT_THAT(errors("struct A : L, R {};", "sizeof(A) > 0"),
              testing::HasSubstr("two parts that are the empty struct 'E' would begin in one place"));
}

TEST(LowerBounded, NothingAnyNumberOfTimes) {
  const auto doubled = [](const std::string& of, const std::string& root) {
    return root + lines(1, 28, [&of](const std::string& i, const std::string& j) {
             return of + " S" + i + " { S" + j + " a, b; };";
           });
  };
  expect_few_looks(doubled("struct", "struct S0 {};\n"), "S18 s; auto t = s; out[0] = sizeof(t);");
  expect_few_looks(doubled("union", "union S0 { int x; float y; };\n"),
                   "S28 s; s.a.b.a.b; out[0] = sizeof(s);");
}

// What is said of overloads that are not meant is taken back, however many they are, and nothing is lost by
// it.
// What is worth a warning is lowered all the same.
TEST(LowerBounded, WarningsBeyondThoseThatAreTold) {
  const Compiled c = compiled(
      "", lines(1, 60, [](const std::string& i, const std::string&) { return "out[" + i + "] = n / 0;"; }));
  EXPECT_EQ(c.errors, "");
  EXPECT_EQ(c.result.diagnostics.size(), 50u);
  ASSERT_TRUE(c.result.program.has_value());
  EXPECT_EQ(c.result.program->sites.size(), 60u);
}

TEST(LowerBounded, ManyOverloadsThatAreLeftOut) {
  const std::string overloads = lines(0, 199, [](const std::string& i, const std::string&) {
    return "template <class T> __device__ typename std::enable_if<sizeof(T) == 100 + " + i +
           ", int>::type f(T) { return " + i + "; }";
  });
  const Compiled c = compiled(overloads + "struct Q { char c[101]; };", "Q q;\n out[threadIdx.x] = f(q);");
  EXPECT_EQ(c.errors, "");
  ASSERT_TRUE(c.result.program.has_value());
  EXPECT_EQ(c.result.program->sites.size(), 1u);
}

}  // namespace lower_bounded_test
}  // namespace warplens::sim
