#!/usr/bin/env python3
"""check.py SITE BINARIES [CHECK...]: the site in Chromium, beside the programs of the desktop. Each check opens a page of its
own and says what it saw."""
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import faults  # noqa: E402
from browser import Browser  # noqa: E402

SITE, BINARIES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
TREE = pathlib.Path(__file__).resolve().parents[2]
BOMB = """__global__ void bomb(float* out) {
  float x = 0;
  for (int i = 0; i < 2000000000; ++i) x += out[i * 7919 % 1024];
  out[threadIdx.x] = x;
}
"""


class Server(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/"


class Failed(Exception):
    pass


def need(true, words):
    if not true:
        raise Failed(words)


class Visit:
    """A page on the site, that answers in Python."""

    def __init__(self, browser, url, size=(1280, 720), scale=1, mobile=False, ready=True):
        self.page = browser.page()
        self.page.listen()
        self.page.size(*size, scale, mobile)
        self.page.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"},
                                                             {"name": "prefers-color-scheme", "value": "dark"}])
        self.page.do("Page.navigate", url=url)
        if ready:
            need(self.page.wait("typeof warplens === 'object' && warplens.ready.then(() => true)", 60), "the page is never ready")

    def js(self, script):
        return self.page.run(script)

    def state(self):
        return self.js("warplens.state()")

    def act(self, text):
        return self.js(f"warplens.act({json.dumps(text)})")

    def report(self, text=""):
        return self.js(f"warplens.report({json.dumps(text)})")

    def until(self, holds, words, seconds=30):
        end = time.time() + seconds
        while time.time() < end:
            state = self.state()
            if state and holds(state):
                return state
            time.sleep(0.05)
        raise Failed(f"{words}: not within {seconds} s")

    def rests(self):
        return self.until(lambda s: s["seen"]["fresh"] and not s["seen"]["busy"] and s["seen"].get("totals"), "the totals")

    def key(self, name, code="", modifiers=0, text=""):
        for kind in ("keyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key=name, code=code or name, modifiers=modifiers,
                         **({"text": text} if text and kind == "keyDown" else {}))

    def clean(self):
        wrong = [p for p in self.page.problems if "favicon" not in p]
        need(not wrong, "the browser complains: " + "; ".join(wrong[:3]))


def desktop(*arguments):
    done = subprocess.run([BINARIES / "warplens-cli", *arguments], capture_output=True, text=True, cwd=TREE)
    need(done.returncode == 0, " ".join(arguments) + ": " + done.stderr)
    return done.stdout


@functools.cache
def scenarios():
    return [s["name"] for s in json.loads(desktop("list", "scenarios", "--json"))["scenarios"]]


def check_opens(browser, url):
    visit = Visit(browser, url)
    state = visit.rests()
    need(state["scenario"] == "transpose_naive_row", state["scenario"])
    need(visit.js("document.getElementById('cover').hidden") is True, "the cover stays")
    visit.until(lambda _: "32" in (visit.js("document.getElementById('spoken').textContent") or ""), "what is spoken")
    visit.clean()
    return visit.js("document.getElementById('spoken').textContent")


def differences(there, here, at=""):
    """What one document says otherwise than the other, of all that it says."""
    if isinstance(there, dict) and isinstance(here, dict):
        return [d for key, value in there.items() for d in differences(value, here.get(key), f"{at}.{key}")]
    if isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        return [d for i, value in enumerate(there) for d in differences(value, here[i], f"{at}[{i}]")]
    return [] if there == here else [f"{at}: {str(there)[:60]}, not {str(here)[:60]}"]


def check_counts(browser, url):
    """Of every scenario all that a report tells is what the command line tells."""
    visit, wrong, told = Visit(browser, url), [], 0
    for name in scenarios():
        there = visit.report("warplens:" + name)
        need(isinstance(there, dict) and "error" not in there, f"{name}: {there}")
        there.pop("seconds", None)  # of the counting
        told += len(str(there))
        wrong += [name + d for d in differences(there, json.loads(desktop("report", name, "--json")))]
    need(not wrong, f"{len(wrong)} differ: " + "; ".join(wrong[:3]))
    return f"{len(scenarios())} scenarios, {told:,} characters, 0 differ"


