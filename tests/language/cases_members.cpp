// Structs as libraries write them: members behind their struct, parts without a name, references; functions
// that types choose; text.
#include <type_traits>

#include "chosen_by_type.cu.h"
#include "members_outside.cu.h"
#include "parts_and_references.cu.h"
#include "tests/language/language_case.h"
#include "text_tables.cu.h"

namespace warplens::language {
namespace {

const Register kCases[] = {
    {CALLED("2 64 in=@140:random out=@100 numbers=@100 n=100", members_outside, outside)},
    {CALLED("2 64 in=@100:random out=@100 pairs=@100:random n=100", parts_and_references, parts)},
    {CALLED("2 64 in=@100:random out=@400 vectors=@100:random n=100", parts_and_references, references)},
    {LAUNCH("2 64 in=@100:random f=2 out=@100 numbers=@100 sorted=@100:iota n=100", chosen_by_type,
            chosen<float, float>),
     called(chosen_by_type::chosen<float, float, float>)},
    // Eight characters and a length a thread, in four warps.
    {LAUNCH("2 64 in=@100:random out=@800 lengths=@100 n=100", text_tables, spell),
     called(text_tables::spell, {},
            [](HostBuffers& h) {
              h.take(text_tables::names, "names");
              h.take(text_tables::digits, "digits");
            }),
     {.totals = {{"global store requests", 4 * 9}}}}};
}  // namespace
}  // namespace warplens::language
