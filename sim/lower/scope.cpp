// Complaints, and what names stand for.
#include <algorithm>

#include "sim/lower/lowering.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {
namespace {

constexpr std::size_t kMostNodes = 400'000;
constexpr std::size_t kMostSteps = 4'000'000;
constexpr int kMostLevels = 1200;               // of recursion here
constexpr std::ptrdiff_t kMostStack = 4 << 20;  // that this recursion may take; a thread has 8 MiB
constexpr std::size_t kNodesHeldAtOnce = 1024;
constexpr std::size_t kBytesANode = 2 * sizeof(Node);  // with its values, and its copy in the Program
constexpr std::size_t kMostText = 1000;  // bytes of an access's text: each of its uses carries it
constexpr std::size_t kMostDiagnostics = 50;

bool is_zero_initializer(const cuda::Expr& e) {  // 0, 0.0f, {}, {0}
  if (const auto* integer = std::get_if<cuda::IntegerLiteral>(&e.node)) return integer->value == 0;
  if (const auto* character = std::get_if<cuda::CharLiteral>(&e.node)) return character->value == 0;
  if (std::holds_alternative<cuda::NullLiteral>(e.node)) return true;
  if (const auto* number = std::get_if<cuda::FloatLiteral>(&e.node)) return number->value == 0;
  const auto* list = std::get_if<cuda::InitListExpr>(&e.node);
  return list && std::ranges::all_of(list->elements, [](const cuda::ExprPtr& element) {
           return is_zero_initializer(*element);
         });
}

const Functions& found_in(const std::map<std::string_view, Functions>& functions, std::string_view name) {
  static const Functions none;
  const auto found = functions.find(name);
  return found == functions.end() ? none : found->second;
}

std::string folded_text(std::string_view text, const cuda::SourceRange& range) {
  const auto begin = static_cast<std::size_t>(std::max(0, range.begin.offset));
  const auto end = std::min(text.size(), static_cast<std::size_t>(std::max(0, range.end.offset)));
  std::string folded;
  for (std::size_t i = begin; i < end; ++i) {
    if (folded.size() >= kMostText) return folded + "...";
    const char c = text[i];
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
    if (!is_space) {
      folded += c;
    } else if (!folded.empty() && folded.back() != ' ') {
      folded += ' ';
    }
  }
  while (!folded.empty() && folded.back() == ' ') folded.pop_back();
  return folded;
}

bool is_same(const cuda::Diagnostic& a, const cuda::Diagnostic& b) {
  return a.range.begin.offset == b.range.begin.offset && a.message == b.message;
}

}  // namespace

Lowering::Lowering(const cuda::TranslationUnit& unit, std::string_view text, Budget& budget)
    : name_uses(unit), unit_(unit), text_(text), pace_(budget, Stage::Lowering), held_(budget) {
  b.most_nodes = kMostNodes;
  for (const cuda::StmtPtr& stmt : unit.globals) {
    if (!stmt) continue;
    if (const auto* declaration = std::get_if<cuda::DeclStmt>(&stmt->node)) {
      for (const cuda::Declarator& declarator : declaration->declarators) {
        if (!declaration->template_parameters.empty()) {
          variable_templates_[declarator.name] = Global{.stmt = declaration, .declarator = &declarator};
          continue;
        }
        globals_[declarator.name] = Global{.stmt = declaration, .declarator = &declarator};
      }
    } else if (const auto* alias = std::get_if<cuda::UsingStmt>(&stmt->node)) {
      if (alias->template_parameters.empty())
        globals_[alias->name] = Global{.alias = alias};
      else
        alias_templates_[alias->name] = alias;
    }
  }
  for (const cuda::Struct& definition : unit.structs) {
    const cuda::Struct*& known = structs_[definition.name];
    if (!definition.is_specialisation && (!known || definition.is_defined)) known = &definition;
  }
  std::erase_if(structs_, [](const auto& entry) { return !entry.second; });
  for (const cuda::Function& function : unit.functions)
    (function.is_specialisation ? specialisations_ : functions_)[function.name].push_back(&function);
  for (const auto& [name, functions] : functions_) overloads.note_declarations(functions);
}

