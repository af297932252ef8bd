// Kernel text as it is drawn: its tokens in their colours, in columns of a monospaced face.
#pragma once

#include <string>

#include "app/panels/widgets/ui.h"
#include "app/readout/code_rows.h"

namespace warplens::panels {

using app::CodeRow;
using app::CodeText;

// Both stay the same values while what they are made of does: one text alone, or two beside each other.
const CodeText& code_text(const std::string& text);
const std::vector<CodeRow>& kept_rows(const CodeText& code, const app::RowRequest& request);

Color token_color(const scene::Palette& palette, cuda::TokenClass token_class);

// Draws one row of code, the left end of its first column and its vertical middle at `at`; `advance`: a
// column's width. `ground`: a tinted one, on which colours keep their contrast.
void draw_code_row(const View& view, const CodeText& code, const CodeRow& row, ImVec2 at, float size,
                   float advance, const Color* ground = nullptr);

}  // namespace warplens::panels