def check_links(browser, url):
    visit = Visit(browser, url)
    for name in scenarios():
        answer = visit.act("warplens:" + name)
        need(answer == {"ok": True}, f"{name}: {answer}")
        visit.until(lambda s: s["scenario"] == name and visit.js("location.hash").startswith("#" + name), name)
        link = visit.js("location.hash")
        need(visit.act(url + link) == {"ok": True}, link)
        visit.until(lambda s: s["scenario"] == name, name)
    need("error" in visit.act("warplens:nothing"), "a wrong link is taken")
    other = Visit(browser, url + "#transpose_shared?pad=1!warp=3&access=2&language=zh-CN&theme=light")
    state = other.rests()
    need((state["scenario"], state["values"]["pad"], state["seen"]["warp"], state["seen"]["access"], state["language"], state["theme"]) ==
         ("transpose_shared", 1, 3, 1, "zh-CN", "light"), str(state)[:300])
    other.js("location.hash = '#copy_stride?stride=8'")
    other.until(lambda s: s["scenario"] == "copy_stride" and s["values"]["stride"] == 8, "a new fragment")
    visit.clean(), other.clean()
    return f"{len(scenarios())} scenarios there and back"


def check_lesson(browser, url):
    lesson = json.loads(desktop("list", "lessons", "--json"))["lessons"][0]["name"]
    visit = Visit(browser, f"{url}#copy!lesson={lesson}&step=1")
    state = visit.until(lambda s: s["seen"]["class"].get("lesson"), "the lesson")
    steps = state["seen"]["class"]["lesson"]["steps"]
    need(visit.act("lesson_next") == {"ok": True} or visit.key("PageDown") is None, "the lesson's next step")
    for step in range(1, steps):
        link = f"warplens:copy#lesson={lesson}&step={step + 1}"
        need(visit.act(link) == {"ok": True}, link)
        visit.until(lambda s, step=step: s["seen"]["class"]["lesson"]["step"] == step, f"step {step + 1}")
    visit.clean()
    return f"{lesson}: {steps} steps"


def check_keys(browser, url):
    visit = Visit(browser, url + "#transpose_shared?pad=0!warp=0&access=1")
    visit.rests()
    visit.key("ArrowRight")
    visit.until(lambda s: s["seen"]["access"] == 1, "the next access")
    visit.key("p", "KeyP", text="p")
    visit.until(lambda s: s["values"]["pad"] == 1, "padding")
    visit.key("e", "KeyE", text="e")
    visit.until(lambda s: s["editing"], "the editor")
    visit.page.do("Input.insertText", text="#error 错\n")
    state = visit.until(lambda s: s["seen"]["problems"], "a problem in words")
    visit.clean()
    return state["seen"]["problems"][0]["message"]


def check_bomb(browser, url):
    """A kernel that never ends runs in slices: frames go on, and Escape ends it."""
    visit = Visit(browser, url)
    visit.rests()
    visit.js(f"""warplens.ready.then(() => {{ const data = new DataTransfer(); data.items.add(new File([{json.dumps(BOMB)}], 'bomb.cu'));
             dispatchEvent(new DragEvent('drop', {{dataTransfer: data}})); }})""")
    visit.until(lambda s: "own" in s and s["own"].get("kernel") == "bomb", "the dropped kernel")
    visit.js("window.ticks = 0; (function tick() { ++window.ticks; requestAnimationFrame(tick); })()")
    visit.until(lambda s: s["seen"]["busy"] or s["seen"]["halted"], "the work")
    before = visit.js("window.ticks")
    time.sleep(3)
    frames = visit.js("window.ticks") - before
    visit.key("Escape")
    visit.until(lambda s: s["seen"]["halted"] or not s["seen"]["busy"], "the end of it")
    need(visit.act("warplens:copy") == {"ok": True}, "what comes after")
    visit.until(lambda s: s["scenario"] == "copy" and s["seen"]["fresh"], "the next kernel")
    need(frames > 5, f"{frames} frames in three seconds beside a kernel that does not end")
    return f"{frames} frames in three seconds"