void Lowering::say(cuda::Severity severity, const cuda::SourceRange& range, Message message, Message remedy) {
  const cuda::SourceRange place = b.ir.module != nullptr ? statement_ : place_of(range);
  cuda::Diagnostic diagnostic{severity, place, std::move(message), std::move(remedy)};
  const auto same = [&](const cuda::Diagnostic& other) { return is_same(diagnostic, other); };
  if (std::ranges::none_of(diagnostics, same)) diagnostics.push_back(std::move(diagnostic));
}

void Lowering::error(const cuda::SourceRange& range, Message message, Message remedy) {
  say(cuda::Severity::Error, range, std::move(message), std::move(remedy));
  if (diagnostics.size() > kMostDiagnostics) throw TooManyNodes{};
}

void Lowering::warning(const cuda::SourceRange& range, Message message, Message remedy) {
  if (diagnostics.size() < kMostDiagnostics)
    say(cuda::Severity::Warning, range, std::move(message), std::move(remedy));
}

Result Lowering::fail(const cuda::SourceRange& range, Message message, Message remedy) {
  error(range, std::move(message), std::move(remedy));
  stop();
}

// Unless the complaint was taken back, with what had been tried.
void Lowering::stop() {
  if (!b.dead && !has_errors(diagnostics)) error(b.place, Message("this is not understood here"));
  throw Complained{};
}

std::string Lowering::text_of(const cuda::SourceRange& range) const {
  const auto [known, is_new] = folded_texts_.try_emplace({range.begin.offset, range.end.offset});
  if (is_new) known->second = folded_text(text_, range);
  return known->second;
}

AccessText Lowering::access_text(const cuda::Expr& expr) const {
  return {expr.range, text_of(expr.range), &expr};
}

AccessText Lowering::pointee_text(const cuda::Expr& pointer) const {
  const auto* unary = std::get_if<cuda::UnaryExpr>(&pointer.node);
  if (unary && unary->op == cuda::UnaryOp::AddressOf) return access_text(*unary->operand);
  AccessText text = access_text(pointer);
  const bool is_name = std::holds_alternative<cuda::NameExpr>(pointer.node);
  text.text = is_name ? "*" + text.text : "*(" + text.text + ")";
  return text;
}

void Lowering::step() {
  pace_.step();
  if (b.appended() >= held_nodes_) {
    held_.need(kNodesHeldAtOnce * kBytesANode, Stage::Lowering);
    held_nodes_ = b.appended() + kNodesHeldAtOnce;
  }
  if (++steps_ >= kMostSteps) throw TooManyNodes{};
}

// Names the function that is inlined most often: it is at the end of the chain that grows.
void Lowering::say_too_large() {
  if (diagnostics.size() > kMostDiagnostics) return;
  const auto& inlined = inlined_calls.counts();
  const auto most =
      std::ranges::max_element(inlined, [](const auto& x, const auto& y) { return x.second < y.second; });
  const bool calls = most != inlined.end() && most->second > 1;
  const Message what = b.appended() >= kMostNodes ? Message("{} operations", kMostNodes)
                                                  : Message("{} expressions", kMostSteps);
  const Message large("the kernel becomes too large: more than {} once its functions are inlined", what);
  say(cuda::Severity::Error, frames_[0]->function ? frames_[0]->function->name_range : b.place,
      calls ? Message("{}; '{}' alone is inlined {} times", large, most->first->name, most->second) : large,
      Message("call fewer functions, or put repeated calls into a loop"));
}

int Lowering::deeper(const cuda::SourceRange& range) {
  pace_.step();
  const auto* here = static_cast<const std::byte*>(__builtin_frame_address(0));
  if (depth_ >= kMostLevels || stack_ - here > kMostStack)
    fail(range, Message("this is nested too deeply: more than {} levels", kMostLevels),
         Message("split it into several statements"));
  return depth_ + 1;
}

LoweringPart::LoweringPart(Lowering& lowering)
    : l_(lowering),
      b(lowering.b),
      types(lowering.types),
      frames_(lowering.frames()),
      diagnostics(lowering.diagnostics) {}

void LoweringPart::error(const cuda::SourceRange& range, Message message, Message remedy) {
  l_.error(range, std::move(message), std::move(remedy));
}

