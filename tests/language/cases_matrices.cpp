// A product and transposes as courses have them. What else they do with a matrix or a row, the gallery does.
#include "sgemm_double_buffer.cu.h"
#include "tests/language/language_case.h"
#include "transpose.cu.h"

namespace warplens::language {
namespace {

const Register kCases[] = {
    {CALLED("1,2 8,8 A=@3072:random B=@1536:random C=@8192 M=128 N=64 K=24", sgemm_double_buffer,
            Sgemm<64, 8, 64, 8, 8>)},
    {CALLED("2,2 32,32 odata=@4096 idata=@4096:iota width=64 height=64", transpose, copySharedMem)},
    {CALLED("2,2 32,16 odata=@4096 idata=@4096:iota width=64 height=64", transpose, transposeNoBankConflicts),
     {.totals = {{"global load sectors", 64 * 64 / 8},
                 {"global store sectors", 64 * 64 / 8},
                 {"shared load bank_conflicts", 0}}}},
    {CALLED("3,3 32,16 odata=@9216 idata=@9216:iota width=96 height=96", transpose, transposeDiagonal)}};

}  // namespace
}  // namespace warplens::language
