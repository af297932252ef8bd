// A kernel of a PTX module -> Ir.
//
// Registers become values where one block writes them and what reads them comes behind it in the same turn of
// its loop; the others are variables. The control flow becomes If, Loop and Call from the dominator tree:
// N. Ramsey, "Beyond Relooper" (ICFP 2022), but that what follows a loop stands behind it, so that lanes that
// leave it early wait there for the others; what stands before all ways out of it meet is taken for a part of
// the loop (graph.h). Lanes that part come together at the latest where all of their ways lead: at a block
// that several jump to, or behind the loop.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/lower/lower.h"
#include "sim/lower/ptx/module.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

class PtxModuleLowering : public PtxLowering {
 public:
  PtxModuleLowering(Lowering& lowering, const ptx::Module& module, const ptx::Function& entry,
                    const CompileRequest& request, const Declared& declared)
      : PtxLowering(lowering, &entry, entry.range),
        module_(module),
        entry_(entry),
        text_(request.text),
        host_code_(request.source),
        declared_(declared),
        parameter_names_(request.parameters),
        given_buffers_(request.pointers),
        source_text_(module, entry, request.source, request.source_name) {}
  void run(Program& program);  // complaints are the lowering's

 private:
  // ---- what registers and variables are
  struct Use {
    std::vector<std::pair<int, std::size_t>> reads, writes;  // block, statement
  };
  void find_uses();
  void make_variables();
  bool is_value(const Use& use) const;
  std::optional<ScalarType> declared_type(const std::string& name) const override;
  const Cell* first_value(const std::string& name) override;
  int array_of(const std::string& name) const override;
  bool is_read(const std::string& name) const;  // else assemblers leave a result out
  void touch(const Cell& cell) override;
  AccessText text_of(const Instruction& i, const Operand& operand) const override;
  Value base_of_map(const Operand& operand) override;
  Value base_of_object(const Operand& operand) override;

  // ---- module_memory.cpp: parameters, shared, local and global variables
  using Roots = std::map<std::string, std::set<std::string>>;  // by register: variables and parameters
  Roots roots_grown(const Roots& at_most) const;
  void find_roots();
  struct ReadTexture {
    bool is_surface = false;
    ScalarType part = ScalarType::F32;  // of what is fetched
    int count = 1;                      // of parts that are used
  };
  std::map<std::string, ReadTexture> textures_read() const;  // by the parameter that the object is
  void bind_texture(KernelParameter described, const ReadTexture& read, std::size_t textures);
  void bind_parameters(Program& program);
  void bind_shared(Program& program);
  void bind_array(const std::string& name, PointedArray array, std::int64_t offset);
  SharedArray array_of_variable(const ptx::Variable& variable, std::string name, std::int64_t offset) const;
  void bind_local(Program& program);
  void bind_globals(Program& program);
  KernelParameter described(std::string name, ScalarType type, bool is_pointer) const;
  ScalarType element_of(const std::string& root) const;

  // ---- the tree
  using Body = std::function<void(int next)>;
  struct Target {
    int block = -1;
    int region = -1;
    bool is_used = false;
  };
  void find_places();
  void stand_at(const ptx::Statement& one);
  void subtree(int block, int next);
  int before(const std::vector<int>& followers, std::size_t count, int next, const Body& inner);
  void loop(int header, int next);
  // Each gives the block that stands next, where that is here; or -1.
  int code(int block, int next);
  int branch(int block, int next);
  int choose(int block, std::size_t from, Value index, int next);
  int go(int from, int to, int next);
  void run_on(int block, int next) {
    if (block >= 0) subtree(block, next);
  }
  bool leaves(int from, int to, int next) const;
  bool stands_inside(int from, int to) const;
  const ptx::Block& at(int block) const { return graph_.blocks[block]; }

  const ptx::Module& module_;
  const ptx::Function& entry_;
  const std::string_view text_;
  std::string_view host_code_;                       // in the source
  const Declared& declared_;                         // by the source
  const std::vector<std::string>& parameter_names_;  // by the source; may be empty
  const std::set<std::size_t>& given_buffers_;       // parameters
  const ptx::SourceText source_text_;
  ptx::Inlined code_;
  ptx::Graph graph_;
  std::map<std::string, Use> uses_;
  Roots roots_;                          // what each register is made from
  std::set<std::string> is_pointer_;     // parameters that are certain to be one
  std::map<std::string, Cell> symbols_;  // variables and parameters
  std::map<std::string, int> arrays_;    // shared and local ones: in Ir::arrays
  std::vector<std::vector<int>> merges_,
      followers_;  // by block: what comes behind it; by header: behind the loop
  std::vector<Target> targets_of_jumps_;
  std::map<Value, Value> opposite_;  // of a condition that was negated: the condition
  std::size_t depth_ = 0;
};

}  // namespace warplens::sim::lower
