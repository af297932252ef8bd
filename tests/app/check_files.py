#!/usr/bin/env python3
"""Nothing of a person's is lost or written over, in a real window: texts that are not saved outlive any end, a name that a
session brings is not written to unasked, a window that can keep nothing says so and asks before it closes, and two windows
keep what was done in both.   check_files.py WARPLENS"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from window_driver import PATIENCE, App, display, until  # noqa: E402

signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a shell it is ignored, by children too
program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_files_"))
state_folder = folder / "state" / "warplens"
failures = []
KERNEL = "__global__ void %s(float* out) {\n  out[threadIdx.x] = 1;\n}\n"
SMALL = ("--size", "900x560")


def expect(what, is_so):
    if not is_so:
        failures.append(what)


def recoveries():
    return sorted(state_folder.glob("recovery-*.warplens.json"))


def kept(words):
    return any(words in path.read_text() for path in recoveries())


def edit(app, words):
    app.key("e", lambda s: s["editing"], "E edits")
    app.key("ctrl+Home", lambda s: True, "to the beginning", already=True)
    app.do("type", words)
    return app.wait(lambda s: s.get("text", "").startswith(words), f"typing {words}")


def bring_back(app, words):
    """The last word of the line below the top bar, clicked on; a click counts when the button is let go."""
    app.press(825, 60)
    app.wait(lambda s: words in s.get("text", ""), f"{words} is brought back")


def steady_typing_and_signals():
    mine = folder / "mine.cu"
    mine.write_text(KERNEL % "mine")
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        app = App(program, folder / "s.json", failures, *SMALL, str(mine))
        words = f"//{number.name} "
        edit(app, words)
        if number == signal.SIGTERM:  # kept while keys come without a rest
            def typed():
                app.do("type", "--delay", "80", "and so on and on and on ")
                return kept(words + "and so on")
            expect("typing without a rest was not kept", until(typed, pause=0))
        app.do("type", "last")
        app.wait(lambda s: "last" in s["text"], "the last word")
        app.process.send_signal(number)
        expect(f"{number.name}: ended otherwise", app.process.wait(PATIENCE) == -number)
        expect(f"{number.name}: the last word was lost", any("last" in p.read_text() and words in p.read_text()
                                                            for p in recoveries()))
    expect(f"of three texts {len(recoveries())} are kept", len(recoveries()) == 3)
    expect("the file was written", mine.read_text() == KERNEL % "mine")


def recovery_in_turn():
    """The three of before, one after the other; what is thought of them is the person's."""
    app = App(program, folder / "s.json", failures, *SMALL)
    expect("it is not offered", app.state["seen"].get("notice", {}).get("key") == "files.recover.more")
    edit(app, "//another ")  # touches none of them
    until(lambda: kept("//another "))
    expect("a text was dropped unasked", len(recoveries()) == 4)
    app.process.kill()
    app.process.wait()
    app = App(program, folder / "s.json", failures, *SMALL)
    expect("four are not offered", app.state["seen"].get("notice", {}).get("words") == "4")
    bring_back(app, "//another ")
    bring_back(app, "//SIGINT ")
    app.key("ctrl+s", lambda s: s["seen"]["dialog"]["saving"], "the name came with it: it is asked for")
    app.key("Return", lambda s: s["seen"]["dialog"]["trouble_key"] == "files.exists", "and whether it is replaced")
    app.key("Return", lambda s: s["seen"]["notice"]["key"] == "files.saved" and not s["seen"]["edited"], "saved")
    app.quit()
    expect("what was saved is kept, or what was not is not", len(recoveries()) == 3)
    expect("the saved text is not in its file", (folder / "mine.cu").read_text().startswith("//SIGINT last"))
    for path in recoveries():
        path.unlink()