void LoweringPart::warning(const cuda::SourceRange& range, Message message, Message remedy) {
  l_.warning(range, std::move(message), std::move(remedy));
}

Result LoweringPart::fail(const cuda::SourceRange& range, Message message, Message remedy) {
  l_.fail(range, std::move(message), std::move(remedy));
}

void LoweringPart::stop() {
  l_.stop();
}

// ---- names

Symbol* Lowering::find_symbol(std::string_view name) {
  pace_.step();
  if (name.starts_with("::")) {  // the global one, whatever hides it
    if (Symbol* apart = find_global(name)) return apart;
    if (Symbol* member = member_named(name)) return member;  // `::Alias::Member`
    return find_global(name.substr(2));
  }
  std::vector<Scope>& scopes = frame().scopes;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end()) return &found->second;
  }
  for (const Record* record = frame().record; record != nullptr;) {  // and those around it
    if (Symbol* member = members.find_member(record, name, Bases::Independent)) return member;
    record = layout.outer_of(record);
  }
  if (Symbol* global = find_global(name)) return global;
  if (frame().record && frame().record->definition)
    if (Symbol* member = members.find_in_bases(frame().record, name, Bases::All)) return member;
  return member_named(name);
}

Symbol* Lowering::member_named(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  if (colons == std::string_view::npos || colons == 0) return nullptr;
  const TypeRef type = find_type(name.substr(0, colons));
  const std::string_view member = name.substr(colons + 2);
  if (type && type->is_integer()) return find_global(member);  // of an enumeration
  return type && type->is(Type::Kind::Record) ? members.find_member(type->record, member) : nullptr;
}

Symbol* Lowering::find_global(std::string_view name) {
  const auto found = globals_.find(name);
  if (found == globals_.end()) return nullptr;
  Global& global = found->second;
  if (global.done) return &global.symbol;
  global.symbol.object = bad();
  const cuda::SourceRange range = global.alias ? global.alias->type.range : global.declarator->name_range;
  global.symbol.range = range;
  if (global.busy) {
    error(range, Message("'{}' is defined by itself", name));
    return &global.symbol;
  }
  work_out(global, {});
  return &global.symbol;
}

// In a frame of its own, with what stands for template parameters.
void Lowering::work_out(Global& global, Scope arguments) {
  global.busy = true;
  const FrameOf own(frames_, std::move(arguments));
  if (global.alias) {
    const TypeRef type = aliased(*global.alias);
    global.symbol.kind = Symbol::Kind::Type;
    global.symbol.type = type ? type : types.error();
  } else {
    tried([&] { evaluate_global(*global.stmt, *global.declarator, global.symbol); });
  }
  global.busy = false;
  global.done = true;
}

// `limit<float>`: one variable for each set of arguments.
Symbol* Lowering::variable_of_template(const cuda::NameExpr& node, const cuda::SourceRange& range) {
  const auto found = variable_templates_.find(node.name);
  if (found == variable_templates_.end()) return nullptr;
  say_broken(node.name);  // a specialisation that may be the one that is meant
  Scope scope;
  std::string key = node.name;
  Symbol wrong;
  wrong.object = bad();
  const bool bound = templates.bind_template(found->second.stmt->template_parameters, node.arguments, range,
                                             scope, key, true);
  const auto [entry, is_new] = globals_.try_emplace(key, found->second);
  Global& global = entry->second;
  if (!bound || global.busy) {
    if (bound) error(range, Message("'{}' is defined by itself", node.name));
    global.symbol = wrong;
    return &global.symbol;
  }
  global.symbol.range = range;
  if (is_new) work_out(global, std::move(scope));
  return &global.symbol;
}

TypeRef Lowering::aliased(const cuda::UsingStmt& alias) {
  const TypeRef type = resolve(alias.type);
  return type && !type->is(Type::Kind::Error) ? with_extents(type, alias.extents) : type;
}

