#!/usr/bin/env python3
"""A lesson held in a real window with three phones in Chromium and 497 simulated ones: pictures of the stage and of the phones in
every phase, and how fast 500 phones are answered; then with hostile requests and slow connections beside them.

    hold_lesson.py PROGRAM FOLDER

Nothing of time is asserted: the figures are printed. That every vote counts once, and no page reports a fault, is."""
import asyncio
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "app"))
from window_driver import App, display, picture  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "web"))
from browser import Browser  # noqa: E402

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)
failures = []
SIMULATED = 497


def expect(holds, what):
    if not holds:
        failures.append(what)


def vote(state):
    return state["seen"]["vote"]


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1000


class Crowd:
    """Phones that keep a connection, as browsers do."""

    def __init__(self, url):
        at = urllib.parse.urlparse(url)
        self.host, self.port, self.code, self.times = at.hostname, at.port, at.fragment, []
        self.cookies = []

    async def ask(self, reader, writer, method, path, cookie="", body=""):
        text = (f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n" + (f"Cookie: {cookie}\r\n" if cookie else "") +
                (f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n" if method == "POST" else "") +
                "\r\n" + body)
        begin = time.perf_counter()
        writer.write(text.encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.split("Content-Length: ")[1].split("\r\n")[0])
        answer = await reader.readexactly(length)
        self.times.append(time.perf_counter() - begin)
        return int(head.split()[1]), head, answer

    async def connect(self):
        return await asyncio.open_connection(self.host, self.port)

    async def join(self, within):
        await asyncio.sleep(random.uniform(0, within))
        reader, writer = await self.connect()
        await self.ask(reader, writer, "GET", "/")
        status, head, _ = await self.ask(reader, writer, "POST", "/join", body=f"code={self.code}")
        expect(status == 200, f"a simulated phone joins: {status}")
        self.cookies.append(head.split("Set-Cookie: ")[1].split(";")[0])
        writer.close()

    async def phone(self, cookie, answer, within):
        reader, writer = await self.connect()
        until, due, done = time.time() + within + 1, time.time() + random.uniform(0, within), False
        while time.time() < until or not done:
            status, _, text = await self.ask(reader, writer, "GET", "/state", cookie)
            if not done and time.time() >= due:
                ballot = json.loads(text)["ballot"]
                for one in (random.randrange(40), answer):  # it thinks again
                    status, _, _ = await self.ask(reader, writer, "POST", "/vote", cookie, f"ballot={ballot}&answer={one}")
                    expect(status == 200, f"a simulated phone votes: {status}")
                done = True
            await asyncio.sleep(1.2 * random.uniform(0.8, 1.2))
        expect(done, "a simulated phone came to vote")
        writer.close()

    async def all_join(self, count, within):
        await asyncio.gather(*[self.join(within) for _ in range(count)])

    async def all_vote(self, answers, within):
        await asyncio.gather(*[self.phone(cookie, answer, within) for cookie, answer in zip(self.cookies, answers)])

    async def hostile(self, count):
        """Requests that are broken, too long, or guess the code; and connections that say nothing."""
        slow = [await self.connect() for _ in range(200)]
        for _, writer in slow[::2]:
            writer.write(b"GET /st")
        broken = [b"GET / HTTP/1.1\r\nHost: evil\r\n\r\n", b"\x16\x03\x01\x00", b"GET /" + b"a" * 3000 + b" HTTP/1.1\r\n\r\n",
                  b"POST /vote HTTP/1.1\r\nHost: %s:%d\r\nContent-Length: 999999\r\n\r\n" % (self.host.encode(), self.port),
                  b"POST /join HTTP/1.1\r\nHost: %s:%d\r\nContent-Length: 11\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
                  b"code=000000" % (self.host.encode(), self.port)]

        async def one(i):
            for k in range(count // 50):
                try:
                    reader, writer = await self.connect()
                    writer.write(broken[(i + k) % len(broken)])
                    writer.write_eof()
                    await asyncio.wait_for(reader.read(65536), 10)
                    writer.close()
                except (OSError, asyncio.TimeoutError):
                    pass
        await asyncio.gather(*[one(i) for i in range(50)])
        for _, writer in slow:
            writer.close()


def memory(app):
    status = pathlib.Path(f"/proc/{app.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def told(crowd, what):
    if crowd.times:
        print(f"{what}: {len(crowd.times)} answers, median {percentile(crowd.times, .5):.1f} ms, p99 {percentile(crowd.times, .99):.1f} ms, "
              f"longest {percentile(crowd.times, 1):.1f} ms", flush=True)
    crowd.times = []


def press(page, label):
    return page.run("(function () { var all = document.querySelectorAll('#answers button'); for (var i = 0; i < all.length; i += 1) "
                    f"if (all[i].textContent.trim() === {json.dumps(label)}) {{ all[i].click(); return true; }} return false; }})()")


def hold(app, browser, lang, theme):
    app.key("F5", lambda s: s["present"], "F5 presents")
    app.settle()
    before = memory(app)
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    url = vote(app.state)["url"]
    phones = [browser.page() for _ in range(3)]
    sizes = [(390, 844, lang, False), (390, 844, "zh-CN" if lang == "en" else "en", True), (320, 568, lang, theme == "dark")]
    for phone, (width, height, language, dark) in zip(phones, sizes):
        phone.open(url, width, height, language, dark)
    for phone in phones:
        expect(phone.wait("document.querySelectorAll('.pad button').length === 12"), "the number pad is there")

    def shoot(phase):
        picture(out, f"{lang}-{theme}-stage-{phase}")
        for i, phone in enumerate(phones):
            phone.picture(out / f"{lang}-{theme}-phone{i + 1}-{phase}.png")

    crowd = Crowd(url)
    asyncio.run(crowd.all_join(SIMULATED, 10))
    told(crowd, f"{lang}: 497 phones join in 10 s")
    for phone, digits in zip(phones, ("1", "16", "32")):
        for digit in digits:
            expect(press(phone, digit), f"the key {digit} is there")
        expect(phone.wait(f"/{digits}/.test(document.getElementById('said').textContent)"), "the phone says that its vote counts")
    first = [random.choice((1, 2, 16, 32)) for _ in range(SIMULATED)]
    asyncio.run(crowd.all_vote(first, 5))
    told(crowd, f"{lang}: 497 phones vote within 5 s, and ask every 1.2 s")
    app.wait(lambda s: vote(s)["votes"] == 500, "every vote counts once")
    print(f"{lang}: {memory(app) - before:.1f} MB more than before", flush=True)
    shoot("1-first")
    app.key("Return", lambda s: vote(s)["phase"] == "discussion", "closed")
    for phone in phones:
        phone.wait("document.querySelectorAll('.pad button').length === 0")
    shoot("2-talk")
    app.key("Return", lambda s: vote(s)["phase"] == "second", "the second vote")
    for phone in phones:
        expect(phone.wait("document.querySelectorAll('.pad button').length === 12"), "the number pad is there again")
        expect(press(phone, "1") and press(phone, "6"), "the phone votes again")

    async def under_fire():
        second = [random.choice((16, 16, 16, 1)) for _ in range(SIMULATED)]
        await asyncio.gather(crowd.all_vote(second, 5), crowd.hostile(10_000))
        return second
    second = asyncio.run(under_fire())
    told(crowd, f"{lang}: the same beside 10,000 hostile requests and 200 slow connections")
    app.wait(lambda s: vote(s)["votes"] == 500, "every vote counts once")
    shoot("3-second")
    app.key("Return", lambda s: vote(s)["phase"] == "revealed", "revealed")
    app.settle()
    counts = {name: dict(map(tuple, vote(app.state)[name])) for name in ("first", "second")}
    for name, answers, own in (("first", first, [1, 16, 32]), ("second", second, [16, 16, 16])):
        wanted = {}
        for answer in answers + own:
            wanted[answer] = wanted.get(answer, 0) + 1
        expect(counts[name] == wanted, f"{name}: {counts[name]}, wanted {wanted}")
    for phone in phones:
        expect(phone.wait("document.querySelector('tr.truth') !== null"), "the phone shows the truth")
    shoot("4-revealed")
    app.key("Return", lambda s: "phase" not in vote(s), "the round ends")
    # A bank to tap.
    app.do("key", "Escape"), app.do("key", "F9"), app.do("key", "Tab")
    app.key("ctrl+F9", lambda s: vote(s).get("phase") == "first", "the class is asked for a bank")
    for phone in phones:
        expect(phone.wait("document.querySelectorAll('.places button').length === 32"), "32 banks are there")
        expect(phone.run("document.documentElement.scrollWidth <= window.innerWidth"), "nothing is wider than the phone")
        press(phone, "5")
        expect(phone.wait("/✓/.test(document.getElementById('said').textContent)"), "the bank counts")
    shoot("5-bank")
    app.key("r", lambda s: vote(s)["phase"] == "revealed", "revealed")
    app.key("Return", lambda s: "phase" not in vote(s), "the round ends")
    for phone in phones:
        expect(not phone.problems, f"the browser reports: {phone.problems}")
    return phones


with display(pathlib.Path(tempfile.mkdtemp(prefix="warplens_hall_"))):
    for lang, theme in (("en", "dark"), ("zh-CN", "light")):
        browser = Browser()
        app = App(program, out / "state.json", failures, "transpose_shared", "--lang", lang, "--theme", theme)
        hold(app, browser, lang, theme)
        app.process.terminate(), app.process.wait()
        browser.close()
print("\n".join(failures) or "the lesson was held")
sys.exit(1 if failures else 0)
