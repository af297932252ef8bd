// Host code: skipped by its brackets, whatever stands in it. Kernel launches in it are recorded.
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/names.h"
#include "sim/text/scan.h"

namespace warplens::cuda {

namespace {

constexpr std::size_t kReach = 256;  // tokens in which a declaration's front, or a launch, is looked for

// One line: a run of white space is one space.
std::string joined_lines(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (!text::is_space(c)) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

bool may_precede_function(const Token& token) {
  return token.is("static") || token.is("inline") || token.is("extern") || token.is("const") ||
         token.is("constexpr") || token.is("__forceinline__") || token.is("__host__") ||
         token.is("__device__") || token.is("__noinline__") ||
         (token.kind == TokenKind::Identifier && is_type_word(token.text));
}

}  // namespace

void Parser::skip_host_declaration(std::size_t first) {
  std::size_t end = std::max(host_declaration_end(first, false), first + 1);
  record_launches(first, end);
  next_ = std::min(end, tokens_.size() - 1);
}

// Behind the ';' or '}' that ends the declaration; earlier where device code begins, as it does when a brace
// is missing in the host code before it.
std::size_t Parser::host_declaration_end(std::size_t first, bool own_specifier) const {
  int braces = 0;
  bool until_semicolon = false;  // after `=`, or for a class: the '}' is not the end
  bool type = false, parenthesis = false;
  for (std::size_t i = first; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::End) return i;
    std::size_t start = 0;
    bool own = own_specifier && braces == 0 && !parenthesis;
    if (i > first && !own && starts_device_code(i, first, type, start)) return start;
    if (token.is("{")) {
      ++braces;
    } else if (token.is("}")) {
      if (braces == 0) return i;
      bool ends = --braces == 0 && !until_semicolon && !(type && !parenthesis);
      const Token& following = token_at(i + 1);
      if (ends && !following.is(",") && !following.is("{") && !following.is("catch")) return i + 1;
    } else if (braces == 0) {
      if (token.is(";")) return i + 1;
      if (token.is("=") && !parenthesis) until_semicolon = true;
      if (token.is("(") || token.is(")")) parenthesis = true;
      if (token.is("class") || token.is("struct") || token.is("union") || token.is("enum")) type = true;
    }
  }
  return tokens_.size() - 1;
}

// Whether a kernel, or outside of a class a device function, begins with the specifier at i: its start.
bool Parser::starts_device_code(std::size_t i, std::size_t first, bool in_type, std::size_t& start) const {
  const Token& token = tokens_[i];
  bool kernel = token.is("__global__");
  bool device = !in_type && (token.is("__device__") || token.is("__constant__"));
  if (!kernel && !device) return false;
  start = declaration_start(i, first);
  if (start <= first) return false;
  const Token& before = token_at(start - 1);
  return kernel || before.is(";") || before.is("}") || before.is("{") || before.is(")");
}

// Back from a specifier over others, `extern "C"` and `template <...>`.
std::size_t Parser::declaration_start(std::size_t i, std::size_t first) const {
  std::size_t earliest = i > first + kReach ? i - kReach : first + 1;
  while (i > earliest && (may_precede_function(tokens_[i - 1]) || tokens_[i - 1].kind == TokenKind::String))
    --i;
  if (i <= first || !tokens_[i - 1].is(">")) return i;
  int depth = 0;
  for (std::size_t k = i - 1; k > first && i - k < kReach; --k) {
    if (tokens_[k].is(">")) ++depth;
    if (tokens_[k].is("<") && --depth == 0) return tokens_[k - 1].is("template") ? k - 1 : i;
  }
  return i;
}

// ---- launches ----

void Parser::record_launches(std::size_t begin, std::size_t end) {
  constexpr std::size_t kMost = 256;
  for (std::size_t i = begin; i < end && unit_.launches.size() < kMost; ++i) {
    if (tokens_[i].is("<<<")) record_launch(i, end);
    const bool is_call = tokens_[i].is("cudaLaunchKernel") || tokens_[i].is("cudaLaunchCooperativeKernel");
    if (is_call && token_at(i + 1).is("(")) record_launch_call(i, begin, end);
  }
}

void Parser::record_launch(std::size_t chevrons, std::size_t limit) {
  HostLaunch launch;
  std::size_t first = 0;
  if (!read_launched_name(chevrons, launch, first)) return;
  limit = std::min(limit, chevrons + 8 * kReach);
  std::size_t close = chevrons + 1;
  while (close < limit && !tokens_[close].is(";") && !(is_shift_right(close) && token_at(close + 2).is(">")))
    ++close;
  std::size_t open = close + 3;
  if (close >= limit || !token_at(open).is("(")) return;
  std::size_t end = match_brackets(open, limit);
  if (end == kNo) return;
  launch.configuration = split_source(chevrons + 1, close);
  launch.arguments = split_source(open + 1, end);
  const Token &a = tokens_[first], &b = tokens_[end];
  launch.range = sink_.range(std::min(a.begin, b.begin), std::max(a.end, b.end));
  if (launch.configuration.size() >= 2 && launch.configuration.size() <= 4) {
    unit_.launches.push_back(std::move(launch));
  }
}

// cudaLaunchKernel((void*)kernel, grid, block, args, bytes, stream)
void Parser::record_launch_call(std::size_t call, std::size_t first, std::size_t limit) {
  const std::size_t end = match_brackets(call + 1, std::min(limit, call + 8 * kReach));
  if (end == kNo) return;
  const std::vector<std::string> parts = split_source(call + 2, end);
  HostLaunch launch;
  for (std::size_t i = call + 2; i < end && !tokens_[i].is(",") && !tokens_[i].is("<"); ++i)
    if (tokens_[i].kind == TokenKind::Identifier) launch.kernel = std::string(tokens_[i].text);
  // Not of a template, whose arguments would have to be told from the call's own.
  if (parts.size() < 4 || launch.kernel.empty() || parts[0].find('<') != std::string::npos) return;
  launch.configuration = {parts[1], parts[2]};
  launch.configuration.insert(
      launch.configuration.end(), parts.begin() + 4,
      parts.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(parts.size(), 6)));
  launch.arguments = pointed_arguments(parts[3], first, call);
  launch.range = sink_.range(tokens_[call].begin, tokens_[end].end);
  unit_.launches.push_back(std::move(launch));
}

