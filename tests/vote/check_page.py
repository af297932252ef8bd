#!/usr/bin/env python3
"""The page that phones open, in Chromium without what browsers learned after 2016, in every phase and kind of question, both
languages, light and dark, 320 and 390 pixels wide: nothing is clipped or hidden, all letters stand out from what is behind
them, a screen reader hears a name for everything and what is chosen, and the page is one request.

    check_page.py PAGE.html [PICTURES]

The server is a stand-in that says what the class is in the middle of; the real one's tests are server_test.cpp."""
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import threading
import time

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parent / "web"), str(here.parent / "app")]
from browser import Browser  # noqa: E402
from window_driver import end, expect, failures  # noqa: E402

page = pathlib.Path(sys.argv[1]).read_text()
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
if not shutil.which("chromium") or not pathlib.Path("/usr/share/nodejs/acorn").exists() or not shutil.which("node"):
    print("skipped: without chromium and node-acorn the phones' page cannot be looked at")
    sys.exit(77)

LONG = {"en": "How many 32-byte sectors does this request of a whole warp touch, with padding of one float?",
        "zh-CN": "填充一个 float 之后，整个线程束的这个请求会触及多少个 32 字节的扇区？"}
CHOICES = [{"en": "More wavefronts, because two lanes of each half share a bank", "zh-CN": "波前更多，因为每半个线程束有两个通道落在同一存储体"},
           {"en": "Fewer", "zh-CN": "更少"}, {"en": "The same number", "zh-CN": "一样多"}]


def asked(kind, phase, **more):
    return {"phase": phase, "ballot": f"{kind}-{phase}", "question": LONG, "kind": kind, **more}


NUMBERS = {"least": 0, "most": 999_999_999}
KINDS = {"number": NUMBERS, "choice": {"choices": CHOICES}, "lane": {"places": 32}, "bank": {"places": 32}, "sector": {"places": 4}}
TOLD = {"truth": 1, "first": [[0, 41], [1, 230], [2, 5]], "second": [[1, 271]]}
STATES = {"code": {"phase": "code"}, "wait": {"phase": "wait"}}
for kind, more in KINDS.items():
    STATES[f"{kind}-first"] = asked(kind, "first", **more)
    STATES[f"{kind}-voted"] = asked(kind, "second", mine=1, **more)
STATES["number-long"] = asked("number", "first", mine=-123456789, least=-999_999_999, most=999_999_999)
STATES["choice-talk"] = asked("choice", "talk", choices=CHOICES, mine=0)
STATES["bank-hands"] = asked("bank", "hands", places=32)
for kind in ("number", "choice", "lane"):
    STATES[f"{kind}-shown"] = asked(kind, "shown", **KINDS[kind], mine=0, **TOLD)

# What came after 2016 is not there.
OLD = """for (const [of, names] of [[window, ['WebAssembly', 'fetch', 'BigInt', 'globalThis', 'AbortController', 'URLSearchParams',
  'IntersectionObserver', 'ResizeObserver', 'customElements', 'structuredClone', 'queueMicrotask', 'requestIdleCallback', 'WeakRef', 'Atomics']],
  [Object, ['entries', 'values', 'fromEntries', 'getOwnPropertyDescriptors']], [Promise.prototype, ['finally']],
  [Promise, ['allSettled', 'any']], [String.prototype, ['padStart', 'padEnd', 'trimStart', 'trimEnd', 'replaceAll', 'matchAll', 'at']],
  [Array.prototype, ['flat', 'flatMap', 'at', 'findLast']], [NodeList.prototype, ['forEach', 'entries']],
  [Element.prototype, ['append', 'prepend', 'before', 'after', 'replaceWith', 'replaceChildren', 'toggleAttribute', 'closest']]])
  for (const name of names) { delete of[name]; if (of === window) window[name] = undefined; }"""
# Of what is seen: what is cut off, what is outside, what is faint.
LOOK = """(function () {
  function light(c) { return c.slice(0, 3).map(function (v) { v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); })
    .reduce(function (sum, v, i) { return sum + v * [0.2126, 0.7152, 0.0722][i]; }, 0); }
  function color(text) { return (text.match(/[0-9.]+/g) || [0, 0, 0, 0]).map(Number); }
  function behind(e) { for (; e; e = e.parentElement) { var c = color(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; }
  var wrong = [], seen = 0;
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('wider than the phone: ' + document.documentElement.scrollWidth);
  Array.prototype.forEach.call(document.querySelectorAll('main *, header *'), function (e) {
    var box = e.getBoundingClientRect(), own = Array.prototype.filter.call(e.childNodes, function (n) { return n.nodeType === 3 && n.data.trim(); }).length;
    if (box.width === 0 || box.height === 0) return;
    if (box.left < -0.5 || box.right > innerWidth + 0.5) wrong.push(e.tagName + ' is outside: ' + e.textContent);
    if ((own || e.tagName === 'BUTTON') && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline') wrong.push(e.tagName + ' is clipped: ' + e.textContent);
    if (e.tagName === 'BUTTON' && (box.height < 40 || box.width < 28)) wrong.push('too small for a finger: ' + e.textContent);
    if (!own) return;
    seen += 1;
    var a = light(color(getComputedStyle(e).color)), b = light(behind(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong.push('faint, ' + ratio.toFixed(1) + ': ' + e.textContent);
    if (parseFloat(getComputedStyle(e).fontSize) < 15) wrong.push('small letters: ' + e.textContent);
  });
  if (seen < 2) wrong.push('nothing is there');
  var pad = document.querySelectorAll('.pad button'), last = pad[pad.length - 1];
  if (last && last.getBoundingClientRect().bottom > innerHeight) wrong.push('the last key is below the edge by ' + (last.getBoundingClientRect().bottom - innerHeight));
  return wrong;
})()"""


