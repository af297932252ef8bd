#!/usr/bin/env python3
"""Every access in the text, or those that compilers make of it, in a real window: by keys, by a click, undone, beside each
other, presented, in a session that is opened again and from the command line."""
import pathlib
import sys
import tempfile

from window_driver import App, display  # noqa: E402

program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_literal_"))
failures = []
KERNEL = """__global__ void weigh(const float4* quads, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = quads[i].x + quads[i].y + quads[i].z + quads[i].w;
}
int main() { weigh<<<4, 64>>>(quads, out); }
"""
ISSUED, WRITTEN = 2, 5  # accesses of a warp: a load of 16 bytes or four of 4, and the store


def counts(accesses, literal):
    return lambda s: (s["seen"]["fresh"] and s["seen"]["totals"] and s["seen"]["accesses"] == accesses and
                      s.get("literal", False) == literal)


def by_keys(app):
    app.wait(counts(ISSUED, False), "it opens as compilers issue it")
    app.key("shift+w", counts(WRITTEN, True), "Shift+W: every access in the text")
    app.key("ctrl+z", counts(ISSUED, False), "Ctrl+Z takes it back")
    app.key("ctrl+y", counts(WRITTEN, True), "Ctrl+Y does it again")
    app.key("shift+w", counts(ISSUED, False), "Shift+W again")
    app.key("ctrl+p", lambda s: "palette" in s["seen"]["class"], "the palette")
    app.do("type", "compilers issue")
    app.settle()
    app.key("Return", counts(WRITTEN, True), "the palette has it too")
    app.key("shift+w", counts(ISSUED, False), "and back")


def by_click(app):
    # Where the choice stands below the text is a matter of the layout: look for it along its rows.
    for y in range(200, 480, 12):
        for x in (330, 360, 390, 420):
            app.do("mousemove", str(x), str(y), "click", "1")
            if app.settle().get("literal"):
                app.wait(counts(WRITTEN, True), "a click below the text")
                app.key("shift+w", counts(ISSUED, False), "and back by the key")
                return
    failures.append("no click below the text switches the accesses")


def beside_each_other(app):
    app.key("F3", lambda s: "a" in s, "F3 pins A as issued")
    app.key("shift+w", lambda s: counts(WRITTEN, True)(s) and not s["a"].get("literal"), "B: in the text")
    app.key("F4", lambda s: counts(ISSUED, False)(s) and s["a"]["literal"], "F4 swaps")
    app.key("F5", lambda s: s["present"], "F5 presents both")
    app.key("F5", lambda s: not s["present"], "F5 again")
    app.key("F4", lambda s: counts(WRITTEN, True)(s) and not s["a"].get("literal"), "F4 swaps back")


with display(folder):
    (folder / "weigh.cu").write_text(KERNEL)
    app = App(program, folder / "state.json", failures, str(folder / "weigh.cu"))
    by_keys(app)
    by_click(app)
    beside_each_other(app)
    app.settle()
    (folder / "again.warplens.json").write_text((folder / "state.json").read_text())
    app.quit()
    again = App(program, folder / "again.json", failures, str(folder / "again.warplens.json"))
    again.wait(lambda s: counts(WRITTEN, True)(s) and not s["a"].get("literal", False), "a session keeps both")
    again.quit()
    told = App(program, folder / "told.json", failures, str(folder / "weigh.cu"), "--literal", "--compare", "accesses")
    told.wait(lambda s: counts(WRITTEN, True)(s) and not s["a"].get("literal", False), "the command line says both")
    told.quit()

print("\n".join(failures) or "the accesses that count are switched, and everything follows")
sys.exit(1 if failures else 0)