void Lowering::evaluate_global(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator,
                               Symbol& symbol) {
  const auto refuse = [&](const Message& what, const Message& remedy) {
    fail(declarator.name_range, what, remedy);
  };
  if (stmt.is_shared) {                     // `extern __shared__ float s[];` of the file
    const ListScope kept(b, prologue_, 0);  // also where code that never runs names it first
    b.discarding = b.dead = false;
    declarations.declare_shared(stmt, declarator);
    symbol.object = frame().scopes.back()[declarator.name].object;
    return;
  }
  if (declarator.type.name == "texture" || declarator.type.name == "surface") {
    symbol.object = textures.texture_reference(declarator);
    return;
  }
  TypeRef type = resolve(declarator.type);
  if (type && type->is(Type::Kind::Error)) stop();
  const bool is_zero = declarator.initializer && is_zero_initializer(*declarator.initializer);
  const bool of_host = stmt.is_constant_memory || stmt.is_device_memory;
  const bool is_const = stmt.is_constexpr || (declarator.type.is_const && declarator.type.pointers == 0);
  const bool in_memory = !declarator.extents.empty() || (type && contains_array(type));
  const bool keeps_initial = of_host && (in_memory || (stmt.is_device_memory && !is_const));
  const bool is_filled = of_host && (!declarator.initializer || is_zero) && !stmt.is_constexpr;
  if (type && (is_filled || keeps_initial)) {
    type = with_extents(type, declarator.extents);
    if (type->is(Type::Kind::Error)) stop();
    type = declarations.extent_of_list(type, declarator);
    if (size_of(type) == 0)
      refuse(Message("'{}' has no size", declarator.name), Message("write its extent: [N]"));
    InitialValues::InitialImage initial;
    if ((declarator.initializer && !is_zero) || objects.needs_construction(type)) {
      initial = initial_values.initial_image(type, declarator);
      if (!initial) stop();
    }
    symbol.object = kernel_memory.host_variable(type, stmt, declarator, std::move(initial));
    return;
  }
  if (!declarator.initializer)
    refuse(Message("'{}' has no value", declarator.name),
           Message("give it one, or make it a kernel parameter"));
  if (!stmt.is_constexpr && !stmt.is_constant_memory && !declarator.type.is_const)
    refuse(Message("'{}' exists on the host only", declarator.name),
           Message("make it constexpr, or pass it to the kernel as a parameter"));
  if (in_memory) {
    type = type ? with_extents(type, declarator.extents) : nullptr;
    if (!type || type->is(Type::Kind::Error)) stop();
    type = types.with_const(declarations.extent_of_list(type, declarator), true);
    const ListScope to_prologue(b, prologue_, 0);
    b.discarding = b.dead = false;
    // Behind everything that was in use so far: what ran earlier in the text runs after the prologue.
    local_top_ = std::max<std::int64_t>(local_top_, program_->local_bytes);
    const Address address = new_local(type, declarator.name);
    local_floor_ = local_top_;
    b.ir.arrays[b.ir.values[address.base].origin.array].of_host = true;
    initial_values.initialise_memory(type, address, *declarator.initializer);
    symbol.object = {Kind::Memory, type, {}, address};
    return;
  }
  const Result value = constant_value(*declarator.initializer, type, Message("'{}'", declarator.name));
  symbol.object = value;
  symbol.object.type = types.with_const(value.type, true);
}

const Functions& Lowering::functions_named(std::string_view name) const {
  return found_in(functions_, name);
}

const Functions& Lowering::specialisations_named(std::string_view name) const {
  return found_in(specialisations_, name);
}

const cuda::Struct* Lowering::struct_named(std::string_view name) const {
  const auto found = structs_.find(name);
  return found == structs_.end() ? nullptr : found->second;
}

