// What must be true of every picture, whatever it shows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/scene/views.h"

namespace warplens::scene::checks {

// Each as a list of complaints in words; empty: none.
std::vector<std::string> overlapping_labels(const Scene& scene);
std::vector<std::string> things_outside(const Scene& scene);
// Labels whose contrast with what lies below their middle is under 4.5.
std::vector<std::string> pale_labels(const Scene& scene, const Palette& palette);
std::vector<std::string> all(const Scene& scene, const Palette& palette);

// In both languages and palettes at each size: complaints, with where they are.
struct Size {
  float width, height, scale = 1, least_type = 0;
};
std::vector<std::string> at_all(const std::vector<Size>& sizes,
                                const std::function<Scene(const Canvas&)>& draw);

// The least height of a cell that has bold code in its middle, as lanes have; 1000: there is none.
float smallest_numbered_cell(const Scene& scene);

std::vector<Label> labels_of(const Scene& scene);
std::vector<Arc> arcs_of(const Scene& scene);
std::string words_of(const Scene& scene);  // of all labels, a line each
bool has_label(const Scene& scene, const std::string& text);
int count_cells(const Scene& scene, bool (*matches)(const Cell&));
int count_borders(const Scene& scene, Color border);

}  // namespace warplens::scene::checks
