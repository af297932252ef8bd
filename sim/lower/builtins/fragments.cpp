// nvcuda::wmma: fragments, which are arrays of a thread's own, and what loads, stores and multiplies them.
//
// The accesses are those that nvcc 13.0 makes for compute capability 9.0, seen in its machine code: halves
// come from shared memory with ldmatrix, from elsewhere 4 bytes a lane for each matrix of 8x8; bytes alike
// where they are summed over along memory, else one by one; tf32 4 bytes a lane from anywhere. Results go in
// pairs where these lie side by side, else halves are transposed first and floats go one by one.
#include <algorithm>

#include "sim/lower/builtins/fragment_access.h"
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kWord = MatrixRegisters::kWord;

std::string word_of(const cuda::TemplateArgument& argument) {
  std::string word;
  if (argument.type) word = argument.type->name;
  if (argument.value) {
    if (const auto* name = std::get_if<cuda::NameExpr>(&argument.value->node)) word = name->name;
  }
  return word.starts_with("wmma::") ? word.substr(6) : word;
}

// Whether nothing but shared memory can be meant, as far as is seen here.
bool is_shared(const Ir& ir, Value base) {
  return ir.space_of(base) == Origin::Kind::Shared || ir.values[base].kind == ValueInfo::Kind::DynamicShared;
}

}  // namespace

const Fragment* WmmaFragments::fragment_of(TypeRef type) const {
  if (!type->is(Type::Kind::Record)) return nullptr;
  const auto found = fragments_.find(type->record);
  return found == fragments_.end() ? nullptr : &found->second;
}

// Empty where another type is meant.
std::optional<TypeRef> WmmaFragments::fragment_type(const cuda::TypeName& written, bool complain) {
  if (written.name != "wmma::fragment") return {};
  Fragment f;
  const auto refuse = [&] {
    if (complain)
      error(
          written.range, Message("this fragment is not simulated"),
          Message("fragments of half, __nv_bfloat16, signed char and unsigned char of 16x16x16, 32x8x16 and "
                  "8x32x16, and of tf32 of 16x16x8 are"));
    return types.error();
  };
  if (written.arguments.size() < 5) return refuse();
  const std::string use = word_of(written.arguments[0]);
  f.use = use == "matrix_a" ? Fragment::Use::A : use == "matrix_b" ? Fragment::Use::B : Fragment::Use::Result;
  int* const sizes[] = {&f.m, &f.n, &f.k};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!written.arguments[i + 1].value) return refuse();
    const auto size = l_.constant_integer(*written.arguments[i + 1].value, Message("a fragment's size"));
    if (!size) return types.error();
    *sizes[i] = static_cast<int>(std::clamp<std::int64_t>(*size, 0, 1000));
  }
  const bool is_tf32 = word_of(written.arguments[4]).ends_with("precision::tf32");
  const TypeRef element =
      is_tf32 ? types.scalar(ScalarType::F32) : l_.templates.type_of_argument(written.arguments[4], complain);
  if (!element || !element->is_scalar()) return refuse();
  f.type = element->scalar;
  const bool is_input = f.use != Fragment::Use::Result;
  const std::string order = is_input && written.arguments.size() > 5 ? word_of(written.arguments[5]) : "";
  f.row_major = order == "row_major";
  const bool is_square = f.m == 16 && f.n == 16;
  const bool is_long = f.k == 16 && (is_square || (f.m == 32 && f.n == 8) || (f.m == 8 && f.n == 32));
  const bool is_result = !is_input && (f.type == ScalarType::F32 || f.type == ScalarType::I32);
  const bool is_byte = is_input && sim::size_of(f.type) == 1 && f.type != ScalarType::Bool;
  const bool known_type = is_small_float(f.type) || is_result || is_byte || is_tf32;
  const bool known_shape =
      is_tf32 || (f.k == 8 && f.type == ScalarType::F32) ? f.k == 8 && is_square : is_long;
  const bool known_order = !is_input || f.row_major || order == "col_major";
  if (!known_shape || !known_type || !known_order || (!is_input && use != "accumulator")) return refuse();
  const std::string name = "wmma::fragment<" + use + ", " + std::to_string(f.m) + ", " + std::to_string(f.n) +
                           ", " + std::to_string(f.k) + ", " + name_of(element) +
                           (is_input ? ", " + order : "") + ">";
  TypeRef& known = l_.layout.instance(name);
  if (known) return known;
  Record* record = types.new_record(name);
  record->fields.push_back({"x", types.array(types.plain(element), f.elements()), 0});
  record->size = f.elements() * sim::size_of(f.type);
  record->alignment = 16;
  record->key = name;
  fragments_[record] = f;
  return known = types.record(record);
}

const Fragment* WmmaFragments::fragment_argument(const BuiltinCall& c, std::size_t index, Address& at) {
  const cuda::Expr& given = *c.node->arguments[index];
  const Result object = l_.expr(given);
  if (object.is_error()) return nullptr;
  const Fragment* fragment = fragment_of(object.type);
  if (fragment == nullptr || object.kind != Kind::Memory) {
    error(given.range, Message("'{}' needs a fragment, not '{}'", c.name, name_of(object.type)));
    return nullptr;
  }
  at = b.settled(object.address);
  return fragment;
}

