"""What goes wrong around the page, and what it may not do to the pages around it."""
import json

from embedded import Around
from visit import READY, Visit, need


# A notice goes after eight seconds: here it stays, since a slow machine may take longer than that to the first picture.
NOTICES_STAY = "{ const later = setTimeout; window.setTimeout = (f, ms, ...rest) => later(f, ms === 8000 ? 1e9 : ms, ...rest); }"


def check_wrong_link(browser, url):
    """A link that is none: the app opens all the same, and says what is wrong with it."""
    told = []
    for link in ("nothing_like_it", "transpose_shared?pad=99999", "%E0%A4%A"):
        visit = Visit(browser, url + "worker.js", ready=False)
        visit.page.do("Page.addScriptToEvaluateOnNewDocument", source=NOTICES_STAY)
        visit.page.do("Page.navigate", url=f"{url}#{link}")
        need(visit.page.wait(READY), f"{link}: the page is never ready")
        need(visit.rests()["scenario"] == "transpose_naive_row", link)
        told.append(visit.js("document.getElementById('notice').hidden ? '' : document.getElementById('notice').textContent"))
        need(told[-1], f"nothing is said of {link}")
    return told[0]


def check_lost_picture(browser, url):
    """A driver that starts anew leaves no black canvas without a word."""
    visit = Visit(browser, url)
    visit.rests()
    visit.js("document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
    need(visit.page.wait("!document.getElementById('cover').hidden"), "nothing is said")
    return visit.js("document.getElementById('loading').textContent").splitlines()[0]


def refuses(browser, url, lacks, name):
    """A browser that lacks something is told so in both languages, and ready tells scripts."""
    visit = Visit(browser, url + "worker.js", ready=False)
    visit.page.do("Page.addScriptToEvaluateOnNewDocument", source=lacks)
    visit.page.do("Page.navigate", url=url)
    need(visit.page.wait(f"document.getElementById('loading')?.textContent.includes('{name}')"), "nothing is said")
    words = visit.js("document.getElementById('loading').textContent").splitlines()
    need(len(words) == 2 and all(name in line for line in words), str(words))
    chinese = [any("\u4e00" <= c <= "\u9fff" for c in line) for line in words]
    need(chinese == [False, True], str(words))
    need(visit.js("document.getElementById('cover').hidden") is False and visit.js("document.getElementById('progress').hidden") is True,
         "it looks as if it still loads")
    need(visit.js("warplens.ready.then(() => 'ready', () => 'refused')") == "refused", "it says that it is ready")
    return words[0]


def check_no_webgl(browser, url):
    return refuses(browser, url, "HTMLCanvasElement.prototype.getContext = () => null", "WebGL 2")


def check_no_simd(browser, url):
    return refuses(browser, url, "WebAssembly.validate = () => false", "SIMD")


def check_large_file(browser, url):
    visit = Visit(browser, url)
    visit.js("""(() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(65 << 20)], 'much.cu'));
                dispatchEvent(new DragEvent('drop', {dataTransfer: data})); })()""")
    need(visit.page.wait("document.getElementById('notice').textContent.includes('much.cu')"), "nothing is said")
    return visit.js("document.getElementById('notice').textContent")


def check_own_files(browser, url):
    """Ctrl O and the folder's button give the browser's chooser, and what is chosen there is opened."""
    visit = Visit(browser, url)
    visit.rests()
    visit.js("window.chosen = 0; document.querySelector('input[type=file]').addEventListener('click', e => { ++chosen; e.preventDefault(); })")
    visit.page.do("Input.dispatchMouseEvent", type="mouseMoved", x=326, y=93)
    for kind in ("mousePressed", "mouseReleased"):
        visit.page.do("Input.dispatchMouseEvent", type=kind, x=326, y=93, button="left", clickCount=1)
    need(visit.page.wait("chosen === 1"), "no chooser by the button")
    visit.until(lambda s: not s["seen"].get("dialog"), "the program's own list goes")
    visit.key("o", "KeyO", modifiers=2)
    need(visit.page.wait("chosen === 2"), "no chooser by the key")
    visit.until(lambda s: not s["seen"].get("dialog"), "the program's own list goes")
    visit.js("""(() => { const data = new DataTransfer(); data.items.add(new File(['__global__ void mine(float* o) { o[threadIdx.x] = 1; }'], 'mine.cu'));
                const field = document.querySelector('input[type=file]'); field.files = data.files; field.dispatchEvent(new Event('change')); })()""")
    visit.until(lambda s: s.get("own", {}).get("kernel") == "mine", "the chosen kernel")
    cost = visit.js("(async () => { const began = performance.now(); for (let i = 0; i < 50; ++i) await warplens.state(); return (performance.now() - began) / 50; })()")
    return f"by key and by button; {cost:.2f} ms a look"


def check_good_neighbour(browser, url):
    """A figure leaves the keyboard and the wheel to the page around it until it is touched, and keeps nothing."""
    with Around(browser, url, "<body style='margin:0;height:4000px'><iframe id=a src='./?embed#copy' width=480 height=300></iframe>",
                (800, 600)) as around:
        visit, frame = around.visit, "document.getElementById('a').contentWindow"
        around.at_rest()
        need(visit.js("document.activeElement === document.body"), "the figure takes the keyboard")
        visit.page.do("Input.dispatchMouseEvent", type="mouseWheel", x=200, y=150, deltaX=0, deltaY=240)
        need(visit.page.wait("scrollY > 0"), "the wheel over the figure does not scroll the page")
        visit.js(f"{frame}.dispatchEvent(new {frame}.Event('pagehide'))")
        kept = visit.js("indexedDB.databases().then(all => all.map(d => d.name))")
        need(kept == [], f"the figure keeps {kept}")
        visit.js("scrollTo(0, 0)")
        for kind in ("mousePressed", "mouseReleased"):
            visit.page.do("Input.dispatchMouseEvent", type=kind, x=200, y=150, button="left", clickCount=1)
        need(visit.page.wait("document.activeElement.id === 'a'"), "a click does not give it the keyboard")
    return "keyboard and wheel stay with the page around"


def check_other_sites(browser, url):
    """The files that another site of the same server has kept stay; an older version's of this one go."""
    visit = Visit(browser, url + "worker.js", ready=False)
    other, old = f"warplens {url}other/ 1", f"warplens {url} 1"
    need(visit.page.wait(f"Promise.all([caches.open({json.dumps(other)}), caches.open({json.dumps(old)})]).then(() => true)"), "no caches")
    visit.page.do("Page.navigate", url=url)
    need(visit.page.wait("navigator.serviceWorker?.ready.then(() => true)"), "no service worker")
    visit.page.wait(f"caches.keys().then(names => !names.includes({json.dumps(old)}))")
    names = visit.js("caches.keys()")
    need(other in names and old not in names and len(names) == 2, str(names))
    return f"{len(names)} sites"
