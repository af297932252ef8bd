// What the program writes into its arrays before a launch, as far as its text says it, and how the form, a
// session and a launch come to hold it. Values can be worked out by hand from the texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "app/source/kernel_facts.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "app/storage/session_file.h"
#include "sim/count/totals.h"
#include "sim/scenario/json_document.h"

namespace warplens::app::contents_test {

constexpr const char* kKernel =
    "__constant__ int table[4];\n__device__ int base;\n"
    "__global__ void g(float* out, const float* in, const int* index, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = in[index[i] + table[i % 4] + base];\n}\n";

// A program of 64 elements that runs `fill`, copies h to d and launches.
std::string program(const std::string& fill) {
  return std::string(kKernel) +
         "int main() {\n  const int n = 64;\n  float *in, *out; int* d; int* h = (int*)malloc(n * "
         "sizeof(int));\n"
         "  cudaMalloc(&in, 4096); cudaMalloc(&out, 4096); cudaMalloc(&d, n * sizeof(int));\n" +
         fill +
         "\n  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);\n"
         "  g<<<1, 64>>>(out, in, d, n);\n}\n";
}

// What `name` holds: a fill, the words of its bytes, or "?".
std::string held(const std::string& text, const std::string& name = "index", std::size_t launch = 0) {
  const FileFacts facts = read_facts(text);
  if (facts.launches.size() <= launch) return "no launch";
  const auto found = facts.launches[launch].contents.find(name);
  if (found == facts.launches[launch].contents.end()) return "?";
  const Written& written = found->second;
  std::string fill = sim::name_of(written.fill);
  if (!written.range.empty()) fill += "(" + written.range[0] + "," + written.range[1] + ")";
  if (written.is_guessed) fill += ", guessed";
  return written.bytes ? written.words : fill;
}
std::string held_after(const std::string& fill) {
  return held(program(fill));
}

TEST(Contents, LoopsFillArrays) {
  EXPECT_EQ(held_after("for (int i = 0; i < n; ++i) h[i] = i % 5;"), "64 values from 0 to 4");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = i / 8;"), "64 values from 0 to 7");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = n - 1 - i;"), "64 values from 0 to 63");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) { h[i] = 3 + 2 * i; }"), "64 values from 3 to 129");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = 7;"), "7");
  EXPECT_EQ(held_after("for (int i = 0; i <= n - 1; i++) h[i] = (i * 5) % n;"), "64 values from 0 to 63");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = i % 2 ? -1 : i;"), "64 values from -1 to 62");
  EXPECT_EQ(held_after("int i = 0; while (i < n) { h[i] = 3 * i; i++; }"), "64 values from 0 to 189");
  EXPECT_EQ(held_after("for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) h[y * 8 + x] = x;"),
            "64 values from 0 to 7");
}

TEST(Contents, WhatAFillDoesIsThatFill) {
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = i;"), "iota");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = 0;"), "zero");
  EXPECT_EQ(held_after("memset(h, 0, n * sizeof(int));"), "zero");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = rand() % 10;"), "random(0,9)");
  EXPECT_EQ(held_after("srand(time(0)); for (int i = 0; i < n; i++) { int r = rand() & 3; h[i] = r + 1; }"),
            "random(1,4)");
}

// Of a loop that is too long to be gone through nothing is taken but between which numbers rand() draws,
// which is a guess, since it may not be of all elements.
TEST(Contents, ALongLoopIsNotGoneThrough) {
  const auto many = [](const std::string& count, const std::string& body) {
    return held(std::string(kKernel) + "int main() {\n  const int n = " + count +
                ";\n  float *in, *out; int* d; int* h = new int[n];\n"
                "  cudaMalloc(&in, 4096); cudaMalloc(&out, 4096); cudaMalloc(&d, n * sizeof(int));\n"
                "  for (int i = 0; i < n; i++) { " +
                body +
                " }\n  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);\n"
                "  g<<<1, 64>>>(out, in, d, n);\n}\n");
  };
  EXPECT_EQ(many("4096", "h[i] = rand() % 100;"), "random(0,99)");
  EXPECT_EQ(many("1000000", "h[i] = rand() % 100;"), "random(0,99), guessed");
  EXPECT_EQ(many("1000000", "h[i] = rand() % 100; h[0] = 5;"), "?");
  EXPECT_EQ(many("1000000", "if (i % 2) h[i] = rand() % 100; else h[i] = 5;"), "?");
  EXPECT_EQ(many("1000000", "h[i] = 1;"), "?");
  EXPECT_EQ(many("4096", "h[i] = next();"), "?");
}