def a_name_in_a_session():
    precious = folder / "precious.cu"
    precious.write_text("# precious\n")
    precious.chmod(0o600)
    session = folder / "homework.warplens.json"
    session.write_text(json.dumps({
        "schema": "warplens.session/1", "scenario": "k", "text": "#if 0\ntouch trap\n#endif\n" + KERNEL % "k",
        "own": {"file": str(precious), "kernel": "k", "fields": {"grid.x": "1", "block.x": "32"}}}))
    app = App(program, folder / "s.json", failures, *SMALL)
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O")
    app.do("type", str(session))
    app.key("Return", lambda s: s["own"]["file"] == str(precious), "the session opens")
    app.key("ctrl+s", lambda s: s["seen"]["dialog"]["saving"], "Ctrl+S asks for a name")
    app.key("Return", lambda s: s["seen"]["dialog"]["trouble_key"] == "files.exists", "Enter asks")
    expect("the question names another file", app.state["seen"]["dialog"]["trouble"] == str(precious))
    expect("the file was written unasked", precious.read_text() == "# precious\n")
    app.key("Return", lambda s: s["seen"]["notice"]["key"] == "files.saved", "Enter again replaces it")
    expect("mode 0600 was not kept", precious.stat().st_mode & 0o7777 == 0o600)
    link = folder / "link.cu"
    (folder / "real.cu").write_text(KERNEL % "real")
    link.symlink_to("real.cu")
    app.key("ctrl+o", lambda s: "dialog" in s["seen"], "Ctrl+O")
    app.do("type", str(link))
    app.key("Return", lambda s: s["own"]["kernel"] == "real", "through a link")
    edit(app, "//through ")
    app.key("ctrl+s", lambda s: not s["seen"]["edited"], "Ctrl+S through the link")
    expect("the link was replaced", link.is_symlink())
    expect("its target was not written", (folder / "real.cu").read_text().startswith("//through "))
    app.quit()


def nothing_can_be_kept(what, environment, key):
    before = {name: os.environ.get(name) for name in environment}
    for name, value in environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    app = App(program, folder / "s.json", failures, *SMALL)
    edit(app, "//lost? ")
    app.wait(lambda s: s["seen"]["notice"]["key"] == key, f"{what}: the window says so")
    app.key("ctrl+q", lambda s: s["seen"]["notice"]["key"] == "leave.ask", f"{what}: asked before it closes")
    expect(f"{what}: it closed", app.process.poll() is None)
    app.quit()  # once more
    for name, value in before.items():
        if value is not None:
            os.environ[name] = value


def two_windows():
    progress = state_folder / "lessons.json"

    def answered():
        return json.loads(progress.read_text())["lessons"]["padding"]["predictions"] if progress.exists() else {}
    apps = [App(program, folder / f"w{step}.json", failures, *SMALL, "--lesson", "padding", "--lesson-step", str(step))
            for step in (1, 3)]
    windows = apps[0].do("search", "--onlyvisible", "--name", "^Warplens$").split()
    windows = [apps[0].window] + [w for w in windows if w != apps[0].window]
    for app, window, answer in zip(apps, windows, "75"):
        app.do("windowraise", window, "windowfocus", "--sync", window)
        time.sleep(0.5)
        app.do("type", answer)
        app.key("Return", lambda s: True, f"the answer {answer}", already=True)
        until(lambda: len(answered()) > apps.index(app))
    expect(f"of two answers in two windows this is left: {answered()}", len(answered()) == 2)
    for app in apps:
        app.process.terminate()
        app.process.wait(PATIENCE)


with display(folder):
    steady_typing_and_signals()
    recovery_in_turn()
    a_name_in_a_session()
    (folder / "blocked").write_text("no folder")
    nothing_can_be_kept("a state folder that is none", {"XDG_STATE_HOME": str(folder / "blocked")}, "kept.cannot")
    nothing_can_be_kept("no home", {"XDG_STATE_HOME": None, "HOME": None}, "kept.no_home")
    two_windows()

print("\n".join(failures) or "nothing is lost: typing, signals, recovery in turn, names in sessions, two windows")
sys.exit(1 if failures else 0)
