#include "tests/kernels/host_outputs.h"

#include <cmath>
#include <functional>
#include <stdexcept>

#include "tests/kernels/host_outputs_of_models.h"

namespace warplens::test {
namespace {

using Index = std::size_t;

struct Moved {
  Index count = 0;
  std::function<Index(Index)> from;  // which element of `in` comes to an element of `out`
};

Index value(const scenario::Setup& s, const char* name) {
  return static_cast<Index>(s.values.at(name));
}

Moved one_dimensional(const scenario::Setup& s, const std::string& name, const Buffers& inputs) {
  const Index n = value(s, "n");
  if (name == "copy" || name == "copy_unroll") return {n, [](Index i) { return i; }};
  if (name == "copy_offset") return {n, [by = value(s, "offset")](Index i) { return i + by; }};
  if (name == "copy_stride") return {n, [by = value(s, "stride")](Index i) { return by * i; }};
  if (name == "gather") {
    return {n, [index = as<std::int32_t>(inputs.at("index"))](Index i) {
              return static_cast<Index>(index.at(i));
            }};
  }
  const Index first = value(s, "base") + value(s, "offset") * value(s, "size"),
              step = value(s, "stride") * value(s, "size");
  return {n, [=](Index i) { return first + step * i; }};  // index_expression
}

Moved in_a_tile(const scenario::Setup& s, const std::string& name) {
  constexpr Index kSide = 32;
  if (name == "shared_stride")
    return {kSide * kSide, [by = value(s, "stride")](Index i) { return i * by % (kSide * kSide); }};
  const Index group = name == "shared_multicast" ? value(s, "group") : kSide;
  return {kSide * kSide, [=](Index i) {
            const Index row = i / kSide, column = i % kSide;
            if (name == "shared_column" || name == "shared_swizzle") return column * kSide + row;
            return name == "shared_row" ? i : row * kSide + column / group;
          }};
}

// A tile that is read by rows, by columns or in patches of 8 rows and 4 columns: in that order comes what
// lies there, wherever its layout has put it.
Moved of_a_layout(const scenario::Setup& s, Index rows) {
  const Index columns = value(s, "columns"), read = value(s, "read");
  std::vector<Index> order;
  if (read == 0) {
    for (Index i = 0; i < rows * columns; ++i) order.push_back(i);
  } else if (read == 1) {
    for (Index column = 0; column < columns; ++column)
      for (Index row = 0; row < rows; ++row) order.push_back(row * columns + column);
  } else {
    for (Index left = 0; left < columns; left += 4)
      for (Index top = 0; top < rows; top += 8)
        for (Index row = top; row < top + 8; ++row)
          for (Index column = left; column < left + 4; ++column) order.push_back(row * columns + column);
  }
  return {order.size(), [order](Index i) { return order.at(i); }};
}

// What ldmatrix leaves in the registers of each lane: four matrices of a part of 16 columns a warp, two
// neighbours of each.
Moved of_matrices(const scenario::Setup& s) {
  const Index columns = value(s, "columns");
  const bool transposed = value(s, "transposed") != 0;
  std::vector<Index> order;
  for (Index thread = 0; thread < 2 * columns; ++thread) {
    const Index left = thread / 32 * 16, lane = thread % 32;
    for (const auto& [below, beside] : {std::pair<Index, Index>{0, 0}, {8, 0}, {0, 8}, {8, 8}}) {
      for (Index half = 0; half < 2; ++half) {
        const Index across = lane / 4, along = lane % 4 * 2 + half;
        const Index row = transposed ? along : across, column = transposed ? across : along;
        order.push_back((below + row) * columns + left + beside + column);
      }
    }
  }
  return {order.size(), [order](Index i) { return order.at(i); }};
}

// D = A B of whole numbers that count up from 0.
std::vector<double> fragment_product() {
  std::vector<double> d;
  for (Index row = 0; row < 16; ++row)
    for (Index column = 0; column < 8; ++column) {
      double sum = 0;
      for (Index k = 0; k < 16; ++k)
        sum += static_cast<double>(row * 16 + k) * static_cast<double>(k * 8 + column);
      d.push_back(sum);
    }
  return d;
}

Moved in_a_matrix(const scenario::Setup& s, bool turned) {
  const Index rows = value(s, "nrows"), columns = value(s, "ncols");
  if (!turned) return {rows * columns, [](Index i) { return i; }};
  return {rows * columns, [=](Index i) {
            const Index row = i % rows, column = i / rows;  // where it lay
            return row * columns + column;
          }};
}

Bytes moved(const Moved& how, const Bytes& in, std::size_t element) {
  Bytes out;
  for (Index i = 0; i < how.count; ++i) {
    const Index from = how.from(i) * element;
    if (from + element > in.size()) throw std::runtime_error("reads beyond `in`");
    out.insert(out.end(), in.begin() + static_cast<std::ptrdiff_t>(from),
               in.begin() + static_cast<std::ptrdiff_t>(from + element));
  }
  return out;
}

template <typename T>
Bytes bytes_of(const std::vector<double>& values) {
  Bytes bytes(values.size() * sizeof(T));
  for (Index i = 0; i < values.size(); ++i) {
    const T one = static_cast<T>(values[i]);
    std::memcpy(&bytes[i * sizeof(T)], &one, sizeof(T));
  }
  return bytes;
}

double constant(const scenario::Setup& s, const char* name) {
  const sim::Argument& argument = s.launch.arguments.at(name);
  const auto* whole = std::get_if<std::int64_t>(&argument);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(argument);
}

// C = alpha A B + beta C, where C counts up from 0 beforehand.
template <typename T>
std::vector<double> product(const scenario::Setup& s, const Buffers& inputs, bool by_columns) {
  const Index m = value(s, "m"), n = value(s, "n"), k = value(s, "k");
  const std::vector<T> a = as<T>(inputs.at("A")), b = as<T>(inputs.at("B"));
  std::vector<double> c(m * n);
  for (Index row = 0; row < m; ++row) {
    for (Index column = 0; column < n; ++column) {
      double sum = 0;
      for (Index p = 0; p < k; ++p)
        sum += by_columns ? static_cast<double>(a.at(row + p * m)) * b.at(p + column * k)
                          : static_cast<double>(a.at(row * k + p)) * b.at(p * n + column);
      const Index at = by_columns ? row + column * m : row * n + column;
      c[at] = constant(s, "alpha") * sum + constant(s, "beta") * static_cast<double>(at);
    }
  }
  return c;
}

double of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 != 0 ? -size : size;
}

// C = A B of halves that are all finite.
std::vector<double> product_of_halves(const scenario::Setup& s, const Buffers& inputs) {
  const Index m = value(s, "m"), n = value(s, "n"), k = value(s, "k");
  const auto numbers = [&](const char* matrix) {
    std::vector<double> all;
    for (const std::uint16_t bits : as<std::uint16_t>(inputs.at(matrix))) all.push_back(of_half(bits));
    return all;
  };
  const std::vector<double> a = numbers("A"), b = numbers("B");
  std::vector<double> c(m * n);
  for (Index row = 0; row < m; ++row)
    for (Index p = 0; p < k; ++p)
      for (Index column = 0; column < n; ++column)
        c[row * n + column] += a.at(row * k + p) * b.at(p * n + column);
  return c;
}

template <typename T>
std::vector<double> block_sums(const scenario::Setup& s, const Buffers& inputs) {
  const std::vector<T> in = as<T>(inputs.at("in"));
  const Index n = value(s, "n"), block = value(s, "block_x");
  std::vector<double> sums((n + block - 1) / block);
  for (Index i = 0; i < n; ++i) sums[i / block] += static_cast<double>(in.at(i));
  return sums;
}

std::vector<double> counts_of(const scenario::Setup& s, const Buffers& inputs) {
  const std::vector<std::int32_t> data = as<std::int32_t>(inputs.at("data"));
  std::vector<double> bins(value(s, "nbins"));
  for (Index i = 0; i < value(s, "n"); ++i) ++bins.at(static_cast<Index>(data.at(i)) % bins.size());
  return bins;
}

// x, y and z of every point: three buffers, or one of structures.
template <typename T>
std::vector<double> point_sums(const scenario::Setup& s, const Buffers& inputs, bool structures) {
  std::vector<double> sums(value(s, "n"));
  for (const char* part : {"x", "y", "z"}) {
    const std::vector<T> from = as<T>(inputs.at(structures ? "points" : part));
    const Index first = structures ? static_cast<Index>(part[0] - 'x') : 0, step = structures ? 3 : 1;
    for (Index i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(from.at(first + step * i));
  }
  return sums;
}

}  // namespace

template <typename T>
Bytes host_output(const scenario::Setup& s, const std::string& name, const Buffers& inputs,
                  std::size_t element) {
  const auto begins = [&](const char* with) { return name.starts_with(with); };
  if (begins("sgemm_")) return bytes_of<T>(product<T>(s, inputs, false));
  if (begins("hgemm_")) return bytes_of<T>(product_of_halves(s, inputs));
  if (begins("dgemm_")) return bytes_of<T>(product<T>(s, inputs, true));
  if (begins("reduce_")) return bytes_of<T>(block_sums<T>(s, inputs));
  if (begins("histogram_")) return bytes_of<T>(counts_of(s, inputs));
  if (begins("sum_")) return bytes_of<T>(point_sums<T>(s, inputs, name == "sum_aos"));
  if (const auto output = model_output(s, name, inputs)) return bytes_of<T>(*output);
  if (name == "layout_fragment") return bytes_of<T>(fragment_product());
  const Bytes& in = inputs.at("in");
  if (name == "layout_swizzle") return moved(of_a_layout(s, 32), in, element);
  if (name == "layout_function") return moved(of_a_layout(s, value(s, "rows")), in, element);
  if (name == "layout_ldmatrix") return moved(of_matrices(s), in, element);
  if (begins("shared_")) return moved(in_a_tile(s, name), in, element);
  if (begins("transpose_")) return moved(in_a_matrix(s, true), in, element);
  if (name == "copy_row" || name == "copy_col") return moved(in_a_matrix(s, false), in, element);
  if (begins("copy") || name == "gather" || name == "index_expression")
    return moved(one_dimensional(s, name, inputs), in, element);
  throw std::runtime_error("no host reference of " + name);
}

template Bytes host_output<float>(const scenario::Setup&, const std::string&, const Buffers&, std::size_t);
template Bytes host_output<double>(const scenario::Setup&, const std::string&, const Buffers&, std::size_t);
template Bytes host_output<std::int32_t>(const scenario::Setup&, const std::string&, const Buffers&,
                                         std::size_t);

}  // namespace warplens::test
