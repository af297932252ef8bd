"""What docs/browser.md tells in figures: measured, and held against nothing. And what a long lecture leaves behind, which is."""
import shutil
import subprocess
import time

from visit import SITE, TREE, Visit, need

DOCUMENT = TREE / "docs/browser.md"
BEGIN, END = "<!-- tests/web/run --write figures -->\n", "<!-- end of figures -->\n"
CYCLE = 20  # steps of a lecture after which everything is as it was

# Steps, padding there and back, the next rung and back, a prediction, the map, presenting: as a lecturer does.
LECTURE = """(async () => {
  const once = ['access_next', 'access_next', 'wavefront_next', 'pad=1', 'access_previous', 'pad=0', 'warp_next', 'warp_previous',
                'rung_next', 'access_next', 'rung_previous', 'predict', 'predict', 'map', 'map', 'present', 'present', 'compare', 'compare', 'access_first'];
  const wrong = [];
  for (const step of once) {
    const done = await warplens.act(step);
    if (done.error !== undefined) wrong.push(`${step}: ${done.error}`);
    // On to the next step where no frame comes: a starved browser leaves some out.
    await Promise.race([new Promise(requestAnimationFrame), new Promise(done => setTimeout(done, 5000))]);
  }
  return wrong;
})()"""


def memory(visit):
    visit.page.do("HeapProfiler.enable"), visit.page.do("HeapProfiler.collectGarbage")
    return {**visit.js("warplens.memory()"), "script": visit.js("performance.memory.usedJSHeapSize")}


def go_through(visit, steps):
    """Cycle after cycle: the browser is given up where one has no end, and not for being slow."""
    for _ in range(0, steps, CYCLE):
        wrong = visit.js(LECTURE)
        need(wrong == [], f"steps are refused: {wrong}")
    visit.rests()


def lecture(visit):
    """Memory after 200 steps, by when caches hold what they hold, after 1,000 more and after 2,000 more."""
    go_through(visit, 200)
    seen = [memory(visit)]
    for _ in range(2):
        go_through(visit, 1000)
        seen.append(memory(visit))
    return seen


def check_lecture(browser, url):
    """A lecture of 2,000 steps takes no memory that it does not give back. A leak grows in each half of them: what grows in one
    alone is a buffer that was made larger once, sooner or later as the frames fall."""
    visit = Visit(browser, url + "#transpose_shared?pad=0")
    visit.rests()
    seen = lecture(visit)
    for what, most in (("used", 1 << 19), ("reserved", 0), ("script", 2 << 20)):
        grown = min(seen[1][what] - seen[0][what], seen[2][what] - seen[1][what])
        need(grown <= most, f"{what}: {' -> '.join(format(one[what], ',') for one in seen)} bytes")
    visit.clean()
    return " -> ".join(f"{one['used']:,}" for one in seen) + " bytes"


def on_the_wire(files):
    """Bytes of the files by gzip, and by brotli where that is installed."""
    def packed(command, file):
        return len(subprocess.run([*command, file], capture_output=True, check=True).stdout)
    size = {"gzip": sum(f.stat().st_size if f.suffix == ".pack" else packed(["gzip", "-9c"], f) for f in files)}
    if shutil.which("brotli"):
        size["brotli"] = sum(f.stat().st_size if f.suffix == ".pack" else packed(["brotli", "-c"], f) for f in files)
    return size


def rows_of(browser, url):
    """What is measured, the figure, and what is to be reached."""
    later = {"data/recorded.pack", "data/chinese.pack", "worker.js", "embed.html"}
    files = [p for p in SITE.rglob("*") if p.is_file() and p.relative_to(SITE).as_posix() not in later]
    sizes = on_the_wire(files)
    yield "first load of English", ", ".join(f"{n / 1e6:.2f} MB by {how}" for how, n in sizes.items()), "2.5 MB"
    yield "WebAssembly, not compressed", f"{(SITE / 'warplens.wasm').stat().st_size / 1e6:.2f} MB", "2.3 MB of the simulator's part"
    begun = time.time()
    visit = Visit(browser, url + "#transpose_shared?pad=0")
    cold = time.time() - begun
    visit.rests()
    visit.page.wait("navigator.serviceWorker.ready.then(() => true)")
    time.sleep(2)
    begun = time.time()
    visit.reload()
    warm = time.time() - begun
    yield "to the first picture", f"{cold:.1f} s cold, {warm:.1f} s warm", "3 s, 1 s"
    visit.rests()
    time.sleep(3)
    times = visit.js("""(async () => { const times = []; for (let i = 0; i < 300; ++i) { const began = performance.now();
        await warplens.act('pad=' + (i % 2)); await new Promise(requestAnimationFrame); await new Promise(r => setTimeout(r, 0));
        times.push(performance.now() - began); await new Promise(r => setTimeout(r, 30)); } return times.sort((a, b) => a - b); })()""")
    yield "padding to picture", f"p50 {times[150]:.0f} ms, p90 {times[270]:.0f} ms, p99 {times[297]:.0f} ms", "p99 33 ms"
    brute = visit.js("""(async () => { const n = 512, began = performance.now();
        const report = await warplens.report(`warplens:sgemm_naive?m=${n}&n=${n}&k=${n}`, {bruteForce: true});
        const all = Object.values(report.totals).flatMap(of => Object.values(of)).reduce((sum, of) => sum + (of.requests ?? 0), 0);
        return all / (performance.now() - began) * 1000; })()""")
    yield "brute force, one thread", f"{brute / 1e6:.1f} million accesses a second", "20 million"
    product = "warplens.report('warplens:sgemm_naive?m=4096&n=4096&k=4096')"
    big = visit.js(f"(async () => {{ const began = performance.now(); await {product}; return performance.now() - began; }})()")
    yield "naive product of 4096 × 4096, the whole grid", f"{big / 1000:.2f} s", "0.2 s"
    before, _, after = lecture(visit)
    total = after["reserved"] + after["script"]
    yield "memory of the page", f"{total / 1e6:.0f} MB, {after['used'] / 1e6:.0f} MB of it in use", "300 MB"
    yield "a lecture of 2,000 steps", f"{(after['used'] - before['used']) / 1e3:+.0f} kB", "no growth"


def check_figures(browser, url):
    rows = list(rows_of(browser, url))
    table = "| | measured | to be reached |\n|---|---|---|\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return "\n" + table


def write(table):
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    DOCUMENT.write_text(before + BEGIN + table.lstrip() + END + rest.split(END)[1], encoding="utf-8")
