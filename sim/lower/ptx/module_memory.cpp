// What the names of a PTX module stand for: parameters of the kernel, and its variables in shared, local,
// constant and global memory.
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "sim/lower/ptx/module_lowering.h"

namespace warplens::sim::lower {

namespace {

using ptx::Variable;

constexpr std::int64_t kTensorMapBytes = 128;  // of a CUtensorMap

ScalarType type_of(const std::string& name) {
  return ptx_type(name).value_or(ScalarType::U8);
}

std::int64_t bytes_of(const Variable& variable) {
  return static_cast<std::int64_t>(variable.elements) * size_of(type_of(variable.type));
}

std::int64_t aligned(std::int64_t offset, const Variable& variable) {
  const std::int64_t by = std::max(variable.alignment, size_of(type_of(variable.type)));
  return (offset + by - 1) / by * by;
}

// Instructions that give an address where they are given one, and which of their operands may be it.
std::pair<std::size_t, std::size_t> address_operands(const ptx::Instruction& i) {
  const std::string& name = i.name();
  if (name == "mov" || name == "cvta" || name == "cvt" || name == "mapa") return {1, 2};
  if (name == "add" || name == "sub" || name == "and" || name == "or" || name == "xor" || name == "selp" ||
      name == "min" || name == "max")
    return {1, 3};
  if (name == "mad") return {3, 4};
  if (name == "lop3") return {1, 4};
  return {0, 0};
}

}  // namespace

// Which variables and parameters each register's value is made from, as an address is: a fixed point. Where
// an address and a number are added, `at_most` tells them apart, which has all that either may be made from.
PtxModuleLowering::Roots PtxModuleLowering::roots_grown(const Roots& at_most) const {
  Roots roots;
  for (const auto& [name, use] : uses_) {
    const bool is_register = code_.types.contains(name) && !name.starts_with('[');
    if (!is_register && !name.starts_with('%')) roots[name] = {name};  // %tid.x is none
  }
  const auto leads = [&](const Operand& operand) {
    const auto known = at_most.find(operand.name);
    return known != at_most.end() && std::ranges::any_of(known->second, [&](const std::string& root) {
             return is_pointer_.contains(root) || !root.starts_with('[');
           });
  };
  bool changes = true;
  const auto flows = [&](const std::string& from, const std::string& to) {
    const auto known = roots.find(from);
    if (known == roots.end() || to.empty()) return;
    for (const std::string& root : known->second) changes |= roots[to].insert(root).second;
  };
  while (std::exchange(changes, false)) {
    for (const ptx::Statement& one : code_.body) {
      l_.pace().step();
      const Instruction& i = one.instruction;
      if (!i.label.empty() || i.operands.size() < 2) continue;
      // What is stored in a variable may be loaded from there, as by `float* rows[2] = {a, b}`: "*rows".
      const bool stores = i.name() == "st", moves = stores || i.name() == "ld";
      if (moves && i.operands.size() == 2 && size_of(type_of(i.last())) == 8) {
        for (const std::string& root : std::set(roots[i.operands[stores ? 0 : 1].name])) {
          if (root.starts_with('[')) continue;  // what a parameter leads to is the host's
          std::vector<Operand> values = i.operands[stores ? 1 : 0].parts;
          values.push_back(i.operands[stores ? 1 : 0]);
          for (const Operand& value : values)
            stores ? flows(value.name, "*" + root) : flows("*" + root, value.name);
        }
      }
      const auto [from, end] = address_operands(i);
      if (end == 0 || from >= i.operands.size() || i.operands[0].kind != Operand::Kind::Name) continue;
      const auto given = std::span(i.operands).subspan(from, std::min(end, i.operands.size()) - from);
      const bool chooses = i.name() == "selp" || i.name() == "min" || i.name() == "max";
      const bool has_address = !chooses && std::ranges::any_of(given, leads);
      for (const Operand& operand : given)
        if (!has_address || leads(operand)) flows(operand.name, i.operands[0].name);
    }
  }
  return roots;
}

// A parameter is a pointer that the compiler says to be one, or that cvta is given.
void PtxModuleLowering::find_roots() {
  for (const ptx::Variable& parameter : entry_.parameters)
    if (parameter.is_pointer) is_pointer_.insert(ptx::part_register(parameter.name, 0));
  const Roots all = roots_grown({});
  for (const ptx::Statement& one : code_.body) {
    const Instruction& i = one.instruction;
    if (i.name() != "cvta" || i.operands.size() != 2) continue;
    if (const auto known = all.find(i.operands[1].name); known != all.end())
      is_pointer_.insert(known->second.begin(), known->second.end());
  }
  roots_ = roots_grown(all);
}

KernelParameter PtxModuleLowering::described(std::string name, ScalarType type, bool is_pointer) const {
  KernelParameter made;
  made.name = std::move(name);
  made.is_pointer = is_pointer;
  made.type = type;
  made.element_bytes = size_of(type);
  made.type_text = sim::name_of(type) + std::string(is_pointer ? "*" : "");
  made.range = entry_.range;
  return made;
}

// The type of what a pointer leads to, by the instructions that load and store it; of bits by what is done
// with them.
ScalarType PtxModuleLowering::element_of(const std::string& root) const {
  std::string bits;
  std::set<std::string> values;
  for (const ptx::Statement& one : code_.body) {
    const Instruction& i = one.instruction;
    const bool is_fragment = i.name() == "wmma";
    const bool is_access =
        is_fragment || i.name() == "ld" || i.name() == "st" || i.name() == "atom" || i.name() == "red";
    if (!is_access || i.has("shared") || i.has("local")) continue;
    for (const Operand& operand : i.operands) {
      if (operand.kind != Operand::Kind::Address) continue;
      const auto known = roots_.find(operand.name);
      if (known == roots_.end() || !known->second.contains(root)) continue;
      if (is_fragment && i.last() == "f16") return ScalarType::F16;
      if (is_fragment && i.last() == "bf16") return ScalarType::BF16;
      const auto type = ptx_type(i.last());
      if (!type) continue;
      if (!i.last().starts_with('b') && !i.last().starts_with('u')) return *type;
      if (bits.empty()) bits = i.last();
      const Operand& value = i.operands[&operand == &i.operands[0] ? i.operands.size() - 1 : 0];
      if (!value.name.empty()) values.insert(value.name);
      for (const Operand& part : value.parts) values.insert(part.name);
    }
  }
  if (bits.empty()) return ScalarType::F32;
  const std::size_t bytes = static_cast<std::size_t>(size_of(type_of(bits)));
  for (const ptx::Statement& one : code_.body) {
    const Instruction& i = one.instruction;
    if (i.parts.size() < 2 || (i.name() == "mov" && i.last().starts_with('b'))) continue;
    bool touches = false;
    ptx::each_register(i, [&](const std::string& name, bool) { touches |= values.contains(name); });
    if (!touches) continue;
    if (bytes == 4 && i.has("f32")) return ScalarType::F32;
    if (bytes == 8 && i.has("f64")) return ScalarType::F64;
    if (bytes == 2 && (i.has("f16") || i.has("f16x2"))) return ScalarType::F16;
    if (bytes == 2 && (i.has("bf16") || i.has("bf16x2"))) return ScalarType::BF16;
    if (bytes > 1 && (i.has("s32") || i.has("s64") || i.has("s16")))
      return bytes == 8 ? ScalarType::I64 : bytes == 4 ? ScalarType::I32 : ScalarType::I16;
  }
  return type_of(bits);
}

// A texture's object goes through registers, and through parameters of functions, which are no symbols.
Value PtxModuleLowering::base_of_object(const Operand& operand) {
  const auto roots = roots_.find(operand.name);
  if (roots == roots_.end()) return kNone;
  Value found = kNone;
  for (const std::string& root : roots->second) {
    const auto parameter = symbols_.find(root);
    if (parameter == symbols_.end()) continue;
    if (found != kNone && found != parameter->second.value) return kNone;
    found = parameter->second.value;
  }
  return found;
}

std::map<std::string, PtxModuleLowering::ReadTexture> PtxModuleLowering::textures_read() const {
  std::map<std::string, ReadTexture> textures;
  // Parameters of functions that the object is handed to are roots too, and would be counted as textures.
  const auto is_of_kernel = [&](const std::string& root) {
    return std::ranges::any_of(entry_.parameters, [&](const ptx::Variable& parameter) {
      return root.starts_with("[" + parameter.name + "+");
    });
  };
  for (const ptx::Statement& one : code_.body) {
    const Instruction& i = one.instruction;
    const bool is_surface = i.name() == "suld" || i.name() == "sust";
    if (!is_surface && i.name() != "tex") continue;
    for (const Operand& operand : i.operands) {
      const auto known = roots_.find(operand.name);
      if (operand.kind != Operand::Kind::Address || known == roots_.end()) continue;
      for (const std::string& root : known->second) {
        if (!is_of_kernel(root)) continue;
        ReadTexture& read = textures[root];
        read.is_surface = is_surface;
        if (is_surface || i.parts.size() < 4) continue;
        read.part = ptx_type(i.parts[3]).value_or(ScalarType::F32);
        for (int k = 1; k < static_cast<int>(i.operands[0].parts.size()); ++k)
          if (is_read(i.operands[0].parts[k].name)) read.count = std::max(read.count, k == 1 ? 2 : 4);
      }
    }
  }
  return textures;
}

// What it holds the source says; else it is no wider than what is used of it.
void PtxModuleLowering::bind_texture(KernelParameter described, const ReadTexture& read,
                                     std::size_t textures) {
  const std::string name = described.name;
  described.type_text = read.is_surface ? "cudaSurfaceObject_t" : "cudaTextureObject_t";
  l_.textures.new_texture(std::move(described), read.is_surface, host_code_);
  if (read.is_surface) return;
  TypeRef element = l_.textures.texel_type(read.part, read.count);
  const std::vector<KernelParameter>& declared = declared_.textures;
  auto known = std::ranges::find(declared, name, &KernelParameter::name);
  if (known == declared.end() && declared.size() == textures)  // parameters have no names here
    known = declared.begin() + static_cast<std::ptrdiff_t>(l_.textures.all().size()) - 1;
  if (known != declared.end())
    element = l_.textures.texel_type(known->type, known->element_bytes / size_of(known->type));
  else
    l_.warning(range_,
               Message("what '{}' holds is not known: it is taken for '{}', of which the kernel uses all",
                       name, name_of(element)));
  (void)l_.textures.give_element(l_.textures.all().back(), element, range_);
}

// Numbers and pointers, in the order of the text: what an access to global memory is given is a pointer too.
void PtxModuleLowering::bind_parameters(Program& program) {
  std::set<std::string> pointers = is_pointer_, written;
  const std::map<std::string, ReadTexture> textures = textures_read();
  for (const ptx::Statement& one : code_.body) {
    const Instruction& i = one.instruction;
    if (i.has("shared") || i.has("local") || i.has("shared::cta") || i.name() == "ldmatrix" ||
        i.name() == "stmatrix") {
      if (i.name() != "cp") continue;
    }
    for (const Operand& operand : i.operands) {
      if (operand.kind != Operand::Kind::Address) continue;
      const auto known = roots_.find(operand.name);
      if (known == roots_.end()) continue;
      const std::set<std::string>& roots = known->second;
      if (i.name() == "st" || i.name() == "atom" || i.name() == "red" ||
          (i.name() == "wmma" && i.has("store")))
        written.insert(roots.begin(), roots.end());
      for (const std::string& root : roots) {
        const auto type = declared_type(root);
        if (type && size_of(*type) == 8) pointers.insert(root);
      }
    }
  }
  const std::string of_kernel = entry_.name + "_param_";
  for (std::size_t k = 0; k < entry_.parameters.size(); ++k) {
    const ptx::Variable& parameter = entry_.parameters[k];
    std::string shown = parameter.name;
    if (shown.starts_with(of_kernel)) shown = "param_" + shown.substr(of_kernel.size());
    if (k < parameter_names_.size() && !parameter_names_[k].empty()) shown = parameter_names_[k];
    // What the kernel reads of it, by the place; of a struct one part a read.
    std::map<std::uint64_t, std::string> parts;
    const std::string begin = "[" + parameter.name + "+";
    for (auto part = code_.types.lower_bound(begin);
         part != code_.types.end() && part->first.starts_with(begin); ++part)
      parts[std::strtoull(part->first.c_str() + begin.size(), nullptr, 10)] = part->first;
    if (bytes_of(parameter) == kTensorMapBytes && parts.empty() && uses_.contains(parameter.name)) {
      KernelParameter map;
      map.name = shown;
      map.type_text = "CUtensorMap";
      map.range = entry_.range;
      map.is_const = true;
      symbols_[parameter.name] = {l_.tensor_maps.add_tensor_map(std::move(map), host_code_), ScalarType::U64};
      continue;
    }
    const bool is_struct =
        bytes_of(parameter) > 8 || parts.size() > 1 || (parts.size() == 1 && parts.begin()->first != 0);
    if (parts.empty()) parts[0] = ptx::part_register(parameter.name, 0);
    for (const auto& [offset, name] : parts) {
      if (const auto texture = textures.find(name); texture != textures.end()) {
        KernelParameter described;
        described.name = is_struct ? shown + "." + std::to_string(offset) : shown;
        described.is_member = is_struct;
        described.member_offset = static_cast<int>(offset);
        described.range = entry_.range;
        bind_texture(std::move(described), texture->second, textures.size());
        symbols_[name] = {l_.textures.all().back().base, ScalarType::U64};
        continue;
      }
      const bool is_pointer =
          pointers.contains(name) || (given_buffers_.contains(k) && !is_struct && bytes_of(parameter) == 8);
      const auto read = declared_type(name);
      ScalarType type = read ? *read : bytes_of(parameter) <= 8 ? type_of(parameter.type) : ScalarType::U32;
      if (!is_pointer && type == ScalarType::U32 && parameter.type == "f32") type = ScalarType::F32;
      KernelParameter made = described(is_struct ? shown + "." + std::to_string(offset) : shown,
                                       is_pointer ? element_of(name) : type, is_pointer);
      if (!is_struct && !is_pointer)  // of which less may be read
        made.element_bytes = static_cast<int>(bytes_of(parameter));
      made.is_member = is_struct;
      made.member_offset = static_cast<int>(offset);
      made.is_const = is_pointer && !written.contains(name);
      if (made.is_const) made.type_text = "const " + made.type_text;
      if (!uses_.contains(name)) made.fallback = 0;
      if (is_pointer) type = ScalarType::U64;
      symbols_[name] = {add_parameter(b_, program, std::move(made), type), type};
    }
  }
}

Value PtxModuleLowering::base_of_map(const Operand& operand) {
  const auto parameter = symbols_.find(operand.name);
  return parameter == symbols_.end() ? kNone : parameter->second.value;
}

// In the order of the text, as ptxas lays them out: static arrays, and behind them what the launch gives.
void PtxModuleLowering::bind_shared(Program& program) {
  std::vector<std::pair<std::string, const Variable*>> found;
  for (const Variable& variable : module_.variables)
    if (variable.space == Variable::Space::Shared && uses_.contains(variable.name))
      found.emplace_back(variable.name, &variable);
  for (const auto& [name, variable] : code_.variables)
    if (variable->space == Variable::Space::Shared) found.emplace_back(name, variable);
  std::ranges::stable_sort(found, {}, [](const auto& one) {
    return std::pair(one.second->elements == 0, one.second->range.begin.offset);
  });
  std::int64_t& end = l_.shared_memory.bytes;
  for (const auto& [name, variable] : found) {
    const bool is_static = variable->elements != 0;
    if (!is_static) {
      std::int64_t& alignment = l_.shared_memory.dynamic_alignment;
      alignment = std::max<std::int64_t>({alignment, variable->alignment, 16});
      program.uses_dynamic_shared = true;
    } else {
      end = aligned(end, *variable);
    }
    const std::int64_t offset = is_static ? end : l_.shared_memory.dynamic_offset();
    SharedArray array = array_of_variable(*variable, ptx::plain_name(variable->name), offset);
    for (const SharedArray& declared : declared_.shared_arrays) {
      if (declared.name != array.name || (is_static && declared.bytes != array.bytes)) continue;
      array = declared;
      array.bytes = bytes_of(*variable);
      array.offset = offset;
    }
    program.shared_arrays.push_back(array);
    bind_array(name, {array.name, Origin::Kind::Shared}, offset);
    if (is_static) end += array.bytes;
  }
  program.static_shared_bytes = program.uses_dynamic_shared ? l_.shared_memory.dynamic_offset() : end;
  l_.shared_memory.is_settled = true;
}

// Its address, as the text has it: from where its memory begins.
void PtxModuleLowering::bind_array(const std::string& name, PointedArray array, std::int64_t offset) {
  Cell cell{b_.ir.constant(ScalarType::U64, static_cast<std::uint64_t>(offset)), ScalarType::U64};
  cell.array = arrays_[name] = b_.ir.add_array(std::move(array)).array;
  symbols_[name] = cell;
}

SharedArray PtxModuleLowering::array_of_variable(const Variable& variable, std::string name,
                                                 std::int64_t offset) const {
  SharedArray array;
  array.name = std::move(name);
  array.element = type_of(variable.type);
  array.element_text = sim::name_of(array.element);
  array.element_bytes = size_of(array.element);
  array.extents = {static_cast<std::int64_t>(variable.elements)};
  array.extent_texts = {variable.elements == 0 ? "" : std::to_string(variable.elements)};
  array.offset = offset;
  array.bytes = bytes_of(variable);
  array.range = variable.range;
  return array;
}

void PtxModuleLowering::bind_local(Program& program) {
  std::int64_t end = 0;
  for (const auto& [name, variable] : code_.variables) {
    if (variable->space != Variable::Space::Local) continue;
    end = aligned(end, *variable);
    const SharedArray array = array_of_variable(*variable, "local", end);
    program.local_arrays.push_back(array);
    program.in_local_memory.push_back(static_cast<int>(program.local_arrays.size()) - 1);
    bind_array(name, {array.name, Origin::Kind::Local, static_cast<int>(program.local_arrays.size()) - 1},
               end);
    end += array.bytes;
  }
  program.local_bytes = static_cast<int>((end + 15) / 16 * 16);
}

// Variables of the module are buffers that the host may fill, and that hold what the text says before.
void PtxModuleLowering::bind_globals(Program& program) {
  for (const Variable& variable : module_.variables) {
    const bool is_constant = variable.space == Variable::Space::Constant;
    if ((variable.space != Variable::Space::Global && !is_constant) || !uses_.contains(variable.name))
      continue;
    if (!variable.address_of.empty())
      complain(Message("'{}' holds an address from the start: that is not simulated", variable.name),
               Message("give it its address in the kernel"));
    const ScalarType element = variable.type == "b8" ? element_of(variable.name) : type_of(variable.type);
    KernelParameter made = described(ptx::plain_name(variable.name), element, true);
    made.symbol_elements = std::max<std::int64_t>(1, bytes_of(variable) / size_of(element));
    made.is_const = is_constant;
    made.range = variable.range;
    if (!variable.initial.empty()) {
      auto initial = std::make_shared<std::vector<InitialValue>>();
      const auto size = static_cast<std::size_t>(size_of(element));
      for (std::size_t at = 0; at < variable.initial.size();
           at += size) {  // zeros at the end may be left out
        std::uint64_t bits = 0;
        std::memcpy(&bits, variable.initial.data() + at, std::min(size, variable.initial.size() - at));
        if (bits != 0) initial->push_back({static_cast<std::int64_t>(at), element, bits});
      }
      if (!initial->empty()) made.initial = std::move(initial);
    }
    const Origin::Kind space = is_constant ? Origin::Kind::Constant : Origin::Kind::Global;
    symbols_[variable.name] = {add_parameter(b_, program, std::move(made), ScalarType::U64, space),
                               ScalarType::U64};
  }
}

}  // namespace warplens::sim::lower