TEST(Contents, OtherWaysToFill) {
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = i % 5;\n"
                       "int* c = (int*)malloc(n * sizeof(int)); memcpy(c, h, n * sizeof(int)); h = c;"),
            "64 values from 0 to 4");
  EXPECT_EQ(held_after("std::vector<int> v(n, 0); memcpy(h, v.data(), n * sizeof(int));"), "zero");
  EXPECT_EQ(held_after("memset(h, 0xff, n * sizeof(int));"), "?");
  const std::string letters =
      "__global__ void l(int* bins, const char* text) { atomicAdd(&bins[text[threadIdx.x] - 'a'], 1); }\n"
      "int main() { char h[32]; for (int i = 0; i < 32; i++) h[i] = 'a' + rand() % 26;\n  char* d; int* b;\n"
      "  cudaMalloc(&d, 32); cudaMalloc(&b, 104); cudaMemset(b, 0, 104);\n"
      "  cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice); l<<<1, 32>>>(b, d); l<<<1, 32>>>(b, d); }";
  EXPECT_EQ(held(letters, "text"), "random(97,122)");
  EXPECT_EQ(held(letters, "bins"), "zero");
  EXPECT_EQ(held(letters, "text", 1), "random(97,122)") << "a constant parameter is left as it is";
  EXPECT_EQ(held(letters, "bins", 1), "?") << "the first launch has written to it";
}

// Of what is known in part nothing is taken, nor of what algorithms do that are not followed.
TEST(Contents, WhatIsKnownInPartIsNotKnown) {
  EXPECT_EQ(held_after(""), "?") << "nobody writes to it";
  EXPECT_EQ(held_after("for (int i = 0; i < n - 1; i++) h[i] = 1;"), "?");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = 1; h[5] = read();"), "?");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = 1; load(h);"), "?");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = 1; if (ask()) h[0] = 2;"), "?");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = rand() % 4; h[3] = 17;"), "?");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = i; for (int i = 0; i < 9; i++) h[i] = rand();"),
            "?");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = rand() % ask();"), "?");
  EXPECT_EQ(held_after("for (int i = 0; i < n; i += 2) h[i] = i;"), "?") << "every other one";
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[(i * 5) % n] = i;"), "?") << "out of order";
  EXPECT_EQ(held_after("for (int i = 0; i < n; i++) h[i] = i; std::sort(h, h + n, by_key);"), "?");
  EXPECT_EQ(held_after("std::vector<int> v(n); std::iota(begin(v), end(v), 0);\n"
                       "memcpy(h, v.data(), n * sizeof(int));"),
            "?");
}

TEST(Contents, VariablesOfTheDevicesMemory) {
  const std::string text = program(
      "int t[4] = {3, 1, 2, 0}; cudaMemcpyToSymbol(table, t, sizeof(t));\n"
      "int b = 5; cudaMemcpyToSymbol(base, &b, sizeof(int));");
  EXPECT_EQ(held(text, "table"), "4 values from 0 to 3");
  EXPECT_EQ(held(text, "base"), "5");
  const std::string again = text.substr(0, text.rfind('}')) + "  g<<<1, 64>>>(out, in, d, n);\n}\n";
  EXPECT_EQ(held(again, "table", 1), "4 values from 0 to 3") << "no kernel writes to a constant";
  EXPECT_EQ(held(again, "base", 1), "?");
}

const sim::Buffer& argument(const scenario::Setup& setup, const std::string& name) {
  return std::get<sim::Buffer>(setup.launch.arguments.at(name));
}
scenario::Setup setup_of(const UserKernel& own, const std::string& text) {
  return *scenario::make_setup(own.scenario, scenario::defaults(own.scenario), text).value;
}

