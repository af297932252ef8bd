// What the kernels of language models, scans, stencils and sparse products leave, in plain C++.
#include "tests/kernels/host_outputs_of_models.h"

#include <algorithm>
#include <cmath>

namespace warplens::test {
namespace {

using Index = std::size_t;
using Values = std::vector<double>;

Index setting(const scenario::Setup& s, const char* name) {
  return static_cast<Index>(s.values.at(name));
}

Values numbers(const Buffers& inputs, const char* name) {
  const std::vector<float> floats = as<float>(inputs.at(name));
  return {floats.begin(), floats.end()};
}

void softmax(double* row, Index count) {
  const double most = *std::max_element(row, row + count);
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += row[i] = std::exp(row[i] - most);
  for (Index i = 0; i < count; ++i) row[i] /= sum;
}

Values softmax_of_rows(const scenario::Setup& s, const Buffers& inputs) {
  Values values = numbers(inputs, "in");
  const Index columns = setting(s, "ncols");
  for (Index row = 0; row < setting(s, "nrows"); ++row) softmax(&values[row * columns], columns);
  return values;
}

Values layer_norm(const scenario::Setup& s, const Buffers& inputs) {
  Values values = numbers(inputs, "in");
  const Values weight = numbers(inputs, "weight"), bias = numbers(inputs, "bias");
  const Index columns = setting(s, "ncols");
  for (Index row = 0; row < setting(s, "nrows"); ++row) {
    double* x = &values[row * columns];
    double sum = 0, squares = 0;
    for (Index i = 0; i < columns; ++i) sum += x[i];
    const double mean = sum / static_cast<double>(columns);
    for (Index i = 0; i < columns; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(columns) + 1e-5);
    for (Index i = 0; i < columns; ++i) x[i] = (x[i] - mean) / deviation * weight[i] + bias[i];
  }
  return values;
}

Values turned_pairs(const scenario::Setup& s, const Buffers& inputs, bool halves) {
  const Values x = numbers(inputs, "in"), cosines = numbers(inputs, "cosines"),
               sines = numbers(inputs, "sines");
  const Index pairs = setting(s, "dim") / 2, heads = setting(s, "heads");
  Values y(x.size());
  for (Index head = 0; head < setting(s, "positions") * heads; ++head) {
    for (Index pair = 0; pair < pairs; ++pair) {
      const Index a = head * 2 * pairs + (halves ? pair : 2 * pair), b = a + (halves ? pairs : 1);
      const double c = cosines.at(head / heads * pairs + pair), sine = sines.at(head / heads * pairs + pair);
      y.at(a) = x.at(a) * c - x.at(b) * sine;
      y.at(b) = x.at(a) * sine + x.at(b) * c;
    }
  }
  return y;
}

Values prefix_sums(const scenario::Setup& s, const Buffers& inputs) {
  const std::vector<std::int32_t> in = as<std::int32_t>(inputs.at("in"));
  Values sums;
  for (Index i = 0; i < in.size(); ++i)
    sums.push_back(in[i] + (i % setting(s, "segment") == 0 ? 0 : sums.back()));
  return sums;
}

Values line_stencil(const scenario::Setup& s, const Buffers& inputs) {
  const Values in = numbers(inputs, "in");
  Values sums;
  for (Index i = 0; i < setting(s, "n"); ++i) {
    double sum = 0;
    for (Index j = 0; j <= 2 * setting(s, "radius"); ++j) sum += in.at(i + j);
    sums.push_back(sum);
  }
  return sums;
}

Values star_stencil(const scenario::Setup& s, const Buffers& inputs) {
  const Values in = numbers(inputs, "in");
  const Index rows = setting(s, "nrows"), columns = setting(s, "ncols"), radius = setting(s, "radius");
  const auto at = [&](Index row, Index column) { return in.at(row * (columns + 2 * radius) + column); };
  Values means;
  for (Index row = radius; row < rows + radius; ++row) {
    for (Index column = radius; column < columns + radius; ++column) {
      double sum = -at(row, column);  // which both arms have
      for (Index j = 0; j <= 2 * radius; ++j)
        sum += at(row - radius + j, column) + at(row, column - radius + j);
      means.push_back(sum / static_cast<double>(4 * radius + 1));
    }
  }
  return means;
}

Values sparse_product(const scenario::Setup& s, const Buffers& inputs) {
  const Values values = numbers(inputs, "values"), x = numbers(inputs, "x");
  const std::vector<std::int32_t> columns = as<std::int32_t>(inputs.at("columns")),
                                  starts = as<std::int32_t>(inputs.at("starts"));
  Values y(setting(s, "nrows"));
  for (Index row = 0; row < y.size(); ++row)
    for (auto j = static_cast<Index>(starts.at(row)); j < static_cast<Index>(starts.at(row + 1)); ++j)
      y[row] += values.at(j) * x.at(static_cast<Index>(columns.at(j)));
  return y;
}

Values attention(const scenario::Setup& s, const Buffers& inputs) {
  const Values q = numbers(inputs, "q"), k = numbers(inputs, "k"), v = numbers(inputs, "v");
  const Index n = setting(s, "n"), dim = setting(s, "dim");
  Values out(q.size()), scores(n);
  for (Index row = 0; row < setting(s, "heads") * n; ++row) {
    const Index first = row / n * n;  // of the head
    for (Index key = 0; key < n; ++key) {
      double score = 0;
      for (Index d = 0; d < dim; ++d) score += q[row * dim + d] * k[(first + key) * dim + d];
      scores[key] = score / std::sqrt(static_cast<double>(dim));
    }
    softmax(scores.data(), n);
    for (Index key = 0; key < n; ++key)
      for (Index d = 0; d < dim; ++d) out[row * dim + d] += scores[key] * v[(first + key) * dim + d];
  }
  return out;
}

}  // namespace

std::optional<std::vector<double>> model_output(const scenario::Setup& s, const std::string& name,
                                                const Buffers& inputs) {
  const auto begins = [&](const char* with) { return name.starts_with(with); };
  if (begins("softmax_")) return softmax_of_rows(s, inputs);
  if (begins("layer_norm_")) return layer_norm(s, inputs);
  if (begins("rope_")) return turned_pairs(s, inputs, name == "rope_halves");
  if (begins("scan_")) return prefix_sums(s, inputs);
  if (begins("stencil_1d")) return line_stencil(s, inputs);
  if (begins("stencil_2d")) return star_stencil(s, inputs);
  if (begins("spmv_")) return sparse_product(s, inputs);
  if (begins("attention_") || begins("flash_attention")) return attention(s, inputs);
  return std::nullopt;
}

}  // namespace warplens::test
