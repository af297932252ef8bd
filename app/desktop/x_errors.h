// An X server answers some requests with an error later: the window that a drag came from is gone, say. By
// itself Xlib then ends the program.
#pragma once

namespace warplens::desktop {

// After the window has been made (GLFW sets Xlib's own handler again while it makes one). Does nothing where
// there is no X.
void survive_x_errors();

}  // namespace warplens::desktop
