"""A page of the site that answers in Python, for the checks beside this: check.py says how they are run."""
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import threading

from browser import until

SITE, BINARIES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
TREE = pathlib.Path(__file__).resolve().parents[2]
READY = "typeof warplens === 'object' && warplens.ready.then(() => true)"


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
            need(self.page.wait(READY), "the page is never ready")

    def reload(self):
        """The page anew; what was there before is not taken for it."""
        self.js("window.isOld = true")
        self.page.do("Page.reload")
        need(self.page.wait(f"window.isOld === undefined && {READY}"), "the page is never ready again")

    def js(self, script):
        return self.page.run(script)

    def state(self):
        return self.js("warplens.state()")

    def act(self, text):
        return self.js(f"warplens.act({json.dumps(text)})")

    def report(self, text=""):
        return self.js(f"warplens.report({json.dumps(text)})")

    def until(self, holds, words):
        def look():
            self.seen = self.state()
            return self.seen and holds(self.seen)
        need(until(look), f"{words}: did not happen; {str(self.seen)[:300]}")
        return self.seen

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
