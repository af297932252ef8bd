"""Figures in pages of others: docs/browser.md says what such a page may ask of them."""
import json
import os

from browser import until
from visit import SITE, Failed, Visit, need


class Around:
    """A page with HTML of a lecturer's in it, which hears what the figures say. Its files lie in the site while it is open."""

    def __init__(self, browser, url, html, size=(1280, 720)):
        self.asked = 0
        self.page, self.script = (SITE / f"embed-test-{os.getpid()}.{kind}" for kind in ("html", "js"))
        self.page.write_text(f'<!doctype html>{html}<script src="{self.script.name}"></script>')
        self.script.write_text("""window.heard = []; addEventListener('message', e => heard.push(e.data));
window.ask = m => document.querySelector('iframe').contentWindow.postMessage({warplens: 1, ...m}, location.origin);""")
        try:
            self.visit = Visit(browser, url + self.page.name, size, ready=False)
            need(self.visit.page.wait("window.heard && heard.some(m => m.type === 'ready')"), "the frame says nothing")
        except Failed:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for file in (self.page, self.script):
            file.unlink(missing_ok=True)

    def ask(self, message):
        """What the first figure answers."""
        self.asked += 1
        self.visit.js(f"ask({json.dumps({**message, 'id': self.asked})})")
        need(self.visit.page.wait(f"heard.some(m => m.id === {self.asked})"), f"no answer to {message}")
        return self.visit.js(f"heard.find(m => m.id === {self.asked})")

    def at_rest(self):
        def look():
            seen = self.ask({"type": "state"})["state"]["seen"]
            return seen if seen["fresh"] and "access" in seen else None
        seen = until(look, pause=0.3)
        need(seen, "the frame never rests")
        return seen


def check_embed(browser, url):
    with Around(browser, url, """<iframe id=a src="./?embed#transpose_shared?pad=0" width=480 height=300></iframe>
<iframe id=b src="./?embed#copy" width=360 height=240 style="margin-top:3000px"></iframe>""") as around:
        visit, ask = around.visit, around.ask
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
        need(ask({"type": "step", "by": -around.at_rest()["access"]}).get("ok") is True, "to the first access")
        need(ask({"type": "step", "by": 2}).get("ok") is True, "two steps")
        need(around.at_rest()["access"] == 2, "two accesses on")
        need(ask({"type": "step", "of": "warp"}).get("ok") is True, "a warp")
        need(around.at_rest()["warp"] == 1, "the next warp")
        for wrong in ({"of": "time"}, {"of": 7}, {"by": 0.5}, {"by": 1001}, {"by": "2"}):
            need("error" in ask({"type": "step", **wrong}), f"step {wrong}")
        need("error" in ask({"type": "act", "text": "x" * (2 << 20)}), "a long text")
        need(ask({"type": "report"})["report"]["schema"] == "warplens.report/1", "the report")
        need(visit.js("document.getElementById('a').contentWindow.location.hash") == "#transpose_shared?pad=0", "its address stays")
    return f"{around.asked} messages"


def check_course_page(browser, url):
    """docs/embed.html: five figures that live, and the controls of its text."""
    visit = Visit(browser, url + "embed.html", (1000, 900), ready=False)
    visit.js("document.getElementById('tile').scrollIntoView()")
    need(visit.page.wait("ready && Promise.all([...ready.values()]).then(() => true)"), "five figures are not ready")
    visit.js("document.getElementById('pad').click()")
    need(visit.page.wait("document.getElementById('conflict').textContent.includes('padding 1')"), "padding by the page's button")
    words = visit.js("document.getElementById('conflict').textContent")
    visit.js("document.getElementById('stride').value = 8; document.getElementById('stride').dispatchEvent(new Event('input'))")
    need(visit.page.wait("document.getElementById('sectors').textContent.includes('sectors')"), "the stride by the page's slider")
    frames = visit.js("document.querySelectorAll('iframe').length")
    need(frames == 5, f"{frames} figures")
    return f"{frames} figures; {words}; {visit.js('document.getElementById(`sectors`).textContent')}"


def check_answered(browser, url):
    """A page that embeds a lesson's question hears what was answered, once it is, and whether it is right."""
    with Around(browser, url, '<iframe src="./?embed#shared_column!lesson=padding&step=1" width=800 height=450></iframe>') as around:
        around.at_rest()
        need(not around.visit.js("heard.some(m => m.type === 'answered')"), "an answer before there is one")
        around.visit.page.do("Input.dispatchMouseEvent", type="mousePressed", x=120, y=120, button="left", clickCount=1)
        around.visit.page.do("Input.dispatchMouseEvent", type="mouseReleased", x=120, y=120, button="left", clickCount=1)
        for name, code, text in (("1", "Digit1", "1"), ("6", "Digit6", "6"), ("Enter", "Enter", ""), ("Enter", "Enter", "")):
            around.visit.key(name, code, text=text)
            around.ask({"type": "state"})
        need(around.visit.page.wait("heard.some(m => m.type === 'answered')"), "the answer is not told")
        told = around.visit.js("heard.find(m => m.type === 'answered')")
        need((told["given"], told["answer"], told["right"], told["lesson"], told["step"]) == (16, 32, False, "padding", 1), str(told))
        need("wavefronts" in told["question"], str(told))
    return f"{told['given']} where {told['answer']} is right"


def check_offered(browser, url):
    """The parameters that an author offers are in the picture, and no others."""
    pictures = []
    for controls in ("", "&controls=pad", "&controls="):
        visit = Visit(browser, f"{url}?embed{controls}#transpose_shared?pad=0!access=3", (800, 450))
        visit.until(lambda s: s["seen"]["fresh"], "the picture")
        need(visit.act("nrows=2048") == {"ok": True}, "a script may change what a person is not offered")
        visit.until(lambda s: s["values"]["nrows"] == 2048 and s["seen"]["fresh"] and s["seen"]["window"]["rests"], "a parameter")
        pictures.append(visit.js("document.getElementById('canvas').toDataURL()"))
    need(len(set(pictures)) == 3 and all(len(p) > 5000 for p in pictures), f"{len(set(pictures))} pictures differ of three")
    return "all, one, none"
