// Makes a random kernel. Values are made at levels, by how they may depend on the block index: a kernel that
// mixes everything everywhere has no two blocks alike, and would try nothing of the classes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tests/differential/element_type.h"
#include "tests/differential/random.h"
#include "tests/differential/random_kernel.h"

namespace warplens::differential {

enum class Level : std::uint8_t {
  Thread,  // the same in every block
  Affine,  // moves by a fixed amount from block to block
  Bent,    // any function of the block index
  Data,    // and of what memory holds
};
inline constexpr std::size_t kLevels = 4;

enum class Place : std::uint8_t { Global, Shared, Local, Constant };

// An array that the kernel reads or writes.
struct Array {
  std::string name;
  const ElementType* type = nullptr;
  Place place = Place::Global;
  std::uint64_t elements = 0;  // 0: without end
  bool reads = true, writes = false;
  Level level = Level::Data;  // of what it holds
  int rows = 0, columns = 0;  // a matrix, where rows > 0
  Features features;
};

// What is known where a statement stands.
struct Scope {
  std::array<std::vector<std::string>, kLevels> ints;       // that may be read
  std::array<std::vector<std::string>, kLevels> variables;  // of those, that may be assigned
  std::vector<std::string> longs, reals, bools;
  bool in_function = false;  // of a device function: no arrays, and `return` gives an int
  bool uniform = true;       // all threads of the block that have not ended are here
  bool in_loop = false, in_switch = false;
};

class KernelMaker {
 public:
  explicit KernelMaker(std::uint64_t seed);
  RandomKernel make();

 private:
  // make_kernel.cpp: the launch, the arrays, the whole
  void choose_launch();
  void choose_arrays();
  void add_buffer(const ElementType& type, bool written);
  void add_shared(Node& declarations);
  void add_matrices(Node& declarations);
  std::uint64_t buffer_elements();
  Node parameters();
  Node head();
  Node fills();
  Node tail();

  // make_functions.cpp
  void choose_functions(Node& declarations);
  Node function_body();
  Node call(int depth, Level level);
  Node call_by_reference();
  Node call_with_pointer();
  Node member_calls();

  // make_integers.cpp
  Level some_level();
  Node integer(int depth, Level level);
  Node integer(Level level) { return integer(0, level); }
  Node atom(int depth, Level level);
  Node operation(int depth, Level level);
  Node unusual_operation(int depth, Level level);
  Node affine(int depth);
  Node constant();
  Node wide(int depth, Level level);
  Node real(int depth, Level level);
  Node condition(int depth, Level level);
  Node condition(Level level) { return condition(0, level); }
  Node uniform_condition();

  // make_accesses.cpp
  std::vector<const Array*> arrays(Place place, bool written, Level level) const;
  const Array* array(Place place, bool written, Level level);
  Node index(const Array& array, int depth, Level level);
  Node bounded_index(const Array& array, int depth, Level level);
  Node endless_index(int depth, Level level);
  Node element(const Array& array, int depth, Level level);
  std::optional<Node> load(int depth, Level level);
  Node load_of(const Array& array, int depth, Level level);
  Node whole_load();
  Node store();
  Node atomic();
  Node atomic_call(const Array& array, Level level);
  Node pointer_walk();
  Node generic_pointer();
  Node chosen_pointer();
  Node known_places();
  Node own_element();
  Node many_patterns();
  Node reinterpret();
  Node gather();
  Node shared_phase();

  // make_tensor.cpp
  Node tensor_statement();
  Node load_matrices(const Array& panel);
  Node store_matrices(const Array& panel);
  Node multiply_matrices();
  Node copy_async();
  Node fetch_texture();

  // make_statements.cpp
  Node block(int depth, int least, int most);
  Node statement(int depth);
  Node function_statement(int depth);
  Node simple_statement();
  Node pointer_statement();
  Node declaration();
  Node assignment();
  Node into(Level level, Node value);  // adds a value to a variable of its level
  Node narrow_variable();
  Node wide_variable();
  Node real_variable();
  Node division();
  Node warp_wide();
  Node shuffle(Level level);
  Node vote(Level level);
  Node block_vote();
  Node steered_by(const std::string& v, Node value);
  Node assertion();

  // make_control.cpp
  Node branch(int depth);
  Node for_loop(int depth);
  Node uniform_for(int depth);
  Node while_loop(int depth);
  Node do_loop(int depth);
  Node switch_statement(int depth);
  Node leave();
  Node loop_body(int depth);

  std::string name(const char* prefix) { return prefix + std::to_string(names_++); }
  sim::Launch& launch() { return kernel_.launch; }
  const sim::Launch& launch() const { return kernel_.launch; }

  struct Function {
    std::string name;
    enum class Form : std::uint8_t { Plain, Template, Reference, Load } form = Form::Plain;
  };

  RandomKernel kernel_;
  Random random_;
  Scope scope_;
  std::vector<Array> arrays_;
  std::vector<Function> functions_;
  Node symbols_;  // __constant__ and __device__ variables
  std::array<int, kLevels> level_weights_{};
  bool risky_ = false;       // may leave its buffers, divide by zero, fail
  bool lanes_left_ = false;  // some lanes may have returned
  bool has_template_ = false, has_config_ = false, has_group_ = false, has_walker_ = false,
       has_texture_ = false, has_own_ = false;
  int loops_ = 0;  // around the statement
  int names_ = 0;
};

}  // namespace warplens::differential