TEST(Contents, TheLaunchHoldsThem) {
  const std::string text = program(
      "for (int i = 0; i < n; i++) h[i] = i % 5;\n"
      "int t[4] = {3, 1, 2, 0}; cudaMemcpyToSymbol(table, t, sizeof(t));");
  UserKernel own = opened_kernel("g.cu", text);
  EXPECT_EQ(field_text(own.form, "fill.index"), "program");
  const scenario::Setup setup = setup_of(own, text);
  ASSERT_TRUE(argument(setup, "index").data);
  EXPECT_EQ(argument(setup, "index").elements, 64u);
  std::int32_t last = 0;
  std::memcpy(&last, argument(setup, "index").data->data() + 63 * 4, 4);
  EXPECT_EQ(last, 63 % 5);
  ASSERT_TRUE(argument(setup, "table").data);
  EXPECT_EQ(argument(setup, "table").data->size(), 16u);
  LaunchForm longer = own.form;
  set_field(&longer, "elements.index", "65");
  EXPECT_FALSE(argument(setup_of(with_form(own, longer), text), "index").data) << "not what the program does";
  LaunchForm other = own.form;
  set_field(&other, "fill.index", "random(2,3)");
  EXPECT_EQ(field_text(other, "fill.index"), "random(2,3)");
  EXPECT_EQ(argument(setup_of(with_form(own, other), text), "index").range, (sim::FillRange{2, 3}));
  set_field(&other, "fill.index", "program");
  EXPECT_TRUE(argument(setup_of(with_form(own, other), text), "index").data);
}

// Structs, tables of pointers, chains and lists: what contents lead to is memory of its own, or an
// argument's.
constexpr const char* kAddresses =
    "struct Item { int value; char* name; };\n"
    "__global__ void mark(Item* item) { item->name[threadIdx.x] = 'x'; }\n"
    "__global__ void rows(float** table) { table[blockIdx.x][threadIdx.x] = 1; }\n"
    "__global__ void chase(long long* at, int n) {\n"
    "  long long* p = at;\n  for (int i = 0; i < n; ++i) p = (long long*)*p;\n  if (p != at) at[n] = 0;\n}\n"
    "struct Node { int value; Node* next; };\n"
    "__global__ void walk(const Node* head, int* sum) {\n"
    "  for (const Node* n = head; n != nullptr; n = n->next) *sum += n->value;\n}\n"
    "int main() {\n  Item h; Item* d; char* name; cudaMalloc(&d, sizeof(Item)); cudaMalloc(&name, 6);\n"
    "  h.value = 3; h.name = name; cudaMemcpy(d, &h, sizeof(Item), cudaMemcpyHostToDevice);\n"
    "  mark<<<1, 6>>>(d);\n"
    "  float* host[3]; float** table; cudaMalloc(&table, 3 * sizeof(float*));\n"
    "  for (int i = 0; i < 3; ++i) cudaMalloc(&host[i], 64 * sizeof(float));\n"
    "  cudaMemcpy(table, host, sizeof(host), cudaMemcpyHostToDevice);\n  rows<<<3, 64>>>(table);\n"
    "  const int n = 32; long long* chain; cudaMallocManaged(&chain, n * sizeof(long long));\n"
    "  for (int i = 0; i < n; ++i) chain[i * 5 % n] = (long long)(chain + (i + 1) * 5 % n);\n"
    "  chase<<<1, 1>>>(chain, n);\n"
    "  Node* nodes; int* sum; cudaMallocManaged(&nodes, 3 * sizeof(Node)); cudaMalloc(&sum, 4);\n"
    "  for (int i = 0; i < 3; ++i) { nodes[i].value = i; nodes[i].next = i < 2 ? &nodes[i + 1] : nullptr; }\n"
    "  walk<<<1, 1>>>(nodes, sum);\n}\n";