class Hall(http.server.BaseHTTPRequestHandler):
    state, asked = STATES["wait"], []

    def do_GET(self):
        Hall.asked.append(f"{self.command} {self.path}")
        if self.path == "/":
            policy = ("default-src 'none'; script-src 'nonce-1'; style-src 'nonce-1'; connect-src 'self'; img-src data:; base-uri 'none'; "
                      "form-action 'none'; frame-ancestors 'none'")
            self.send(page.replace("NONCE", "1"), "text/html; charset=utf-8", policy)
        else:
            self.send(json.dumps(Hall.state), "application/json")

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def send(self, text, kind, policy=None):
        text = text.encode()
        self.send_response(403 if Hall.state["phase"] == "code" and kind != "text/html; charset=utf-8" else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        if policy:
            self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        try:
            self.wfile.write(text)
        except BrokenPipeError:
            pass  # the page has gone on

    def log_message(self, *_):
        pass


def heard(phone, name):
    """What a screen reader is given: a name for everything that can be touched, and what is chosen."""
    nodes = phone.do("Accessibility.getFullAXTree")["nodes"]
    role = lambda node: node.get("role", {}).get("value")
    buttons = [node for node in nodes if role(node) == "button" and not node.get("ignored")]
    for node in buttons + [node for node in nodes if role(node) == "textbox" and not node.get("ignored")]:
        expect(node.get("name", {}).get("value", "").strip(), f"{name}: a {role(node)} has no name")
    pressed = [node for node in buttons for p in node.get("properties", []) if p["name"] == "pressed" and p["value"].get("value") == "true"]
    if name.endswith("voted") and not name.startswith("number"):
        expect(len(pressed) == 1, f"{name}: {len(pressed)} answers are told as chosen")
    live = phone.run("Array.prototype.map.call(document.querySelectorAll('[aria-live], [role=status], output'), function (e) { return e.textContent; }).join('|')")
    if Hall.state["phase"] not in ("code",):
        expect(live.strip("| \n"), f"{name}: a change of phase is not told")
    return len(buttons)


def look(phone, name, lang, shape):
    phone.run("document.getElementById('lang').click()") if phone.run("document.documentElement.lang") != lang else None
    ready = {"code": "!document.getElementById('code').hidden"}.get(name, "document.getElementById('about').textContent !== ''")
    expect(phone.wait(f"document.documentElement.lang === '{lang}' && ({ready})"), f"{name}: the page does not follow")
    seen = phone.run(LOOK)
    for wrong in ["the page was not looked at"] if seen is None else seen:
        failures.append(f"{name}, {lang}, {shape}: {wrong}")
    buttons = heard(phone, name)
    if name.startswith(("lane", "bank")) and Hall.state["phase"] in ("first", "second"):
        expect(buttons == 33, f"{name}: {buttons} buttons, 32 places and the language")
    if pictures:
        phone.picture(pictures / f"{name}-{lang}-{shape}.png")


def walk(browser, url, width, height, dark):
    phone = browser.page()
    phone.listen()
    phone.do("Page.addScriptToEvaluateOnNewDocument", source=OLD)
    phone.do("Accessibility.enable")
    for name, state in STATES.items():
        Hall.state, Hall.asked = state, []
        phone.run("window.before = true")
        phone.open(url, width, height, "en", dark)
        expect(phone.wait("!window.before && document.getElementById('lang') && document.getElementById('lang').textContent"), f"{name}: no page")
        for lang in ("en", "zh-CN"):
            look(phone, name, lang, f"{width}-{'dark' if dark else 'light'}")
        others = [one for one in Hall.asked if one.split()[1] not in ("/state",)]
        expect(others == ["GET /"], f"{name}: the page is more than one request: {others}")
    expect(phone.run("typeof WebAssembly + typeof window.fetch") == "undefinedundefined", "the browser was not as in 2016")
    phone.do("Page.navigate", url="about:blank")  # it asks no more
    problems = [one for one in phone.problems if "status of 403" not in one]  # who has not joined is told so
    expect(not problems, f"the browser reports: {problems}")


def sleep(browser, url):
    """A phone that sleeps asks nothing; awake it is where the class is, and what was chosen last counts."""
    phone = browser.page()
    Hall.state = STATES["bank-first"]
    phone.open(url, 390, 844, "en", False)
    expect(phone.wait("document.querySelectorAll('.places button').length === 32"), "the banks are there")
    hide = "Object.defineProperty(document, 'hidden', {configurable: true, value: %s}); document.dispatchEvent(new Event('visibilitychange'))"
    phone.run(hide % "true")
    time.sleep(2)
    Hall.state, Hall.asked = STATES["choice-voted"], []
    time.sleep(4)
    expect(Hall.asked == [], f"a sleeping phone asks: {Hall.asked}")
    phone.run(hide % "false")
    expect(phone.wait("document.querySelectorAll('.choices button').length === 3"), "an awakened phone is where the class is")


grammar = subprocess.run(["node", here / "phone.js", sys.argv[1]], capture_output=True, text=True)
print(grammar.stdout, end="")
expect(grammar.returncode == 0, grammar.stdout + grammar.stderr)
expect(len(page.encode()) <= 50_000, f"the page has {len(page.encode())} bytes")
if pictures:
    pictures.mkdir(parents=True, exist_ok=True)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hall)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_address[1]}/"
browser = Browser()
try:
    for width, height, dark in ((320, 568, True), (390, 844, False)):
        walk(browser, address, width, height, dark)
    sleep(browser, address)
finally:
    browser.close()
end(f"{len(STATES)} states of the page in two languages and two sizes")