def check_touch(browser, url):
    visit = Visit(browser, url + "#copy_stride?stride=4!access=1", (1024, 768), 2, True)
    visit.page.do("Emulation.setTouchEmulationEnabled", enabled=True)
    visit.rests()

    def touch(kind, when, *points):
        """As a person does it: a page that is busy hears of it later, which changes nothing."""
        visit.page.do("Input.dispatchTouchEvent", type=kind, timestamp=when, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def swipe(x, y, to):
        now = time.time()
        touch("touchStart", now, (x, y))
        for i in range(1, 6):
            touch("touchMove", now + 0.02 * i, (x + (to - x) * i / 5, y))
        touch("touchEnd", now + 0.12)

    def tap(*points, late=0):
        now = time.time()
        touch("touchStart", now, *points)
        time.sleep(late)
        touch("touchEnd", now + 0.1)
    before = visit.state()["seen"]["access"]
    swipe(600, 300, 400)
    visit.until(lambda s: s["seen"]["access"] == before + 1, "a swipe steps")
    tap((240, 17), late=0.7)
    name = visit.until(lambda s: s["scenario"] != "copy_stride", "a tap chooses a rung")["scenario"]
    tap((240, 300), (500, 300))
    for full in (True, False):
        tap((300, 300), (500, 300), (700, 300))
        need(visit.page.wait(f"(document.fullscreenElement !== null) === {str(full).lower()}", 10), f"three fingers, full screen: {full}")
    need(visit.state()["scenario"] == name, "more than one finger is no click")
    visit.clean()
    return f"swiped, tapped {name}, filled the screen"


def check_resize(browser, url):
    visit = Visit(browser, url)
    for size, scale in (((900, 600), 1), ((1600, 900), 1), ((800, 500), 2), ((390, 844), 3)):
        visit.page.size(*size, scale)
        wanted = [size[0] * scale, size[1] * scale]
        visit.until(lambda _: visit.js("[canvas.width, canvas.height]") == wanted, str(wanted))
    visit.rests()
    visit.clean()
    return "four sizes"


def check_offline(browser, _):
    server, url = serve(SITE)
    visit = Visit(browser, url)
    need(visit.page.wait("navigator.serviceWorker.ready.then(() => true)", 60), "no service worker")
    visit.page.wait("caches.keys().then(k => k.length === 1)", 30)
    server.shutdown()
    server.server_close()
    visit.page.do("Page.reload")
    need(visit.page.wait("typeof warplens === 'object' && warplens.ready.then(() => true)", 60), "it does not open without a server")
    visit.rests()
    return "opened without a server"


def check_kept(browser, url):
    """What was not saved is offered when the page opens again."""
    visit = Visit(browser, url + "#copy")
    visit.rests()
    visit.key("F2")
    visit.until(lambda s: s["editing"], "the editor")
    visit.page.do("Input.insertText", text="// mine\n")
    visit.until(lambda s: s["seen"]["edited"], "an edited text")
    time.sleep(3)
    visit.js("dispatchEvent(new Event('pagehide'))")
    time.sleep(0.5)
    visit.page.do("Page.navigate", url="about:blank")
    visit.page.do("Page.navigate", url=url + "?again#transpose_naive_row")
    need(visit.page.wait("typeof warplens === 'object' && warplens.ready.then(() => true)", 60), "not ready again")
    notice = visit.until(lambda s: s["seen"].get("notice"), "the offer")["seen"]["notice"]
    return notice["key"]


def check_embed(browser, url):
    (SITE / "embed-test.html").write_text(f"""<!doctype html><iframe id=a src="./?embed#transpose_shared?pad=0" width=480 height=300></iframe>
<iframe id=b src="./?embed#copy" width=360 height=240 style="margin-top:3000px"></iframe><script src="embed-test.js"></script>""")
    (SITE / "embed-test.js").write_text("""window.heard = []; addEventListener('message', e => heard.push(e.data));
window.ask = m => document.getElementById('a').contentWindow.postMessage({warplens: 1, ...m}, location.origin);""")
    try:
        visit = Visit(browser, url + "embed-test.html", ready=False)
        need(visit.page.wait("window.heard && heard.some(m => m.type === 'ready')", 60), "the frame says nothing")
        asked = 0

        def ask(message):
            nonlocal asked
            asked += 1
            visit.js(f"ask({json.dumps({**message, 'id': asked})})")
            need(visit.page.wait(f"heard.some(m => m.id === {asked})", 30), f"no answer to {message}")
            return visit.js(f"heard.find(m => m.id === {asked})")
        need(ask({"type": "act", "text": "pad=1"}).get("ok") is True, "a parameter")
        need(ask({"type": "state"})["state"]["values"]["pad"] == 1, "the parameter is there")
        need(ask({"type": "link"})["link"].startswith("transpose_shared?"), "the link")
        need("error" in ask({"type": "act", "text": "pad=99"}), "a wrong value")
        need("error" in ask({"type": "format"}), "a wrong type")
        need(ask({"type": "set", "values": {"pad": 2, "nrows": 1024}}).get("ok") is True, "two parameters")
        need("error" in ask({"type": "set", "values": {"pad": 3, "nrows": -1}}), "one of two is wrong")
        values = ask({"type": "state"})["state"]["values"]
        need((values["pad"], values["nrows"]) == (2, 1024), f"all or none: {values}")
        for wrong in ({}, {"values": {}}, {"values": [1]}, {"values": {"pad": {}}}, {"values": {"warplens:copy?x": 1}}, {"values": {"pad": 0.5}}):
            need("error" in ask({"type": "set", **wrong}), f"set {wrong}")
        visit.js("document.getElementById('a').scrollIntoView()")  # it sleeps until it is seen

        def at_rest():
            end = time.time() + 30
            while time.time() < end:
                seen = ask({"type": "state"})["state"]["seen"]
                if seen["fresh"] and "access" in seen:
                    return seen
                time.sleep(0.3)
            raise Failed(f"the frame never rests: {seen}")
        need(ask({"type": "step", "by": -at_rest()["access"]}).get("ok") is True, "to the first access")
        need(ask({"type": "step", "by": 2}).get("ok") is True, "two steps")
        need(at_rest()["access"] == 2, "two accesses on")
        need(ask({"type": "step", "of": "warp"}).get("ok") is True, "a warp")
        need(at_rest()["warp"] == 1, "the next warp")
        for wrong in ({"of": "time"}, {"of": 7}, {"by": 0.5}, {"by": 1001}, {"by": "2"}):
            need("error" in ask({"type": "step", **wrong}), f"step {wrong}")
        need("error" in ask({"type": "act", "text": "x" * (2 << 20)}), "a long text")
        need(ask({"type": "report"})["report"]["schema"] == "warplens.report/1", "the report")
        need(visit.js("document.getElementById('a').contentWindow.location.hash") == "#transpose_shared?pad=0", "its address stays")
    finally:
        for name in ("embed-test.html", "embed-test.js"):
            (SITE / name).unlink()
    return f"{asked} messages"


def check_course_page(browser, url):
    """docs/embed.html: five figures that live, and the controls of its text."""
    visit = Visit(browser, url + "embed.html", (1000, 900), ready=False)
    visit.js("document.getElementById('tile').scrollIntoView()")
    need(visit.page.wait("ready && Promise.all([...ready.values()]).then(() => true)", 120), "five figures are not ready")
    visit.js("document.getElementById('pad').click()")
    need(visit.page.wait("document.getElementById('conflict').textContent.includes('padding 1')", 30), "padding by the page's button")
    words = visit.js("document.getElementById('conflict').textContent")
    visit.js("document.getElementById('stride').value = 8; document.getElementById('stride').dispatchEvent(new Event('input'))")
    need(visit.page.wait("document.getElementById('sectors').textContent.includes('sectors')", 30), "the stride by the page's slider")
    frames = visit.js("document.querySelectorAll('iframe').length")
    need(frames == 5, f"{frames} figures")
    return f"{frames} figures; {words}; {visit.js('document.getElementById(`sectors`).textContent')}"


def check_follow(browser, _):
    """Below /app/ of a class's server the page is where the lecturer is, until a hand is laid on it."""
    place = {"place": "warplens:copy_stride?stride=8#warp=0&access=1"}

    class Hall(Server):
        def do_GET(self):
            if self.path.startswith("/app/"):
                self.path = self.path[4:]
                return super().do_GET()
            text = json.dumps(place).encode()
            self.send_response(200 if self.path == "/place" else 404)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Hall, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    visit = Visit(browser, f"http://127.0.0.1:{server.server_address[1]}/app/")
    visit.until(lambda s: s["scenario"] == "copy_stride" and s["values"]["stride"] == 8, "where the lecturer is")
    place["place"] = "warplens:transpose_shared?pad=1"
    visit.until(lambda s: s["scenario"] == "transpose_shared", "where the lecturer goes")
    visit.key("p", "KeyP", text="p")
    visit.until(lambda s: s["values"]["pad"] == 2, "a try of one's own")
    place["place"] = "warplens:copy"
    time.sleep(2.5)
    need(visit.state()["scenario"] == "transpose_shared", "who has left is not fetched back")
    visit.js("document.getElementById('follow').click()")
    visit.until(lambda s: s["scenario"] == "copy", "back to the lecture")
    server.shutdown()
    return "followed, left, back"


def check_input_method(browser, url):
    """Characters that are composed reach the text once, whole."""
    visit = Visit(browser, url + "#transpose_shared?pad=0")
    visit.rests()
    visit.key("F2")
    visit.until(lambda s: s["editing"], "the editor")
    for part in ("z", "zh", "zho", "zhon", "zhong"):
        visit.page.do("Input.imeSetComposition", text=part, selectionStart=len(part), selectionEnd=len(part))
    need(not visit.state()["seen"]["edited"], "what is being composed is in the text already")
    visit.page.do("Input.insertText", text="中")
    text = visit.until(lambda s: s["seen"]["edited"], "the composed character")["text"]
    need(text.count("中") == 1 and "zhong" not in text, text[:80])
    return text[:20].splitlines()[0]


def check_figures(browser, url):
    begun = time.time()
    visit = Visit(browser, url + "#transpose_shared?pad=0")
    cold = time.time() - begun
    visit.rests()
    visit.page.wait("navigator.serviceWorker.ready.then(() => true)", 60)
    begun = time.time()
    visit.page.do("Page.reload")
    visit.page.wait("typeof warplens === 'object' && warplens.ready.then(() => true)", 60)
    warm = time.time() - begun
    visit.rests()
    time.sleep(3)
    toggles = visit.js("""(async () => { const times = []; for (let i = 0; i < 300; ++i) { const began = performance.now();
        await warplens.act('pad=' + (i % 2)); await new Promise(requestAnimationFrame); await new Promise(r => setTimeout(r, 0));
        times.push(performance.now() - began); } return times.sort((a, b) => a - b); })()""")
    heap = visit.js("performance.memory ? performance.memory.usedJSHeapSize : 0")
    before = visit.js("warplens.memory()")
    visit.js("(async () => { for (let i = 0; i < 2000; ++i) { await warplens.act('access_next'); if (i % 4 === 0) await new Promise(requestAnimationFrame); } })()")
    after = visit.js("warplens.memory()")
    big = visit.js("(async () => { const began = performance.now(); await warplens.report('warplens:sgemm_naive?m=4096&n=4096&k=4096'); return performance.now() - began; })()")
    print(f"  to ready: cold {cold:.2f} s, warm {warm:.2f} s")
    print(f"  padding to picture: p50 {toggles[150]:.1f}, p90 {toggles[270]:.1f}, p99 {toggles[297]:.1f} ms")
    print(f"  memory: {before / 1e6:.0f} MB of WebAssembly, {heap / 1e6:.0f} MB of JavaScript; after 2,000 steps {after / 1e6:.0f} MB")
    print(f"  naive product of 4096 x 4096, compiled and counted: {big:.0f} ms")
    return "reported"


def main():
    checks = {name[6:]: run for name, run in globals().items() if name.startswith("check_")}
    checks |= {name: functools.partial(getattr(faults, name), Visit, need)
               for name in ("wrong_link", "lost_picture", "no_webgl", "large_file", "own_files", "other_sites")}
    checks["good_neighbour"] = functools.partial(faults.good_neighbour, Visit, need, site=SITE)
    chosen = sys.argv[3:] or list(checks)
    unknown = [name for name in chosen if name not in checks]
    if unknown:
        sys.exit(f"there is no check {unknown[0]}; there are " + ", ".join(checks))
    _, url = serve(SITE)
    browser, failed = Browser(draws=True), []
    try:
        for name in chosen:
            try:
                print(f"{name}: {checks[name](browser, url)}", flush=True)
            except Failed as wrong:
                failed.append(name)
                print(f"{name}: FAILED: {wrong}", flush=True)
    finally:
        browser.close()
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


main()
