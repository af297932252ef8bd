// Where the letters of a picture come from: the fonts that an unpacked archive brought along, as
// bin/../share/warplens/fonts, or those of the machine, in the folders that Debian gives them.
#pragma once

#include <string>

namespace warplens::text {

std::string fonts_folder();  // ends with a slash; below it "truetype/dejavu/DejaVuSans.ttf" and others

}  // namespace warplens::text
