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
  Features features = {};
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
  Piece declare_arrays();
  std::uint64_t buffer_elements();
  Piece parameters();
  Piece head();
  Piece fills();
  Piece tail();

  // make_functions.cpp
  Piece choose_functions();
  Piece function_body();
  Piece call(int depth, Level level);
  Piece call_by_reference();
  Piece call_with_pointer();
  Piece member_calls();

  // make_integers.cpp. What a form has for its signs:
  //   @i an int of the level, @l of it or of a lower one, @t of the thread alone, @k a constant
  //   @s a shift's amount, @c a condition, @v a bool, @= a comparison
  //   @w a long long, @r a float or double, @b one without an operation
  //   @I, @C, @E an int, a condition, an index of a buffer without end, at a level of its own
  //   #3-9 a number, #^3-9 a power of two by its exponent, #~3-9 so many ones
  //   `a`b`c`` one of these
  struct Form {
    Form(std::string form, std::initializer_list<Feature> brings = {}, int times = 1)
        : text(std::move(form)), features(set_of(brings)), weight(times) {}
    std::string text;
    Features features;
    int weight;
  };
  Piece made(std::string_view form, int depth = 0, Level level = Level::Thread);
  Piece sign(char sign, int depth, Level level);
  Piece one(const std::vector<Form>& forms, int depth = 0, Level level = Level::Thread);

  Level some_level();
  Piece integer(int depth, Level level);
  Piece integer(Level level) { return integer(0, level); }
  Piece atom(int depth, Level level);
  Piece operation(int depth, Level level);
  Piece unusual_operation(int depth, Level level);
  Piece affine(int depth);
  Piece constant();
  Piece wide(int depth, Level level);
  Piece real(int depth, Level level);
  Piece condition(int depth, Level level);
  Piece condition(Level level) { return condition(0, level); }
  Piece uniform_condition();

  // make_accesses.cpp
  std::vector<const Array*> arrays(Place place, bool written, Level level) const;
  const Array* array(Place place, bool written, Level level);
  const Array* endless_array();
  Piece index(const Array& array, int depth, Level level);
  Piece bounded_index(const Array& array, int depth, Level level);
  Piece endless_index(int depth, Level level);
  Piece element(const Array& array, int depth, Level level);
  std::optional<Piece> load(int depth, Level level);
  Piece load_of(const Array& array, int depth, Level level);
  Piece whole_load();
  Piece store();
  Piece atomic();
  Piece atomic_call(const Array& array, Level level);
  Piece pointer_walk();
  Piece generic_pointer();
  Piece chosen_pointer();
  Piece known_places();
  Piece own_element();
  Piece many_patterns();
  Piece reinterpret();
  Piece gather();
  Piece shared_phase();

  // make_tensor.cpp
  const Array* panel() const;
  Piece tensor_statement();
  Piece load_matrices(const Array& panel);
  Piece store_matrices(const Array& panel);
  Piece multiply_matrices();
  Piece copy_async();
  Piece fetch_texture();

  // make_statements.cpp
  Piece block(int depth, int least, int most);
  Piece statement(int depth);
  Piece function_statement(int depth);
  Piece simple_statement();
  Piece pointer_statement();
  Piece declaration();
  Piece assignment();
  Piece into(Level level, Piece value);  // adds a value to a variable of its level
  Piece narrow_variable();
  Piece wide_variable();
  Piece real_variable();
  Piece division();
  Piece warp_wide();
  Piece shuffle(Level level);
  Piece vote(Level level);
  Piece block_vote();
  Piece steered_by(Level level, Piece value);
  Piece assertion();

  // make_control.cpp
  Piece branch(int depth);
  Piece for_loop(int depth);
  Piece uniform_for(int depth);
  Piece while_loop(int depth);
  Piece do_loop(int depth);
  Piece switch_statement(int depth);
  Piece leave();
  Piece loop_body(int depth, const std::string& counter, Level level);

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
  Piece symbols_;  // __constant__ and __device__ variables
  std::array<int, kLevels> level_weights_{};
  bool risky_ = false;       // may leave its buffers, divide by zero, fail
  bool lanes_left_ = false;  // some lanes may have returned
  bool has_template_ = false, has_config_ = false, has_group_ = false, has_walker_ = false,
       has_texture_ = false, has_own_ = false;
  int loops_ = 0;  // around the statement
  int names_ = 0;
};

}  // namespace warplens::differential
