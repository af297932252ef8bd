#!/usr/bin/env python3
"""check.py SITE BINARIES [--write] [CHECK...]: the site in Chromium, beside the programs of the desktop. Each check opens a
page of its own and says what it saw. --write: what is measured goes into docs/browser.md."""
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import alike  # noqa: E402
import embedded  # noqa: E402
import faults  # noqa: E402
import figures  # noqa: E402
import shares  # noqa: E402
from browser import Browser  # noqa: E402
from visit import SITE, Failed, READY, Visit, desktop, need, serve  # noqa: E402

# The page is told that it goes; whether what the browser keeps of it then holds the words.
KEPT = """dispatchEvent(new Event('pagehide')), new Promise(done => {
  const opening = indexedDB.open('warplens');
  opening.onerror = () => done(false);
  opening.onsuccess = () => {
    if (!opening.result.objectStoreNames.contains('files')) return done(false);
    const all = opening.result.transaction('files').objectStore('files').getAll();
    all.onsuccess = () => done(all.result.some(bytes => new TextDecoder().decode(bytes).includes('%s')));
    opening.result.close();
  };
})"""
BOMB = """__global__ void bomb(float* out) {
  float x = 0;
  for (int i = 0; i < 2000000000; ++i) x += out[i * 7919 % 1024];
  out[threadIdx.x] = x;
}
"""


def check_opens(browser, url):
    visit = Visit(browser, url)
    state = visit.rests()
    need(state["scenario"] == "transpose_naive_row", state["scenario"])
    need(visit.js("document.getElementById('cover').hidden") is True, "the cover stays")
    visit.until(lambda _: "32" in (visit.js("document.getElementById('spoken').textContent") or ""), "what is spoken")
    visit.clean()
    return visit.js("document.getElementById('spoken').textContent")


def check_links(browser, url):
    visit = Visit(browser, url)
    for name in alike.scenarios():
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
    return f"{len(alike.scenarios())} scenarios there and back"


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
    before, begun = visit.js("window.ticks"), time.monotonic()
    need(visit.page.wait(f"window.ticks > {before} + 20"), "no frame goes on beside a kernel that does not end")
    lasted = time.monotonic() - begun
    need(visit.state()["seen"]["busy"] or visit.state()["seen"]["halted"], "the kernel came to its end meanwhile: that shows nothing")
    visit.key("Escape")
    visit.until(lambda s: s["seen"]["halted"] or not s["seen"]["busy"], "the end of it")
    need(visit.act("warplens:copy") == {"ok": True}, "what comes after")
    visit.until(lambda s: s["scenario"] == "copy" and s["seen"]["fresh"], "the next kernel")
    return f"twenty frames in {lasted:.1f} s"


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
        need(visit.page.wait(f"(document.fullscreenElement !== null) === {str(full).lower()}"), f"three fingers, full screen: {full}")
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
    need(visit.page.wait("navigator.serviceWorker.ready.then(() => true)"), "no service worker")
    need(visit.page.wait("caches.keys().then(k => k.length === 1)"), "its files are not kept")
    server.shutdown()
    server.server_close()
    visit.reload()
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
    need(visit.page.wait(KEPT % "// mine"), "the browser does not keep the text of a page that goes")
    visit.page.do("Page.navigate", url="about:blank")
    visit.page.do("Page.navigate", url=url + "?again#transpose_naive_row")
    need(visit.page.wait(READY), "not ready again")
    notice = visit.until(lambda s: s["seen"].get("notice"), "the offer")["seen"]["notice"]
    return notice["key"]


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


def main():
    checks = {name[6:]: run for of in (globals(), *map(vars, (alike, embedded, faults, shares, figures)))
              for name, run in of.items() if name.startswith("check_")}
    writes = "--write" in sys.argv
    chosen = [name for name in sys.argv[3:] if not name.startswith("--")] or list(checks)
    unknown = [name for name in chosen if name not in checks]
    if unknown:
        sys.exit(f"there is no check {unknown[0]}; there are " + ", ".join(checks))
    _, url = serve(SITE)
    browser, failed = None, []
    for name in chosen:
        begun = time.monotonic()
        try:
            browser = browser or Browser(draws=True)
            said = checks[name](browser, url)
            print(f"{name}: {said} ({time.monotonic() - begun:.0f} s)", flush=True)
            if name == "figures" and writes:
                figures.write(said)
        except Exception as wrong:  # whatever it is, the others run; one that no longer answers is not asked again
            failed.append(name)
            print(f"{name}: FAILED: {wrong if isinstance(wrong, Failed) else repr(wrong)}", flush=True)
            if browser and not isinstance(wrong, Failed):
                browser = browser.close()
    if browser:
        browser.close()
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


main()
