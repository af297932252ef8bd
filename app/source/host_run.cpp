#include "app/source/host_run.h"

#include <algorithm>

#include "sim/cuda/parse/children.h"
#include "sim/text/scan.h"

namespace warplens::app::host {
namespace {

using cuda::Stmt;

// What one loop may take, when all together have taken much, so that loops are short and functions without a
// launch are not gone into; a step is a node of the syntax tree.
constexpr std::int64_t kLoopSteps = 200'000, kManySteps = 600'000, kShortSteps = 1'000;
constexpr int kDeepest = 600;            // of expressions, statements and calls in one another
constexpr std::size_t kMostFrames = 64;  // of calls

template <typename Node>
const Node* node_of(const Stmt& stmt) {
  return std::get_if<Node>(&stmt.node);
}

}  // namespace

HostRun::HostRun(const cuda::TranslationUnit& unit, const std::string& text, Budget& budget, Seen seen)
    : unit_(unit), text_(text), pace_(budget, Stage::Reading), seen_(std::move(seen)) {
  for (const auto* list : {&unit.host.functions, &unit.functions})
    for (const Function& function : *list) {
      const bool is_hidden =
          function.range.begin.offset >= unit.library && functions_.contains(function.name);
      if (!is_hidden) functions_.emplace(function.name, &function);
    }
  for (const auto* list : {&unit.host.structs, &unit.structs})
    for (const cuda::Struct& known : *list)
      if (known.is_specialisation)
        special_.insert(known.name);
      else if (known.is_defined)
        structs_.emplace(known.name, &known);
  frames_.emplace_back();
  read_words();
  (void)make_opaque();  // the first object: what stands for all others where there are too many
  globals();
}

void HostRun::globals() {
  std::vector<const Stmt*> all;
  for (const auto* list : {&unit_.globals, &unit_.host.globals})
    for (const cuda::StmtPtr& stmt : *list)
      if (stmt) all.push_back(stmt.get());
  std::stable_sort(all.begin(), all.end(), [](const Stmt* a, const Stmt* b) {
    return a->range.begin.offset < b->range.begin.offset;
  });
  for (const Stmt* stmt : all) {
    if (const auto* alias = node_of<cuda::UsingStmt>(*stmt)) aliases_[alias->name] = alias;
    const auto* variables = node_of<cuda::DeclStmt>(*stmt);
    if (variables == nullptr || !variables->template_parameters.empty()) continue;
    const std::size_t before = entries_.size();
    declare(*variables);
    for (std::size_t i = before; variables->is_device_memory && i < entries_.size(); ++i)
      written_by_kernels_.insert(entries_[i].name);
    for (std::size_t i = before; i < entries_.size(); ++i)
      if (!globals_.emplace(entries_[i].name, entries_[i].place).second) ambiguous_.insert(entries_[i].name);
    for (std::size_t i = before; i < entries_.size(); ++i) {
      const Value value = read(entries_[i].place);
      const bool is_constant =
          i - before < variables->declarators.size() && variables->declarators[i - before].type.is_const;
      if (is_constant && value.kind == Value::Kind::Integer)
        constants_[std::string(entries_[i].name)] = value.integer;
    }
    entries_.resize(before);
  }
}

const Function* HostRun::find_main() const {
  for (const Function& function : unit_.host.functions)
    if (function.name == "main" && function.body) return &function;
  return nullptr;
}

void HostRun::main() {
  const Function* main = find_main();
  if (main == nullptr) return;
  frames_.push_back({entries_.size(), 0, -1, -1, nullptr, {}, main});
  gave_up_ = false;
  for (std::size_t i = 0; i < main->parameters.size(); ++i) {
    const int object = make_object(resolve(main->parameters[i].type));
    if (i == 0) at(object).value = integer(1);
    entries_.push_back({main->parameters[i].name, {object}});
  }
  entered_.insert(main);
  steps_ = 0;
  (void)exec(*main->body);
  may_have_left_ = may_have_returned_ = exited_ = false;
  entries_.resize(frames_.back().begin);
  frames_.pop_back();
}

void HostRun::the_rest() {
  explores_ = true;
  const Function* main = find_main();
  const cuda::SourceRange everything{{}, {static_cast<int>(text_.size()), 0, 0}};
  if (main != nullptr && holds_unseen_launch(everything)) this->main();  // also where it does not go
  has_arguments_ = true;
  steps_ = 0;
  if (main != nullptr && holds_unseen_launch(everything)) explore(*main, nullptr);
  std::vector<std::pair<const Function*, const cuda::Struct*>> left;
  for (const Function& function : unit_.host.functions) {
    const std::size_t colons = function.name.rfind("::");
    const auto of = structs_.find(function.name.substr(0, colons == std::string::npos ? 0 : colons));
    if (function.body) left.emplace_back(&function, of == structs_.end() ? nullptr : of->second);
  }
  for (const cuda::Struct& known : unit_.host.structs)
    for (const Function& function : known.functions)
      if (function.body) left.emplace_back(&function, &known);
  for (const Function& function : unit_.functions)  // __host__ __device__ and constexpr
    if (function.body && function.kind == Function::Kind::Device && holds_unseen_launch(function.range))
      left.emplace_back(&function, nullptr);
  // Their variables may have been set by any function by then.
  Effects all;
  for (const auto& [function, unused] : left) collect(*function->body, &all);
  for (const auto& [name, global] : globals_)
    if (all.changed.contains(name)) forget(global);
  for (const bool only_roots : {true, false})
    for (const auto& [function, of] : left) {
      if (!holds_unseen_launch(function->range) && (entered_.contains(function) || !only_roots)) continue;
      if (only_roots && is_called_elsewhere(*function)) continue;
      explore(*function, of);
    }
}

// Where names are called and launches stand in the text: what is not parsed has them too.
void HostRun::read_words() {
  for (const std::string_view word : {"<<<", "cudaLaunch"})
    for (std::size_t at = text_.find(word); at != std::string::npos; at = text_.find(word, at + 1))
      launches_.insert(static_cast<int>(at));
  for (std::size_t at = 0, end = 0; at < text_.size(); at = std::max(end, at + 1)) {
    for (end = at; end < text_.size() && text::is_word(text_[end]);) ++end;
    const std::size_t next = end > at ? text_.find_first_not_of(" \t", end) : std::string::npos;
    if (next == std::string::npos || (text_[next] != '(' && text_[next] != '<')) continue;
    // Not a declaration, in front of whose name a type stands.
    const std::size_t before = at == 0 ? std::string::npos : text_.find_last_not_of(" \t\r\n", at - 1);
    const bool is_declared = before != std::string::npos &&
                             (text::is_word(text_[before]) || text_[before] == '*' || text_[before] == '&') &&
                             !std::string_view(text_).substr(0, before + 1).ends_with("return");
    if (!is_declared) called_.emplace(std::string_view(text_).substr(at, end - at), static_cast<int>(at));
  }
}

bool HostRun::is_called_elsewhere(const Function& function) const {
  const auto [first, last] =
      called_.equal_range(std::string_view(function.name).substr(function.name.rfind(':') + 1));
  return std::any_of(first, last, [&](const auto& call) {
    return call.second < function.range.begin.offset || call.second >= function.range.end.offset;
  });
}

bool HostRun::holds_unseen_launch(const cuda::SourceRange& range) const {
  const auto count = [&](const std::set<int>& places) {
    return std::distance(places.lower_bound(range.begin.offset), places.lower_bound(range.end.offset));
  };
  return count(launches_) > count(seen_offsets_);
}

// With arguments that are not known.
void HostRun::explore(const Function& function, const cuda::Struct* of) {
  Callable callable{.function = &function};
  frames_.push_back({entries_.size(), 0, -1, -1, of, {}, &function});
  gave_up_ = false;
  if (of != nullptr) frames_.back().self = make_object(types_.of(of->name));
  std::vector<Entry> entries;
  bind_parameters(function, nullptr, callable, &entries);
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  entered_.insert(&function);
  const Region region = begin_region();
  (void)exec(*function.body);
  for (std::size_t i = region.begin; i < notes_.size(); ++i) at(notes_[i].object).is_known = false;
  (void)end_region(region, true);
  symbols_.clear();
  entries_.resize(frames_.back().begin);
  frames_.pop_back();
  may_have_left_ = may_have_returned_ = exited_ = false;
}

// ---- changes ----

HostRun::Region HostRun::begin_region() {
  regions_.push_back(++last_epoch_);
  return {notes_.size()};
}

// What was changed, as it is now; with `undo` all is as it was before.
std::map<int, Value> HostRun::end_region(const Region& region, bool undo) {
  std::map<int, Value> changed;
  for (std::size_t i = region.begin; i < notes_.size(); ++i)
    changed.emplace(notes_[i].object, at(notes_[i].object).value);
  if (undo) {
    for (std::size_t i = notes_.size(); i-- > region.begin;) {
      at(notes_[i].object).value = notes_[i].before;
      at(notes_[i].object).bytes = notes_[i].bytes;
    }
    notes_.resize(region.begin);
  }
  regions_.pop_back();
  return changed;
}

void HostRun::forget_changes(const Region& region) {
  for (std::size_t i = region.begin; i < notes_.size(); ++i) {
    forget({notes_[i].object});
    at(notes_[i].object).is_known = false;
  }
}

// One of several ways is gone, and which is not known.
HostRun::Flow HostRun::either(const std::vector<std::function<Flow()>>& ways) {
  std::set<int> objects, left;
  std::vector<std::map<int, Value>> ends;
  Flow all = Flow::Exit;
  bool first = true;
  for (const auto& way : ways) {
    const Region region = begin_region();
    const std::size_t scope = entries_.size();
    Flow flow = way();
    if (std::exchange(exited_, false)) flow = Flow::Exit;
    entries_.resize(scope);
    std::map<int, Value> changed = end_region(region, true);
    if (flow == Flow::Break || flow == Flow::Continue) may_have_left_ = true;
    if (flow == Flow::Return) may_have_returned_ = true;
    all = first || flow == all ? flow : Flow::Next;
    first = false;
    for (const auto& [object, unused] : changed) (flow == Flow::Next ? objects : left).insert(object);
    if (flow != Flow::Next) continue;
    ends.push_back(std::move(changed));
  }
  for (const int object : left) {
    note(object);  // what a loop or a function around does not know then
    at(object).is_known = false;
  }
  if (ends.empty()) return all == Flow::Next ? Flow::Return : all;
  for (const int object : objects) {
    const auto end_of = [&](const std::map<int, Value>& end) {
      const auto found = end.find(object);
      return found == end.end() ? at(object).value : found->second;
    };
    const Value value = end_of(ends.front());
    const bool is_same = std::all_of(ends.begin(), ends.end(), [&](const auto& end) {
      const Value other = end_of(end);
      return other.kind == value.kind && other.integer == value.integer && other.floating == value.floating &&
             other.object == value.object && other.kind != Value::Kind::Unknown;
    });
    for (const auto& end : ends)  // what is changed through it later may be either
      if (!is_same && end_of(end).kind == Value::Kind::Pointer) {
        const int target = end_of(end).object;
        if (at(target).kind == Object::Kind::Scalar) at(target).is_shared = true;
        forget_contents(end_of(end));
      }
    if (is_same)
      write({object}, value);
    else
      forget({object});
    if (ends.size() > 1) at(object).is_known = false;
  }
  return Flow::Next;
}

// ---- statements ----

HostRun::Flow HostRun::exec_all(const std::vector<cuda::StmtPtr>& body, std::size_t from) {
  for (std::size_t i = from; i < body.size(); ++i) {
    if (!body[i]) continue;
    const Flow flow = exec(*body[i]);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

HostRun::Flow HostRun::exec(const Stmt& stmt) {
  pace_.step();
  gave_up_ |= depth_ > kDeepest || ++steps_ > kAllSteps;
  if (gave_up_) return Flow::Exit;
  const Deeper deeper(*this);
  if (const auto* e = node_of<cuda::ExprStmt>(stmt)) {
    if (!e->expr) return Flow::Next;
    const auto* call = std::get_if<cuda::CallExpr>(&e->expr->node);
    const auto* name = call ? std::get_if<cuda::NameExpr>(&call->callee->node) : nullptr;
    const bool ends = name != nullptr && (name->name == "exit" || name->name == "abort" ||
                                          name->name == "throw" || name->name == "_Exit");
    if (!ends) (void)eval(*e->expr);
    if (name != nullptr && name->name == "goto" && frames_.back().function != nullptr) {
      forget_effects(effects_of(*frames_.back().function->body));  // to where is not followed
      may_have_returned_ = true;
      returned_ = {};
      return Flow::Return;
    }
    return ends || exited_ ? Flow::Exit : Flow::Next;
  }
  if (const auto* d = node_of<cuda::DeclStmt>(stmt)) {
    declare(*d);
    return exited_ ? Flow::Exit : Flow::Next;
  }
  if (const auto* block = node_of<cuda::CompoundStmt>(stmt)) {
    const std::size_t scope = entries_.size();
    const Flow flow = exec_all(block->body);
    entries_.resize(scope);
    return flow;
  }
  if (const auto* branch = node_of<cuda::IfStmt>(stmt)) return exec_if(*branch);
  if (const auto* loop = node_of<cuda::ForStmt>(stmt)) {
    const std::size_t scope = entries_.size();
    const Flow flow =
        exec_loop(loop->init.get(), loop->condition.get(), loop->increment.get(), loop->body.get(), false);
    entries_.resize(scope);
    return flow;
  }
  if (const auto* loop = node_of<cuda::WhileStmt>(stmt))
    return exec_loop(nullptr, loop->condition.get(), nullptr, loop->body.get(), false);
  if (const auto* loop = node_of<cuda::DoStmt>(stmt))
    return exec_loop(nullptr, loop->condition.get(), nullptr, loop->body.get(), true);
  if (const auto* choice = node_of<cuda::SwitchStmt>(stmt)) return exec_switch(*choice);
  if (node_of<cuda::BreakStmt>(stmt)) return Flow::Break;
  if (node_of<cuda::ContinueStmt>(stmt)) return Flow::Continue;
  if (const auto* back = node_of<cuda::ReturnStmt>(stmt)) {
    returned_ = back->value ? eval(*back->value) : Value{};
    return Flow::Return;
  }
  if (const auto* code = node_of<cuda::AsmStmt>(stmt))
    for (const cuda::AsmOperand& operand : code->outputs) forget(place(*operand.expr));
  if (const auto* alias = node_of<cuda::UsingStmt>(stmt)) {
    if (alias->extents.empty()) frames_.back().types.emplace_back(alias->name, resolve(alias->type));
  }
  return Flow::Next;
}

HostRun::Flow HostRun::exec_if(const cuda::IfStmt& node) {
  const auto way = [&](const Stmt* stmt) {
    return [this, stmt] { return stmt != nullptr ? exec(*stmt) : Flow::Next; };
  };
  std::optional<bool> holds = truth(eval(*node.condition));
  const Stmt *then_branch = node.then_branch.get(), *else_branch = node.else_branch.get();
  if (holds && explores_) {
    const Stmt* passed = *holds ? else_branch : then_branch;
    if (passed != nullptr && holds_unseen_launch(passed->range)) holds.reset();
  }
  if (holds) return way(*holds ? then_branch : else_branch)();
  return either({way(then_branch), way(else_branch)});
}

HostRun::Flow HostRun::exec_loop(const Stmt* init, const Expr* condition, const Expr* increment,
                                 const Stmt* body, bool body_first) {
  if (init != nullptr) (void)exec(*init);
  Effects counters;
  if (increment != nullptr) collect(*increment, &counters);
  if (condition != nullptr) collect(*condition, &counters);
  if (body != nullptr && !counters.calls_own && is_of_floats(*body)) {
    forget_effects(counters);
    return Flow::Next;
  }
  if (condition != nullptr && increment != nullptr && body != nullptr && !body_first && init != nullptr &&
      fill_at_once(*condition, *increment, *body))
    return Flow::Next;
  const Region region = begin_region();
  const std::int64_t limit = steps_ + (steps_ < kManySteps ? kLoopSteps : kShortSteps);
  const bool may_have_left = std::exchange(may_have_left_, false);
  const int quiet = quiet_;
  Flow flow = Flow::Next;
  bool is_lost = false;
  for (int round = 0; !is_lost; ++round) {
    if (condition != nullptr && !(body_first && round == 0)) {
      std::optional<bool> holds = truth(eval(*condition));
      if (holds == false && round == 0 && explores_ && body != nullptr && holds_unseen_launch(body->range))
        holds.reset();
      if (holds == false) break;
      if (!holds) is_lost = true;  // one round, and what it changes is not known
    }
    const std::size_t scope = entries_.size();
    if (body != nullptr) flow = exec(*body);
    entries_.resize(scope);
    is_lost |= may_have_left_;
    if (flow != Flow::Next && flow != Flow::Continue) break;
    flow = Flow::Next;
    if (increment != nullptr) (void)eval(*increment);
    if (steps_ > limit || (condition == nullptr && round > 10'000)) is_lost = true;
    quiet_ = quiet + 1;
  }
  quiet_ = quiet;
  may_have_left_ = may_have_left;
  if (is_lost) {
    forget_changes(region);
    if (body != nullptr) forget_effects(effects_of(*body));  // also in rounds that were not gone
    forget_effects(counters);
  }
  (void)end_region(region, false);
  if (flow == Flow::Break) return Flow::Next;
  may_have_returned_ |= is_lost && flow == Flow::Return;
  return is_lost && flow == Flow::Return ? Flow::Next : flow;
}

namespace {

// The variable at the root of what is assigned to, counted up, or handed over; empty: there is none.
std::string_view root_of(const Expr* target) {
  while (target != nullptr) {
    if (const auto* name = std::get_if<cuda::NameExpr>(&target->node)) return name->name;
    const Expr* first = nullptr;
    cuda::each_child(*target, [&](const Expr& child) { first = first == nullptr ? &child : first; });
    const bool leads = std::get_if<cuda::CallExpr>(&target->node) == nullptr;
    target = leads ? first : nullptr;
  }
  return {};
}

}  // namespace

void HostRun::collect(const Expr& expr, Effects* effects) {
  if (depth_ > kDeepest) return;
  const Deeper deeper(*this);
  const auto itself = [&](const cuda::ExprPtr& target) {
    if (const auto* name = std::get_if<cuda::NameExpr>(&target->node)) effects->assigned.insert(name->name);
    const auto* member = std::get_if<cuda::MemberExpr>(&target->node);
    const auto* of = member ? std::get_if<cuda::NameExpr>(&member->base->node) : nullptr;
    if (of != nullptr && !member->arrow)
      effects->members.emplace(of->name, member->member);
    else
      effects->changed.insert(root_of(target.get()));
  };
  if (const auto* assign = std::get_if<cuda::AssignExpr>(&expr.node)) {
    itself(assign->target);
  } else if (const auto* unary = std::get_if<cuda::UnaryExpr>(&expr.node)) {
    if (unary->op >= cuda::UnaryOp::PreIncrement || unary->op == cuda::UnaryOp::AddressOf)
      itself(unary->operand);
  } else if (const auto* binary = std::get_if<cuda::BinaryExpr>(&expr.node)) {
    if (binary->op == cuda::BinaryOp::Shr)
      effects->changed.insert(root_of(binary->right.get()));  // a stream's
  } else if (const auto* call = std::get_if<cuda::CallExpr>(&expr.node)) {
    const auto* name = std::get_if<cuda::NameExpr>(&call->callee->node);
    const auto* member = std::get_if<cuda::MemberExpr>(&call->callee->node);
    effects->calls_own |= !call->configuration.empty() || (name == nullptr && member == nullptr) ||
                          (name != nullptr && (functions_.contains(name->name) || lookup(name->name)));
    if (member != nullptr) effects->changed.insert(root_of(member->base.get()));
    for (const cuda::ExprPtr& argument : call->arguments) effects->handed.insert(root_of(argument.get()));
  } else if (const auto* made = std::get_if<cuda::ConstructExpr>(&expr.node)) {
    effects->calls_own |= structs_.contains(made->type.name);
  } else if (std::get_if<cuda::LambdaExpr>(&expr.node) != nullptr) {
    effects->calls_own = true;
  }
  cuda::each_child(expr, [&](const Expr& child) { collect(child, effects); });
}

void HostRun::collect(const Stmt& stmt, Effects* effects) {
  if (depth_ > kDeepest) return;
  const Deeper deeper(*this);
  if (const auto* variables = node_of<cuda::DeclStmt>(stmt)) {
    for (const cuda::Declarator& declarator : variables->declarators) {
      const bool is_other_name = declarator.type.reference || declarator.type.pointers > 0;
      effects->calls_own |= (is_other_name && declarator.initializer != nullptr) || variables->is_static ||
                            structs_.contains(declarator.type.name);
      effects->declared.insert(declarator.name);
    }
  } else if (node_of<cuda::ReturnStmt>(stmt) || node_of<cuda::UsingStmt>(stmt)) {
    effects->calls_own = true;  // it leaves more than the loop
  }
  cuda::each_child(
      stmt, [&](const Stmt& child) { collect(child, effects); },
      [&](const Expr& child) { collect(child, effects); });
}

const HostRun::Effects& HostRun::effects_of(const Stmt& loop) {
  const auto [known, is_new] = effects_.try_emplace(&loop);
  if (is_new) collect(loop, &known->second);
  return known->second;
}

// A loop that fills arrays with floating numbers, or sums them up, says nothing of a launch: what it changes
// is not known, and it is not gone through.
bool HostRun::is_of_floats(const Stmt& body) {
  const Effects& effects = effects_of(body);
  if (effects.calls_own || effects.changed.empty() || !effects.members.empty()) return false;
  std::vector<Place> changed;
  std::set<std::string_view> names = effects.changed;
  names.insert(effects.handed.begin(), effects.handed.end());
  for (const std::string_view name : names) {
    const auto found = lookup(name);
    if (effects.declared.contains(name)) {
      if (found) return false;  // which of the two is meant?
      continue;
    }
    if (!found || found->index != Place::kWhole) continue;
    const Object& object = at(found->object);
    const bool is_pointer = object.kind == Object::Kind::Scalar && object.value.kind == Value::Kind::Pointer;
    const Object& of = is_pointer ? at(object.value.object) : object;
    const Type* element =
        is_pointer && of.type == nullptr && object.type != nullptr ? object.type->pointee : of.type;
    const bool is_opaque = of.kind == Object::Kind::Opaque;
    if (object.kind == Object::Kind::Scalar && object.type != nullptr && object.type->pointee &&
        effects.assigned.contains(name))
      return false;
    if (of.kind == Object::Kind::Struct || !(is_opaque || is_real(element))) return false;
    if (!is_pointer && object.kind == Object::Kind::Scalar) changed.push_back(*found);
  }
  for (const Place& place : changed) forget(place);
  return true;
}

void HostRun::forget_globals() {
  steps_ += static_cast<std::int64_t>(globals_.size());
  for (const auto& [name, place] : globals_)
    if (!constants_.contains(std::string(name))) {
      forget(place);
      forget_contents(read(place));
    }
}

// As if all of it had happened, in whatever order.
void HostRun::forget_effects(const Effects& effects) {
  steps_ += static_cast<std::int64_t>(5 * (effects.changed.size() + effects.handed.size() + 1));
  for (const auto* names : {&effects.changed, &effects.handed})
    for (const std::string_view name : *names)
      if (const auto found = lookup(name)) {
        forget_contents(read(*found));
        if (names == &effects.changed) forget(*found);
      }
  for (const auto& [name, member] : effects.members)
    if (const auto found = lookup(name); found && found->index == Place::kWhole)
      forget({at(found->object).kind == Object::Kind::Struct
                  ? member_object(found->object, std::string(member))
                  : found->object});
  if (effects.calls_own) forget_globals();
}

// What is assigned to and not followed: `pick(a, b) = 1`, `*q = 1`.
void HostRun::lose(const Expr& target) {
  Effects effects;
  collect(target, &effects);
  for (const std::string_view name : effects.handed)
    if (const auto found = lookup(name)) forget(*found);
  forget_effects(effects);
}

HostRun::Flow HostRun::exec_switch(const cuda::SwitchStmt& node) {
  const Region region = begin_region();
  const bool may_have_left = may_have_left_;
  const Value value = eval(*node.condition);
  std::vector<std::function<Flow()>> ways;
  const auto way = [&](std::size_t from) {
    return [this, &node, from] {
      const Flow flow = exec_all(node.body, from);
      return flow == Flow::Break ? Flow::Next : flow;
    };
  };
  const std::size_t scope = entries_.size();
  Flow flow = Flow::Next;
  bool has_default = false, found = false;
  std::set<std::size_t> begins;
  constexpr std::size_t kMostWays = 32;
  const bool is_known = value.kind == Value::Kind::Integer && !explores_;
  for (const bool of_default : {false, true}) {
    for (const cuda::SwitchLabel& label : node.labels) {
      if (found || (label.value == nullptr) != of_default) continue;
      has_default |= label.value == nullptr;
      if (!is_known) {
        if (begins.insert(label.before).second && ways.size() < kMostWays) ways.push_back(way(label.before));
        continue;
      }
      const Value wanted = label.value ? eval(*label.value) : value;
      if (wanted.kind != Value::Kind::Integer || wanted.integer != value.integer) continue;
      found = true;
      flow = way(label.before)();
    }
  }
  if (!is_known && !has_default) ways.push_back([] { return Flow::Next; });
  if (!is_known) flow = either(ways);
  entries_.resize(scope);
  if ((may_have_left_ && !may_have_left) || begins.size() > kMostWays) {
    forget_changes(region);
    for (const cuda::StmtPtr& child : node.body)
      if (child) forget_effects(effects_of(*child));
  }
  (void)end_region(region, false);
  return flow;
}

void HostRun::declare(const cuda::DeclStmt& node) {
  for (const cuda::Declarator& declarator : node.declarators) declare_one(declarator, node.is_static);
}

void HostRun::declare_one(const cuda::Declarator& declarator, bool is_static) {
  const bool kept = is_static && frames_.size() > 1;
  if (kept && statics_.contains(&declarator)) {
    entries_.push_back({declarator.name, statics_.at(&declarator)});
    return;
  }
  Place made;
  if (declarator.type.reference && declarator.initializer) {
    made = place(*declarator.initializer);
    if (!made.is_valid() && !declarator.type.is_const) lose(*declarator.initializer);
  }
  if (!made.is_valid() && declarator.type.name == "auto" && declarator.initializer) {
    const Value value = eval(*declarator.initializer);
    const bool is_pointer = declarator.type.pointers > 0 || value.kind == Value::Kind::Pointer;
    const bool is_made_here = std::holds_alternative<cuda::CallExpr>(declarator.initializer->node) ||
                              std::holds_alternative<cuda::ConstructExpr>(declarator.initializer->node);
    if (value.kind == Value::Kind::Object && !is_pointer && is_made_here) {
      made = {value.object};
    } else {
      made = {make_object(value.type)};
      write(made, value);
    }
  } else if (!made.is_valid()) {
    made = {make_object(resolve(declarator.type), numbers_of(declarator.extents))};
    if (declarator.points_to_array) made = {make_opaque()};
    if (declarator.initializer) {
      initialise(made.object, *declarator.initializer);
    } else if (at(made.object).kind == Object::Kind::Struct) {
      if (const cuda::Struct* of = find_struct(at(made.object).type))
        if (const Function* constructor = find_method(*of, of->name, 0, true))
          (void)call({.function = constructor, .self = made.object, .of = of}, {});
    }
  }
  if (kept) statics_[&declarator] = made;
  entries_.push_back({declarator.name, made});
}

// ---- functions ----

// `given` says what template parameters of a parameter's type stand for.
void HostRun::deduce(const cuda::TypeName& wanted, const Type* given, const Function& function,
                     Callable& callable) {
  if (given == nullptr) return;
  for (std::size_t i = 0; i < function.template_parameters.size(); ++i) {
    const cuda::TemplateParameter& parameter = function.template_parameters[i];
    if (!parameter.is_type || parameter.name != wanted.name || !wanted.arguments.empty()) continue;
    const bool is_known = std::any_of(callable.types.begin(), callable.types.end(),
                                      [&](const auto& known) { return known.first == parameter.name; });
    const Type* type = given;
    for (int level = 0; level < wanted.pointers && type != nullptr; ++level) type = type->pointee;
    if (!is_known && type != nullptr) callable.types.emplace_back(parameter.name, type);
  }
  for (std::size_t i = 0; i < wanted.arguments.size() && i < given->arguments.size(); ++i)
    if (wanted.arguments[i].type && wanted.name == given->name)
      deduce(*wanted.arguments[i].type, given->arguments[i], function, callable);
    else if (wanted.arguments[i].value && wanted.name == given->name)
      if (const auto* name = std::get_if<cuda::NameExpr>(&wanted.arguments[i].value->node)) {
        cuda::TypeName type;
        type.name = name->name;
        deduce(type, given->arguments[i], function, callable);
      }
}

// Without arguments they are not known. The frame of the function is open already, for its types; its entries
// come when all arguments have been looked at.
void HostRun::bind_parameters(const Function& function, const Arguments* arguments, Callable& callable,
                              std::vector<Entry>* entries) {
  for (std::size_t i = 0; i < function.template_parameters.size(); ++i) {
    const cuda::TemplateParameter& parameter = function.template_parameters[i];
    const TemplateValue* given = i < callable.templates.size() ? &callable.templates[i] : nullptr;
    if (parameter.is_type) {
      if (given != nullptr && given->type != nullptr)
        callable.types.emplace_back(parameter.name, given->type);
      else if (parameter.fallback && parameter.fallback->type && arguments == nullptr)
        callable.types.emplace_back(parameter.name, resolve(*parameter.fallback->type));
      continue;
    }
    const int object = make_object(types_.of(sim::ScalarType::I32));
    Value value = given != nullptr && given->value ? *given->value : Value{};
    if (!given && parameter.fallback && parameter.fallback->value) value = eval(*parameter.fallback->value);
    at(object).type = value.type != nullptr ? value.type : at(object).type;
    write({object}, value);
    entries->push_back({parameter.name, {object}});
  }
  std::vector<std::pair<const cuda::Parameter*, Value>> values;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const cuda::Parameter& parameter = function.parameters[i];
    const Expr* argument = arguments != nullptr && i < arguments->size() ? (*arguments)[i].get() : nullptr;
    if (argument == nullptr && arguments != nullptr && parameter.fallback)
      argument = parameter.fallback.get();
    if (argument != nullptr && parameter.type.reference) {
      const Place place_of = place(*argument);
      if (place_of.is_valid()) {
        const Value seen = read(place_of);
        deduce(parameter.type, seen.type, function, callable);
        entries->push_back({parameter.name, place_of});
        continue;
      }
    }
    Value value = argument != nullptr ? eval(*argument) : Value{};
    deduce(parameter.type, value.type, function, callable);
    values.emplace_back(&parameter, value);
  }
  frames_.back().types.insert(frames_.back().types.end(), callable.types.begin(), callable.types.end());
  for (const auto& [parameter, value] : values) {
    const Type* type = resolve(parameter->type);
    const bool is_open =
        parameter->type.name.starts_with("auto") || type == nullptr || (value.kind == Value::Kind::Function);
    if (!parameter->extents.empty()) type = types_.pointer_to(type);
    const int object = make_object(is_open && value.type != nullptr ? value.type : type);
    if (arguments != nullptr || at(object).kind == Object::Kind::Scalar) {
      if (value.kind == Value::Kind::Unknown && at(object).type != nullptr && at(object).type->pointee)
        at(object).value = pointer(make_opaque(), 0, at(object).type);
      else
        write({object}, value);
    } else {
      forget({object});
    }
    entries->push_back({parameter->name, {object}});
  }
}

Value HostRun::call(const Callable& of, Arguments arguments) {
  Callable callable = of;
  const Function& function = *callable.function;
  const bool is_tired = steps_ > kManySteps && !holds_unseen_launch(function.range);
  if (!function.body || frames_.size() > kMostFrames || is_tired) {
    for (const cuda::ExprPtr& argument : arguments) {
      forget_contents(eval(*argument));
      lose(*argument);
    }
    if (function.body) forget_effects(effects_of(*function.body));
    for (std::size_t i = 0; i < arguments.size() && i < function.parameters.size(); ++i)
      if (function.parameters[i].type.reference && !function.parameters[i].type.is_const)
        forget(place(*arguments[i]));
    if (!function.body) forget_globals();
    return {};
  }
  steps_ += 50;
  std::vector<Entry> entries;
  // Arguments belong to the caller's frame, which has the callee's types until they are known.
  Frame frame{entries_.size(), callable.outer_end, callable.outer, callable.self, callable.of, {}, &function};
  const std::size_t types = frames_.back().types.size();
  bind_parameters(function, &arguments, callable, &entries);
  frames_.back().types.resize(types);
  frame.types = callable.types;
  frame.begin = entries_.size();
  frames_.push_back(std::move(frame));
  entries_.insert(entries_.end(), callable.captured.begin(), callable.captured.end());
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  entered_.insert(&function);
  const Region region = begin_region();
  std::optional<OwnParameters> own;
  if (callable.of != nullptr && callable.self >= 0 && at(callable.self).type != nullptr)
    own.emplace(*this, *callable.of, at(callable.self).type);
  for (const cuda::MemberInit& init : function.member_inits) {
    if (callable.self < 0) break;
    const int member = member_object(callable.self, init.name);
    if (init.arguments.size() == 1 && at(member).kind == Object::Kind::Scalar)
      write({member}, eval(*init.arguments[0]));
    else if (!init.arguments.empty() && at(member).type != nullptr)
      write({member}, construct(at(member).type, init.arguments));
  }
  const bool may_have_left = std::exchange(may_have_left_, false);
  const bool may_have_returned = std::exchange(may_have_returned_, false);
  returned_ = {};
  const Flow flow = exec(*function.body);
  Value result = std::exchange(returned_, {});
  if (may_have_returned_) {
    result = Value{};
    forget_changes(region);
  }
  (void)end_region(region, false);
  const Type* type = resolve(function.result);
  const bool is_copy = result.kind == Value::Kind::Object && !function.result.reference;
  if (is_copy) {  // a value of its own
    const int made = make_object(result.type);
    write({made}, result);
    result = read({made});
  }
  if (is_number(type)) result = cast(result, type);
  if (function.result.pointers > 0 && result.kind == Value::Kind::Pointer && type != nullptr)
    result.type = type;
  may_have_left_ = may_have_left;
  may_have_returned_ = may_have_returned;
  own.reset();
  entries_.resize(frames_.back().begin);
  frames_.pop_back();
  exited_ |= flow == Flow::Exit;
  return result;
}

}  // namespace warplens::app::host
