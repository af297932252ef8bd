// Makes of a .cu file what the host's compiler takes: the device code alone, in a form that can be included.
//   - everything from the line "// ---- host" on is left out;
//   - #include lines are left out: host_cuda.h and library_functions.h stand for all of them;
//   - `extern __shared__ T name[];` becomes a pointer to the host's stand-in;
//   - it is in a namespace of the file's name; #defines end with the file.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <string>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream in(argv[1]);
  std::filesystem::create_directories(std::filesystem::path(argv[2]).parent_path());
  std::ofstream out(argv[2]);
  out << "#include \"tests/language/host/library_functions.h\"\n";
  out << "namespace " << std::filesystem::path(argv[1]).stem().string() << " {\n";
  out << "#line 1 \"" << argv[1] << "\"\n";
  const std::regex dynamic(R"(extern\s+__shared__\s+(?:__align__\(\d+\)\s+)?(\w[\w\s]*?)\s+(\w+)\[\];)");
  const std::regex define(R"(^\s*#\s*define\s+(\w+).*)");
  std::set<std::string> macros;
  std::string line;
  while (std::getline(in, line) && line.rfind("// ---- host", 0) != 0) {
    std::smatch found;
    if (std::regex_match(line, found, define)) macros.insert(found[1]);
    if (line.rfind("#include", 0) == 0) line.clear();
    out << std::regex_replace(line, dynamic, "$1* $2 = reinterpret_cast<$1*>(host::dynamic_shared());")
        << "\n";
  }
  out << "}\n";
  for (const std::string& macro : macros) out << "#undef " << macro << "\n";
  return in.bad() || !out ? 1 : 0;
}
