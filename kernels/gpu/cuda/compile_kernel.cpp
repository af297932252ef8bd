#include "kernels/gpu/cuda/compile_kernel.h"

#include "kernels/protocol/as_written.h"
#include "sim/lower/kernel_name.h"
#include "sim/text/scan.h"

namespace warplens::gpu {
namespace {

using measure::CompileMode;
using measure::Failure;
using measure::FailureError;
using measure::FailureKind;
using measure::Subject;

// One way of giving the text to the compiler.
struct Attempt {
  std::string text;
  bool volatile_ptx = false;
  std::string as_written;
};

// In order of preference; the text as it stands comes last, so its errors are at the user's own columns.
std::vector<Attempt> attempts(const std::string& text, const Subject& subject) {
  if (subject.mode == CompileMode::AsOptimised) return {{text, false, ""}};
  const measure::VolatileText changed = measure::make_shared_volatile(text);
  const bool is_alone = subject.headers.empty();  // in headers nothing is made volatile
  if (!changed.has_shared && is_alone) return {{text, false, "nothing to do: the text has no shared memory"}};
  const Attempt by_ptx{text, true, "volatile accesses in PTX"};
  if (changed.made_volatile.empty() || !is_alone) return {by_ptx};
  const bool mixed = !changed.left.empty();
  return {{changed.text, mixed,
           "volatile declarations: " + warplens::text::joined(changed.made_volatile) +
               (mixed ? "; volatile accesses in PTX: " + warplens::text::joined(changed.left) : "")},
          by_ptx};
}

// NVRTC quotes this name in its log; it must not look like an option or a path.
std::string log_name(const std::string& source_name) {
  const std::size_t slash = source_name.rfind('/');
  const std::string name = slash == std::string::npos ? source_name : source_name.substr(slash + 1);
  return name.empty() ? "kernel.cu" : name;
}

// `with_host`: its headers have their host code too, which NVRTC mostly does not compile.
CompileInput input_for(const Nvrtc& nvrtc, const Subject& subject, const std::string& text, bool with_host) {
  CompileInput input;
  input.text = text;
  input.file_name = log_name(subject.source_name);
  const sim::KernelPlace place = sim::place_of_kernel(subject.text, subject.kernel, subject.defines);
  const std::string scope = place.scope.empty() ? "" : place.scope + "::";
  input.name_expression = scope + name_expression(place.name, subject.template_arguments);
  // Its arguments may be of its namespaces too.
  if (!scope.empty()) input.text += "\nusing namespace " + place.scope + ";\n";
  input.defines = subject.defines;
  input.headers = device_headers(measure::whole_text(subject), nvrtc.include_folders());
  std::erase_if(input.headers, [&](const auto& header) { return subject.headers.contains(header.first); });
  for (const auto& [name, header] : subject.headers)
    input.headers.emplace_back(name, with_host ? header : measure::blank_host_code(header));
  return input;
}

Failure compile_failure(const CompileOutput& output, const std::string& file_name,
                        const std::string& expression, const Message& what) {
  Failure failure;
  failure.kind = FailureKind::Compile;
  failure.message = what;
  // NVRTC keeps the names asked for in a text of its own, which means nothing to a reader.
  if (output.log.find("__nv_name_map") != std::string::npos) {
    failure.message =
        Message("{} has no kernel {}, or one that takes other template arguments", file_name, expression);
    return failure;
  }
  failure.diagnostics = measure::read_log(output.log, file_name);
  if (failure.diagnostics.empty() && !output.log.empty())
    failure.message = Message("{}: {}", failure.message, output.log.substr(0, 2000));
  failure.remedy = Message(
      "The text was compiled by NVRTC for the GPU. What the simulator takes and the GPU does not is listed "
      "above.");
  return failure;
}

// What came of the first of the ways that NVRTC takes, of the text without host code and then with it.
struct Made {
  CompileOutput output;
  Attempt by;
};
template <typename Ways>
Made compile(const Nvrtc& nvrtc, const Subject& subject, int major, int minor,
             const std::vector<std::string>& folders, const Ways& ways) {
  CompileOutput failed;
  for (const bool with_host : {false, true}) {
    const std::string text = with_host ? subject.text : measure::blank_host_code(subject.text);
    if (with_host && subject.headers.empty() && text == measure::blank_host_code(text)) break;  // the same
    for (const Attempt& way : ways(text)) {
      CompileInput input = input_for(nvrtc, subject, way.text, with_host);
      input.folders = folders;
      CompileOutput output = nvrtc.compile(input, major, minor, way.volatile_ptx);
      if (output.done) return {std::move(output), way};
      if (!with_host) failed = std::move(output);  // the last attempt on it, at its own columns
    }
  }
  throw FailureError(compile_failure(
      failed, log_name(subject.source_name), name_expression(subject.kernel, subject.template_arguments),
      Message("NVRTC {} does not compile {}", nvrtc.version(), subject.source_name)));
}

}  // namespace

std::string name_expression(const std::string& kernel, const std::vector<std::string>& template_arguments) {
  return sim::KernelName{{}, kernel, {}, template_arguments}.with_arguments();
}

KernelImage compile_kernel(const Nvrtc& nvrtc, const Subject& subject, int major, int minor) {
  auto [output, way] = compile(nvrtc, subject, major, minor, {},
                               [&](const std::string& text) { return attempts(text, subject); });
  if (output.lowered_name.empty())
    throw FailureError(FailureKind::Compile,
                       Message("the compiled text has no kernel {}",
                               name_expression(subject.kernel, subject.template_arguments)));
  if (way.volatile_ptx) output.image = measure::make_shared_accesses_volatile(output.image);
  return {std::move(output.image), std::move(output.lowered_name), std::move(way.as_written)};
}

measure::Ptx compile_to_ptx(const measure::PtxRequest& request) {
  Nvrtc nvrtc;
  Message reason;
  if (!nvrtc.load(0, reason)) throw FailureError(FailureKind::NoCompiler, reason);
  const auto as_it_stands = [](const std::string& text) { return std::vector<Attempt>{{text, true, ""}}; };
  std::string ptx = compile(nvrtc, request.subject, request.architecture / 10, request.architecture % 10,
                            request.folders, as_it_stands)
                        .output.image;
  ptx.resize(ptx.find_last_not_of('\0') + 1);  // its size counts the text's end
  return {std::move(ptx), "NVRTC " + nvrtc.version()};
}

std::unique_ptr<Kernel> helper_kernel(Gpu& gpu, const std::string& text, const std::string& kernel) {
  Subject subject;
  subject.source_name = "helper.cu";
  subject.text = text;
  subject.kernel = kernel;
  subject.mode = CompileMode::AsOptimised;
  const KernelImage image = compile_kernel(gpu.nvrtc(), subject, gpu.major(), gpu.minor());
  return std::make_unique<Kernel>(gpu.driver(), image.image, image.lowered_name);
}

}  // namespace warplens::gpu