// What the last `void* NAME[] = {&a, &b}` before a call points to.
std::vector<std::string> Parser::pointed_arguments(const std::string& name, std::size_t first,
                                                   std::size_t call) const {
  for (std::size_t i = call; i-- > first;) {
    if (tokens_[i].text != name || !token_at(i + 1).is("[")) continue;
    std::size_t open = i + 2;
    while (open < call && open < i + 6 && !tokens_[open].is("{")) ++open;
    const std::size_t end = tokens_[open].is("{") ? match_brackets(open, call) : kNo;
    if (end == kNo) continue;
    std::vector<std::string> arguments = split_source(open + 1, end);
    for (std::string& argument : arguments) {
      const std::size_t address = argument.find('&');
      argument = address == std::string::npos ? std::string() : argument.substr(address + 1);
    }
    return arguments;
  }
  return {};
}

// `kernel` or `kernel<32, 8>` before the chevrons.
bool Parser::read_launched_name(std::size_t chevrons, HostLaunch& launch, std::size_t& first) const {
  if (chevrons == 0) return false;
  std::size_t i = chevrons - 1;
  if (tokens_[i].is(">")) {
    int depth = 0;
    std::size_t close = i;
    for (;; --i) {
      if (tokens_[i].is(">")) ++depth;
      if (tokens_[i].is("<") && --depth == 0) break;
      if (i == 0 || close - i > kReach || tokens_[i].is(";")) return false;
    }
    launch.template_arguments = split_source(i + 1, close);
    if (i-- == 0) return false;
  }
  if (tokens_[i].kind != TokenKind::Identifier) return false;
  launch.kernel = std::string(tokens_[i].text);
  first = i;
  return true;
}

// The arguments between two brackets, as written.
std::vector<std::string> Parser::split_source(std::size_t begin, std::size_t end) const {
  std::vector<std::string> parts;
  std::size_t part = begin;
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.is("(") || token.is("[") || token.is("{")) ++depth;
    if (token.is(")") || token.is("]") || token.is("}")) --depth;
    if (token.is(",") && depth == 0) {
      parts.push_back(source_between(part, i));
      part = i + 1;
    }
  }
  if (begin < end) parts.push_back(source_between(part, end));
  return parts;
}

// The text of some tokens; where a macro made them, their spellings.
std::string Parser::source_between(std::size_t begin, std::size_t end) const {
  std::string spelled;
  bool as_written = true;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    as_written = as_written && token.end - token.begin == static_cast<int>(token.text.size());
    if (i > begin && (token.space_before || token.line_start)) spelled += ' ';
    spelled += token.text;
  }
  if (begin >= end || !as_written || tokens_[end - 1].end < tokens_[begin].begin) return spelled;
  int from = tokens_[begin].begin;
  return joined_lines(text_.substr(from, tokens_[end - 1].end - from));
}

}  // namespace warplens::cuda