// Ten bits behind the point; a tie goes away from zero.
Result WmmaFragments::round_to_tf32(const Builtin&, const BuiltinCall& c) {
  const Value single = argument_as(c, 0, ScalarType::F32);
  if (single == kNone) return bad();
  const Value up = b.op(Opcode::Add, kWord, b.bit_cast(single, kWord), b.integer(kWord, 0x1000));
  const Value cut = b.op(Opcode::And, kWord, up, b.integer(kWord, 0xffffe000u));
  return value(ScalarType::F32, b.bit_cast(cut, ScalarType::F32));
}

Result WmmaFragments::fill_fragment(const Builtin&, const BuiltinCall& c) {
  Address at;
  const Fragment* f = fragment_argument(c, 0, at);
  const Value filled = f == nullptr ? kNone : argument_as(c, 1, f->type);
  if (filled == kNone) return bad();
  FragmentAccess access(b, at, l_.access_text(*c.node->arguments[0]));
  for (int i = 0; i < f->elements(); ++i) access.put(i * sim::size_of(f->type), f->type, filled);
  return void_result();
}

namespace {

// "mem_row_major": 1; "mem_col_major": 0; what is not known when compiling: -1.
int order_of(const cuda::Expr& e) {
  const auto* name = std::get_if<cuda::NameExpr>(&e.node);
  if (name == nullptr) return -1;
  return name->name == "wmma::mem_row_major" ? 1 : name->name == "wmma::mem_col_major" ? 0 : -1;
}

}  // namespace

void move_result(Builder& b, FragmentAccess& access, const Fragment& f, const Address& base, Value length,
                 bool dense, bool loads, const AccessText& text) {
  const int bytes = sim::size_of(f.type);
  const std::vector<Tile> tiles = tiles_of(f);
  for (std::size_t i = 0; i < 4 * tiles.size();
       i += 2) {  // pairs of values: columns 2 (i mod 4) and the next
    const Tile& tile = tiles[i / 4];
    const int row = tile.row + (i % 4 != 0 ? 8 : 0), own = static_cast<int>(i) * bytes;
    const bool half = bytes == 2;
    if (half) {
      const Address at = dense ? access.at(base, length, row, tile.column, bytes)
                               : access.at(base, length, tile.column, row, bytes);
      if (loads) {
        const Value word = b.ir.temp(kWord);
        b.load(at, text, kWord, {word});
        access.put(own, kWord, dense ? word : access.registers().transposed(word));
      } else {
        const Value word = access.get(own, kWord);
        b.store(at, text, kWord, {dense ? word : access.registers().transposed(word)});
      }
      continue;
    }
    const Value lane = access.registers().lane();
    const Value across = access.plus(b.op(Opcode::Shr, kWord, lane, access.number(2)), row);
    const Value pair =
        b.op(Opcode::Shl, kWord, b.op(Opcode::And, kWord, lane, access.number(3)), access.number(1));
    const int count = dense ? 2 : 1;
    for (int k = 0; k < 2; k += count) {
      const Value along = access.plus(pair, tile.column + k);
      const Value index = dense ? b.op(Opcode::Add, kWord, b.op(Opcode::Mul, kWord, across, length), along)
                                : b.op(Opcode::Add, kWord, b.op(Opcode::Mul, kWord, along, length), across);
      const Address at = access.moved(base, index, bytes);
      std::vector<Value> values = count == 1 ? std::vector<Value>{b.ir.temp(f.type)}
                                             : b.ir.group(ValueInfo::Kind::Temp, f.type, 2, b.region);
      if (loads) b.load(at, text, f.type, values);
      for (int j = 0; j < count; ++j) {
        const auto at_value = static_cast<std::size_t>(j);
        if (loads)
          access.put(own + (k + j) * bytes, f.type, values[at_value]);
        else
          values[at_value] = access.get(own + (k + j) * bytes, f.type);
      }
      if (!loads) b.store(at, text, f.type, values);
    }
  }
}

Result WmmaFragments::load_fragment(const Builtin&, const BuiltinCall& c) {
  Address own;
  const Fragment* f = fragment_argument(c, 0, own);
  AccessText text;
  const Result from = pointer_argument(c, 1, text);
  const Value length = argument_as(c, 2, kWord);
  if (f == nullptr || from.is_error() || length == kNone) return bad();
  const Address base = b.settled(l_.address_of(from));
  FragmentAccess access(b, own, l_.access_text(*c.node->arguments[0]));
  if (f->use == Fragment::Use::Result) {
    const int order = c.node->arguments.size() > 3 ? order_of(*c.node->arguments[3]) : -1;
    if (order < 0)
      return fail(c.range, Message("'{}' needs wmma::mem_row_major or wmma::mem_col_major here", c.name));
    move_result(b, access, *f, base, length, (order != 0) != f->is_flat(), true, text);
    return void_result();
  }
  std::vector<Value> loaded;
  const bool by_rows = is_by_rows(*f);
  const std::size_t call = fragment_loads_.size() / 2;
  fragment_loads_.push_back(b.ir.accesses.size());
  if (by_rows && (is_shared(b.ir, base.base) || in_shared_.contains(call))) {
    fragment_loads_.push_back(b.ir.accesses.size());  // nothing to find out
    loaded = access.inputs(base, length, *f, true, text);
  } else {
    loaded = access.inputs(base, length, *f, false, text);
    fragment_loads_.push_back(by_rows ? b.ir.accesses.size() : fragment_loads_.back());
  }
  const auto words = static_cast<std::size_t>(f->elements() / f->in_register());  // some are there twice
  for (std::size_t i = 0; i < words; ++i)
    access.put(static_cast<int>(4 * i), kWord, loaded[i % loaded.size()]);
  return void_result();
}

