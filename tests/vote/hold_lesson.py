#!/usr/bin/env python3
"""A lesson held in a real window with three phones in Chromium and 497 simulated ones: pictures of the stage and of the phones in
every phase, and how fast 500 phones are answered; then with hostile requests and slow connections beside them.

    hold_lesson.py PROGRAM FOLDER

Nothing of time is asserted: the figures are printed. That every vote counts once, and no page reports a fault, is."""
import asyncio
import json
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "app"))
from window_driver import App, display, picture  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "web"))
from browser import Browser  # noqa: E402
from crowd import Crowd, memory, percentile, vote  # noqa: E402

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)
failures = []
SIMULATED = 497


def expect(holds, what):
    if not holds:
        failures.append(what)


def told(crowd, what):
    if crowd.times:
        print(f"{what}: {len(crowd.times)} answers, median {percentile(crowd.times, .5):.1f} ms, p99 {percentile(crowd.times, .99):.1f} ms, "
              f"longest {percentile(crowd.times, 1):.1f} ms", flush=True)
    crowd.times = []


def frames_of(app, what=""):
    """How long the window's frames took since this was asked last, without what waits for the screen."""
    times = [float(line) / 1000 for line in (out / "frames.txt").read_text().splitlines()]
    new, frames_of.told = times[frames_of.told:], len(times)
    if what and new:
        print(f"{what}: {len(new)} frames, median {percentile(new, .5):.1f} ms, p99 {percentile(new, .99):.1f} ms, longest {', '.join(f'{t * 1000:.1f}' for t in sorted(new)[-3:])} ms", flush=True)


frames_of.told = 0


def press(page, label):
    return page.run("(function () { var all = document.querySelectorAll('#answers button'); for (var i = 0; i < all.length; i += 1) "
                    f"if (all[i].textContent.trim() === {json.dumps(label)}) {{ all[i].click(); return true; }} return false; }})()")


def shoot(phones, name):
    """The stage, and the phones."""
    picture(out, f"{name.replace('#', 'stage')}")
    for i, phone in enumerate(phones):
        phone.picture(out / f"{name.replace('#', f'phone{i + 1}')}.png")


def open_phones(browser, url, lang, theme):
    """Two students read the lecture's language, one the other; one of them in the dark."""
    phones = [browser.page() for _ in range(3)]
    for phone, language, dark in zip(phones, (lang, "zh-CN" if lang == "en" else "en", lang), (False, True, theme == "dark")):
        phone.open(url, 390, 844, language, dark)
    return phones


def hold_steps(browser, lang, theme):
    """Two steps of lessons: one gives choices, the other asks for a lane. Twenty simulated phones beside the three."""
    for name, step, buttons, wrong, right in (("strides", 4, ".choices button", 0, 1), ("warps", 2, ".places button", 5, 21)):
        app = App(program, out / "state.json", failures, "--lesson", name, "--lesson-step", str(step), "--present", "--lang", lang, "--theme", theme)
        app.wait(lambda s: s["seen"]["class"]["lesson"]["answer_known"], "the simulator knows the answer")
        app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
        url = vote(app.state)["url"]
        phones, crowd = open_phones(browser, url, lang, theme), Crowd(url, expect)
        asyncio.run(crowd.all_join(20, 1))
        for phase, said in (("first", (wrong, wrong, right)), ("second", (right, wrong, right))):
            for phone, answer in zip(phones, said):
                expect(phone.wait(f"document.querySelectorAll('{buttons}').length > 2 && "
                                  f"/{'Second|第二次' if phase == 'second' else 'alone|独立'}/.test(document.getElementById('about').textContent)"),
                       "there is something to choose from")
                phone.run(f"document.querySelectorAll('{buttons}')[{answer}].click()")
                expect(phone.wait("/✓/.test(document.getElementById('said').textContent)"), "the phone says that its vote counts")
            asyncio.run(crowd.all_vote([random.choice(said) for _ in range(20)], 1))
            app.wait(lambda s: vote(s)["votes"] == 23, "every vote counts once")
            shoot(phones, f"{lang}-{theme}-#-{name}-{phase}")
            app.key("Return", lambda s: vote(s)["phase"] != phase, "closed")
            if phase == "first":
                app.key("Return", lambda s: vote(s)["phase"] == "second", "the second vote")
        for phone in phones:
            expect(phone.wait("document.querySelector('tr.truth') !== null"), "the phone shows the truth")
        expect(vote(app.state)["truth"] == right, f"{name}: {vote(app.state)}")
        app.settle()
        shoot(phones, f"{lang}-{theme}-#-{name}-revealed")
        for phone in phones:
            expect(not phone.problems, f"the browser reports: {phone.problems}")
            phone.do("Page.navigate", url="about:blank")
        app.process.terminate(), app.process.wait()


