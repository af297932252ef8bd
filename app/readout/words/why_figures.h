// The figures that the words about least times are full of.
#pragma once

#include <string>

namespace warplens::app {

std::string why_times(double times);   // "8", "2.5", "1.25"
std::string why_count(double count);   // "59.4 M": three figures, of what is too long to be read
std::string why_bytes(double bytes);   // "1.08 MB"
std::string why_time(double seconds);  // "13.2 µs"; of next to nothing "< 0.01 µs"

}  // namespace warplens::app