std::vector<std::string> Lowering::visible_names() {
  std::vector<std::string> names{"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
  for (const Scope& scope : frame().scopes) {
    for (const auto& [name, symbol] : scope) names.push_back(name);
  }
  for (const auto& [name, global] : globals_) names.push_back(name);
  for (const cuda::Function& function : unit_.functions) names.push_back(function.name);
  return names;
}

bool Lowering::say_errors(const std::vector<cuda::Diagnostic>& errors) {
  for (const cuda::Diagnostic& diagnostic : errors) {
    const auto same = [&](const cuda::Diagnostic& other) { return is_same(diagnostic, other); };
    if (std::ranges::none_of(diagnostics, same)) diagnostics.push_back(diagnostic);
  }
  return has_errors(errors);
}

bool Lowering::say_broken(std::string_view name) {
  bool found = false;
  for (const cuda::Broken& broken : unit_.broken) {
    if (broken.name == name) found |= say_errors(broken.diagnostics);
  }
  return found;
}

// What a name may be that nothing here declares: something of a header that is not here.
void Lowering::undeclared(const std::string& name, const cuda::SourceRange& range, Message message,
                          Message remedy) {
  const bool may_be_in_header = remedy.empty() && !unit_.ignored_includes.empty();
  if (may_be_in_header) {
    if (std::ranges::find(undeclared_, name) == undeclared_.end()) undeclared_.push_back(name);
    const std::string names = text::joined(undeclared_);
    const std::string headers =
        text::joined(unit_.ignored_includes, [](const std::string& header) { return "\"" + header + "\""; });
    const bool several = unit_.ignored_includes.size() > 1;
    const bool outside = unit_.outside_includes.size() == unit_.ignored_includes.size();
    if (unit_.unread_include) {
      const auto& [header, why] = *unit_.unread_include;
      remedy = Message("\"{}\" may declare {}, and is here but was not read: {}", header, names, why);
    } else if (several) {
      remedy =
          outside
              ? Message(
                    "{} may declare {}, and are outside of the folders given: give their folders (-I FOLDER)",
                    headers, names)
              : Message(
                    "{} may declare {}, and are not here: put them beside the file, or give their folders "
                    "(-I FOLDER)",
                    headers, names);
    } else {
      remedy =
          outside
              ? Message("{} may declare {}, and is outside of the folders given: give its folder (-I FOLDER)",
                        headers, names)
              : Message(
                    "{} may declare {}, and is not here: put it beside the file, or give its folder (-I "
                    "FOLDER)",
                    headers, names);
    }
  }
  error(range, std::move(message), std::move(remedy));
}

Result Lowering::unknown_name(const std::string& name, const cuda::SourceRange& range) {
  if (say_broken(name)) stop();
  if (std::ranges::find(unit_.host_names, name) != unit_.host_names.end()) {
    return fail(range, Message("'{}' exists on the host only", name),
                Message("make it constexpr or __device__, or pass it to the kernel as a parameter"));
  }
  undeclared(name, range, Message("'{}' is not declared here", name), suggestion(name, visible_names()));
  stop();
}

Symbol& Lowering::declare(const std::string& name, Symbol symbol) {
  return frame().scopes.back()[name] = std::move(symbol);
}

void Lowering::show(const std::string& name, const Result& object, const cuda::SourceRange& range,
                    const std::string& type_text) {
  if (object.parts.empty() || name.empty() || is_library(range)) return;
  const std::vector<Leaf> leaves = leaves_of(object.type);
  for (std::size_t i = 0; i < leaves.size() && i < object.parts.size(); ++i) {
    DebugSymbol symbol;
    symbol.variable = {.name = name + leaves[i].suffix,
                       .type_text = leaves[i].suffix.empty() ? type_text : name_of(leaves[i].type),
                       .type = scalar_of(leaves[i].type),
                       .is_pointer = leaves[i].type->is_pointer(),
                       .depth = static_cast<int>(frames_.size()) - 1,
                       .range = range};
    symbol.value = object.parts[i];
    b.ir.symbols.push_back(std::move(symbol));
    const int index = static_cast<int>(b.ir.symbols.size()) - 1;
    b.append(Node::Kind::Begin).symbol = index;
    if (open_scopes_.back().list == b.list) open_scopes_.back().symbols.push_back(index);
  }
}

BlockScope::BlockScope(Lowering& lowering) : l_(lowering), frame_(lowering.frame()) {
  frame_.scopes.emplace_back();
  l_.open_scopes_.push_back({l_.b.list, {}, l_.local_top_});
}

BlockScope::~BlockScope() {
  frame_.scopes.pop_back();
  const Lowering::OpenScope& open = l_.open_scopes_.back();
  for (const int symbol : open.symbols) {
    Node& node = open.list->emplace_back();
    node.kind = Node::Kind::Finish;
    node.symbol = symbol;
  }
  l_.local_top_ = std::max(open.local_top, l_.local_floor_);
  l_.open_scopes_.pop_back();
}

}  // namespace warplens::sim::lower