def hold(app, browser, lang, theme):
    app.key("F5", lambda s: s["present"], "F5 presents")
    app.settle()
    before = memory(app.process.pid)
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    url = vote(app.state)["url"]
    phones = open_phones(browser, url, lang, theme)
    for phone in phones:
        expect(phone.wait("document.querySelectorAll('.pad button').length === 12"), "the number pad is there")

    crowd = Crowd(url, expect)
    frames_of(app)  # those of the opening are of a key, and not of phones
    asyncio.run(crowd.all_join(SIMULATED, 10))
    told(crowd, f"{lang}: 497 phones join in 10 s")
    for phone, digits in zip(phones, ("1", "16", "32")):
        for digit in digits:
            expect(press(phone, digit), f"the key {digit} is there")
        expect(phone.wait(f"/{digits}/.test(document.getElementById('said').textContent)"), "the phone says that its vote counts")
    first = [random.choice((1, 2, 16, 32)) for _ in range(SIMULATED)]
    asyncio.run(crowd.all_vote(first, 5))
    told(crowd, f"{lang}: 497 phones vote within 5 s, and ask every 1.2 s")
    frames_of(app, f"{lang}: meanwhile")
    app.wait(lambda s: vote(s)["votes"] == 500, "every vote counts once")
    print(f"{lang}: {memory(app.process.pid) - before:.1f} MB more than before", flush=True)
    shoot(phones, f"{lang}-{theme}-#-1-first")
    app.key("Return", lambda s: vote(s)["phase"] == "discussion", "closed")
    for phone in phones:
        phone.wait("document.querySelectorAll('.pad button').length === 0")
    shoot(phones, f"{lang}-{theme}-#-2-talk")
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
    frames_of(app, f"{lang}: meanwhile")
    app.wait(lambda s: vote(s)["votes"] == 500, "every vote counts once")
    shoot(phones, f"{lang}-{theme}-#-3-second")
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
    shoot(phones, f"{lang}-{theme}-#-4-revealed")
    app.key("Return", lambda s: "phase" not in vote(s), "the round ends")
    # A bank to tap.
    app.do("key", "Escape"), app.do("key", "F9"), app.do("key", "Tab")
    app.key("ctrl+F9", lambda s: vote(s).get("phase") == "first", "the class is asked for a bank")
    for phone in phones:
        expect(phone.wait("document.querySelectorAll('.places button').length === 32"), "32 banks are there")
        expect(phone.run("document.documentElement.scrollWidth <= window.innerWidth"), "nothing is wider than the phone")
        press(phone, "5")
        expect(phone.wait("/✓/.test(document.getElementById('said').textContent)"), "the bank counts")
    shoot(phones, f"{lang}-{theme}-#-5-bank")
    app.key("r", lambda s: vote(s)["phase"] == "revealed", "revealed")
    app.key("Return", lambda s: "phase" not in vote(s), "the round ends")
    for phone in phones:
        expect(not phone.problems, f"the browser reports: {phone.problems}")
    return phones


with display(pathlib.Path(tempfile.mkdtemp(prefix="warplens_hall_"))):
    for lang, theme in (("en", "dark"), ("zh-CN", "light")):
        browser = Browser()
        app = App(program, out / "state.json", failures, "transpose_shared", "--lang", lang, "--theme", theme, "--frame-times", str(out / "frames.txt"))
        frames_of.told = 0
        hold(app, browser, lang, theme)
        app.process.terminate(), app.process.wait()
        hold_steps(browser, lang, theme)
        browser.close()
print("\n".join(failures) or "the lesson was held")
sys.exit(1 if failures else 0)