TEST(Contents, AddressesLeadSomewhere) {
  const FileFacts facts = read_facts(kAddresses);
  ASSERT_EQ(facts.launches.size(), 4u);
  const auto addresses = [&](std::size_t launch, const std::string& buffer) {
    std::string text;
    for (const sim::Addresses& some : facts.launches[launch].contents.at(buffer).addresses) {
      text += some.of + ":";
      for (const std::uint64_t at : *some.places) text += " " + std::to_string(at);
      text += "; ";
    }
    return text;
  };
  EXPECT_EQ(addresses(0, "item"), "item->name: 8; ");
  ASSERT_EQ(facts.launches[0].behind.size(), 1u);
  const sim::KernelParameter& name = facts.launches[0].behind[0];
  EXPECT_EQ(name.name + " " + name.type_text, "item->name char*");
  EXPECT_EQ(name.type, sim::ScalarType::I8);
  EXPECT_EQ(name.symbol_elements * name.element_bytes, 6);
  EXPECT_EQ(addresses(1, "table"), "table[0]: 0; table[1]: 8; table[2]: 16; ");
  EXPECT_EQ(facts.launches[1].contents.at("table").words, "addresses of table[0], table[1], table[2]");
  EXPECT_TRUE(addresses(2, "at").starts_with("at: 0 8 16 24 ")) << addresses(2, "at");
  EXPECT_TRUE(facts.launches[2].contents.at("at").is_guessed) << "in which order they lead where";
  EXPECT_EQ(addresses(3, "head"), "head: 8 24; ");
  EXPECT_TRUE(facts.launches[3].behind.empty());
  std::int64_t second = 0;
  std::memcpy(&second, facts.launches[3].contents.at("head").bytes->data() + 8, 8);
  EXPECT_EQ(second, 16) << "from the buffer's begin";
}

TEST(Contents, AKernelFollowsThem) {
  const std::string text = kAddresses;
  const UserKernel first = opened_kernel("a.cu", text);
  for (std::size_t i = 0; i < 4; ++i) {
    const UserKernel own = with_launch(first, i, text);
    const scenario::Setup setup = setup_of(own, text);
    const sim::CompileResult compiled = sim::compile(setup.compile);
    ASSERT_TRUE(compiled.program) << i;
    const sim::Totals totals =
        sim::grid_totals(*compiled.program, setup.launch, memory::default_gpu_model(), {});
    EXPECT_FALSE(totals.error) << i << (totals.error ? totals.error->message.english() : "");
  }
  scenario::Setup wrong = setup_of(with_launch(first, 1, text), text);
  std::get<sim::Buffer>(wrong.launch.arguments.at("table")).addresses[0].of = "nobody";
  const auto messages =
      sim::check_launch(*sim::compile(wrong.compile).program, wrong.launch, memory::default_gpu_model());
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].english(), "table is to hold addresses of nobody, which has none");
}

TEST(Contents, PointersWithinLeadToMemory) {
  struct Row {
    const char *why, *text, *buffer, *words;
    bool is_guessed;
  };
  for (const Row& row : {
           Row{"`new` with an operator of its own, in a class that has it from another one, makes memory",
               "struct Managed { void* operator new(size_t n) { void* p; cudaMallocManaged(&p, n); return p; "
               "} };\n"
               "struct Item : public Managed { char* name; int value; };\n"
               "__global__ void mark(Item* item) { item->name[threadIdx.x] = 'x'; }\n"
               "int main() { Item* i = new Item; cudaMallocManaged(&i->name, 6); mark<<<1, 6>>>(i); }\n",
               "item", "addresses of item->name", false},
           {"what constructors do to the elements of an array is not followed: their pointers are guesses",
            "struct Lock { int* mutex; Lock() { cudaMalloc(&mutex, 4); cudaMemset(mutex, 0, 4); } };\n"
            "__global__ void take(Lock* locks) { atomicAdd(locks[threadIdx.x].mutex, 1); }\n"
            "int main() { Lock h[2]; Lock* d; cudaMalloc(&d, sizeof(h)); cudaMemcpy(d, h, sizeof(h), kind);\n"
            "  take<<<1, 2>>>(d); take<<<1, 2>>>(d); }\n",
            "locks", "addresses of locks[0].mutex, locks[1].mutex", true},
           {"a pointer that is copied alone leads to its memory",
            "__global__ void z(int** p) { p[0][threadIdx.x] = 1; }\n"
            "int main() { int *d, **t; cudaMalloc(&d, 128); cudaMalloc(&t, 8); cudaMemcpy(t, &d, 8, kind);\n"
            "  z<<<1, 32>>>(t); }\n",
            "p", "addresses of p[0]", false},
           {"and one of the file's",
            "__device__ float* table;\n__global__ void z(int* p) { p[threadIdx.x] = table[0]; }\n"
            "int main() { int* d; float* f; cudaMalloc(&d, 128); cudaMalloc(&f, 4);\n"
            "  cudaMemcpyToSymbol(table, &f, 8); z<<<1, 32>>>(d); }\n",
            "table", "addresses of *table", false},
           {"of a pointer that is not known the buffer is a guess",
            "struct Item { int value; float* data; };\n"
            "__global__ void mark(Item* item) { item->data[threadIdx.x] = 1; }\n"
            "int main() { Item* d; cudaMalloc(&d, sizeof(Item)); load(d); mark<<<1, 64>>>(d); }\n",
            "item", "addresses of item->data", true},
       }) {
    SCOPED_TRACE(row.why);
    const FileFacts facts = read_facts(row.text);
    const Written& written = facts.launches.at(0).contents.at(row.buffer);
    EXPECT_EQ(written.words, row.words);
    EXPECT_EQ(written.is_guessed, row.is_guessed);
  }
}