std::set<std::size_t> WmmaFragments::found_in_shared() {
  std::set<std::size_t> found;
  if (fragment_loads_.empty()) return found;
  each_node(b.ir.body, l_.pace(), [&](const Node& node) {
    const auto access = static_cast<std::size_t>(node.op.access);
    if (node.kind != Node::Kind::Op || node.op.access < 0 || !is_shared(b.ir, node.op.instr.a)) return;
    const auto behind = std::upper_bound(fragment_loads_.begin(), fragment_loads_.end(), access);
    const auto bounds = static_cast<std::size_t>(behind - fragment_loads_.begin());
    if (bounds % 2 == 1) found.insert(bounds / 2);
  });
  return found;
}

Result WmmaFragments::store_fragment(const Builtin&, const BuiltinCall& c) {
  AccessText text;
  const Result to = pointer_argument(c, 0, text);
  Address own;
  const Fragment* f = fragment_argument(c, 1, own);
  const Value length = argument_as(c, 2, kWord);
  if (to.is_error() || f == nullptr || length == kNone) return bad();
  const int order = order_of(*c.node->arguments[3]);
  if (order < 0)
    return fail(c.range, Message("'{}' needs wmma::mem_row_major or wmma::mem_col_major here", c.name));
  if (f->use != Fragment::Use::Result) return fail(c.range, Message("'{}' stores accumulators", c.name));
  const Address base = b.settled(l_.address_of(to));
  FragmentAccess access(b, own, l_.access_text(*c.node->arguments[1]));
  move_result(b, access, *f, base, length, (order != 0) != f->is_flat(), false, text);
  return void_result();
}

// d, a, b, c
Result WmmaFragments::multiply_fragments(const Builtin&, const BuiltinCall& c) {
  Address at[4];
  const Fragment* f[4];
  for (std::size_t i = 0; i < 4; ++i) {
    f[i] = fragment_argument(c, i, at[i]);
    if (f[i] == nullptr) return bad();
  }
  const auto same_shape = [&](std::size_t i) { return f[i]->m == f[0]->m && f[i]->n == f[0]->n; };
  using Use = Fragment::Use;
  const bool fits = f[0]->use == Use::Result && f[1]->use == Use::A && f[2]->use == Use::B &&
                    f[3]->use == Use::Result && same_shape(1) && same_shape(2) && same_shape(3) &&
                    f[1]->type == f[2]->type && f[1]->k == f[0]->k && f[2]->k == f[0]->k &&
                    f[3]->k == f[0]->k && is_narrow(f[1]->type) == (f[0]->type == ScalarType::I32) &&
                    (f[0]->type == f[3]->type || !is_narrow(f[1]->type));
  if (!fits) return fail(c.range, Message("'{}' needs fragments of one shape: d, a, b, c", c.name));
  const AccessText text = l_.access_text(*c.node->arguments[0]);
  FragmentAccess d(b, at[0], text), sums(b, at[3], text);
  const std::size_t tall = f[1]->is_tall() ? 1 : 2;
  FragmentAccess a(b, at[tall], text), columns(b, at[3 - tall], text);
  const std::vector<Tile> tiles = tiles_of(*f[0]);
  const ScalarType single = is_narrow(f[1]->type) ? ScalarType::I32 : ScalarType::F32;
  const int steps = f[1]->steps();
  std::vector<std::vector<Value>> results;
  for (const Tile& tile : tiles) {
    std::vector<Value> left, right, before;
    for (int i = 0; i < 2 * steps; ++i) left.push_back(a.get(4 * (tile.row / 16 * 2 * steps + i), kWord));
    for (int i = 0; i < steps; ++i) right.push_back(columns.get(4 * (tile.column / 8 * steps + i), kWord));
    const int first = static_cast<int>(4 * results.size()), bytes = sim::size_of(f[3]->type);
    for (int i = 0; i < 4; ++i)
      before.push_back(b.convert(sums.get((first + i) * bytes, f[3]->type), f[3]->type, single));
    results.push_back(d.registers().products(left, right, before, single, f[1]->type, f[1]->type));
  }
  const int bytes = sim::size_of(f[0]->type);
  for (std::size_t i = 0; i < 4 * results.size(); ++i)
    d.put(static_cast<int>(i) * bytes, f[0]->type, b.convert(results[i / 4][i % 4], single, f[0]->type));
  return void_result();
}

}  // namespace warplens::sim::lower
