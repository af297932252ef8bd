// Runs warplens-cli with arguments and input, and keeps what it says.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warplens::cli_test {

struct Ran {
  int code = -1;  // exit code; 1000 + signal where one ended it; -1: did not start, or took over a minute
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

struct How {
  std::string input{};
  std::map<std::string, std::string> environment{};
  std::size_t stop_reading_after =
      static_cast<std::size_t>(-1);  // bytes: then the pipe is closed, as by head
};

Ran run_cli(const std::vector<std::string>& arguments, const How& how = {});

}  // namespace warplens::cli_test