TEST(Contents, ArgumentsAreWhatTheirTypesHold) {
  const std::pair<std::string, std::string> kNumbers[] = {
      {"float", "FLT_MAX"},  {"float", "-INFINITY"},   {"unsigned long long", "0x9E3779B97F4A7C15ULL"},
      {"double", "DBL_MAX"}, {"size_t", "(size_t)-1"}, {"long long", "-9223372036854775807LL - 1"}};
  for (const auto& [type, value] : kNumbers) {
    const std::string text = "__global__ void f(" + type + "* a, " + type +
                             " v) { a[0] = v; }\nint main() { " + type +
                             "* d; cudaMalloc(&d, 8); f<<<1, 1>>>(d, " + value + "); }\n";
    const UserKernel own = opened_kernel("f.cu", text);
    EXPECT_TRUE(own.values.errors.empty()) << value;
    const scenario::Setup setup = setup_of(own, text);
    const sim::Program program = *sim::compile(setup.compile).program;
    EXPECT_TRUE(sim::check_launch(program, setup.launch, memory::default_gpu_model()).empty()) << value;
  }
}

// More rows than buffers are made share the last one, and that is said.
TEST(Contents, ManyRowsShareMemory) {
  const FileFacts facts = read_facts(
      "__global__ void rows(float** table) { table[blockIdx.x][threadIdx.x] = 1; }\n"
      "int main() { float* host[100]; float** table; cudaMalloc(&table, 100 * sizeof(float*));\n"
      "  for (int i = 0; i < 100; ++i) cudaMalloc(&host[i], 256);\n"
      "  cudaMemcpy(table, host, sizeof(host), cudaMemcpyHostToDevice);\n  rows<<<100, 64>>>(table);\n}\n");
  const KnownLaunch& launch = facts.launches.at(0);
  EXPECT_EQ(launch.behind.size(), 63u);
  EXPECT_TRUE(launch.contents.at("table").is_guessed);
  const auto many = [](const sim::Addresses& some) { return some.places->size() > 1; };
  const auto& addresses = launch.contents.at("table").addresses;
  const auto last = std::ranges::find_if(addresses, many);
  ASSERT_NE(last, addresses.end());
  EXPECT_EQ(last->places->size(), 38u);
}

// The session has the text, of which the contents are read again; and which launch they belong to.
TEST(Contents, ASessionBringsThemBack) {
  std::string text = program("for (int i = 0; i < n; i++) h[i] = i % 5;");
  text = text.substr(0, text.rfind('}')) +
         "  for (int i = 0; i < n; i++) h[i] = i % 6;\n"
         "  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);\n  g<<<1, 32>>>(out, in, d, n);\n}\n";
  UserKernel own = with_launch(opened_kernel("g.cu", text), 1, text);
  ASSERT_EQ(own.form.block[0], "32");
  State state;
  state.settings = settings_of(own, std::make_shared<const std::string>(text));
  const nlohmann::json session = to_json(viewpoint_of(state));
  EXPECT_EQ(session["own"]["launch"], 1);
  auto document = scenario::JsonDocument::parse(session.dump(), "session");
  const Catalog catalog;
  const auto read = read_viewpoint(document.root(), catalog, {});
  ASSERT_TRUE(read && read->settings.own);
  EXPECT_EQ(read->settings.own->form, own.form);
  EXPECT_EQ(read->settings.own->form.buffers[2].written->words, "64 values from 0 to 5");
  // An edit of the text keeps to that launch.
  std::string edited = text;
  edited.replace(edited.find("i % 6"), 5, "i % 9");
  EXPECT_EQ(with_text(*read->settings.own, edited).form.buffers[2].written->words, "64 values from 0 to 8");
}

}  // namespace warplens::app::contents_test
