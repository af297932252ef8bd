#!/usr/bin/env python3
"""A class votes in a real window: by phones that are simulated, in two votes, by hands, and after the program was killed.

    journey_class.py PROGRAM CLI [PICTURES]     a folder for a picture of every phase, to be looked at"""
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "vote"))
from crowd import Phone, vote  # noqa: E402
from window_driver import App, display, end, expect, failures, picture  # noqa: E402

program, cli = sys.argv[1:3]
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_class_"))


def walk(app):
    app.key("F5", lambda s: s["present"], "F5 presents")
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "Ctrl F9 asks the class")
    phones = [Phone(vote(app.state)["url"], expect) for _ in range(10)]
    expect(phones[0].state()["question"].keys() == {"en", "zh-CN"}, "the question is there in both languages")
    for i, phone in enumerate(phones):
        phone.vote(1 if i < 7 else 32)
    phones[0].vote(2), phones[0].vote(1)
    app.wait(lambda s: vote(s)["votes"] == 10 and vote(s)["joined"] == 10, "ten votes of ten phones are shown")
    expect("first" not in vote(app.state) and "truth" not in vote(app.state), "counts are not told before the reveal")
    expect(app.state["seen"]["class"]["hidden"], "costs are hidden while the class votes")
    picture(pictures, "1-first")
    replayed = phones[0].state()["ballot"]
    app.key("Return", lambda s: vote(s)["phase"] == "discussion", "Enter closes the vote")
    app.settle()
    expect(phones[0].vote(9, replayed) == 409, "a vote after the close is refused")
    picture(pictures, "2-talk")
    app.key("BackSpace", lambda s: vote(s)["phase"] == "first" and vote(s)["votes"] == 10, "Backspace opens it again")
    app.key("Return", lambda s: vote(s)["phase"] == "discussion", "Enter closes it again")
    app.key("Return", lambda s: vote(s)["phase"] == "second" and vote(s)["votes"] == 0, "Enter asks for the second vote")
    app.settle()
    expect(phones[0].vote(9, replayed) == 409, "a request of the first vote is no vote in the second")
    for i, phone in enumerate(phones):
        phone.vote(1 if i < 2 else 16)
    app.wait(lambda s: vote(s)["votes"] == 10, "ten votes once more")
    picture(pictures, "3-second")
    app.key("Return", lambda s: vote(s)["phase"] == "revealed" and not s["seen"]["class"]["hidden"], "Enter reveals")
    app.settle()
    seen = vote(app.state)
    expect(dict(map(tuple, seen["first"])) == {1: 7, 32: 3}, f"the first vote is told: {seen}")
    expect(dict(map(tuple, seen["second"])) == {1: 2, 16: 8}, f"the second vote is told: {seen}")
    expect(seen["truth"] == app.state["seen"]["units"], f"the truth is the simulator's: {seen}")
    expect(phones[3].state()["truth"] == seen["truth"], "phones are told the truth")
    picture(pictures, "4-revealed")
    app.key("BackSpace", lambda s: vote(s)["phase"] == "second" and s["seen"]["class"]["hidden"], "the reveal is taken back")
    app.key("r", lambda s: vote(s)["phase"] == "revealed", "R reveals")
    app.key("Return", lambda s: "phase" not in vote(s), "Enter ends the round")
    app.settle()
    expect(phones[0].state()["phase"] == "wait", "phones wait for the next question")


def walk_bank(app):
    """A place is asked about: most are wrong, and their bank is marked in the picture."""
    app.key("Escape", lambda s: not s["seen"]["class"].get("predicting"), "Esc ends predicting")
    app.key("F9", lambda s: s["seen"]["class"]["predicting"], "F9 predicts")
    app.do("key", "Tab")  # asks for the bank
    app.key("ctrl+F9", lambda s: vote(s).get("phase") == "first", "the class is asked")
    phones = [Phone(vote(app.state)["url"], expect) for _ in range(6)]
    expect(phones[0].state()["kind"] == "bank" and phones[0].state()["places"] == 32, f"a bank is tapped: {phones[0].state()}")
    for i, phone in enumerate(phones):
        phone.vote(5 if i < 4 else 30)
    app.wait(lambda s: vote(s)["votes"] == 6, "six votes")
    app.key("r", lambda s: vote(s)["phase"] == "revealed", "R reveals")
    picture(pictures, "5-bank")
    app.key("Return", lambda s: "phase" not in vote(s), "Enter ends the round")


def walk_hands(app):
    app.key("ctrl+F9", lambda s: vote(s).get("phase") == "first", "the class is asked again")
    app.do("key", "4", "Tab", "1", "2", "Tab", "3", "1", "Tab", "3", "0", "Tab")
    app.wait(lambda s: vote(s)["by_hands"] and vote(s)["votes"] == 42, "hands are counted")
    picture(pictures, "6-hands")
    app.key("r", lambda s: vote(s)["phase"] == "revealed", "R reveals what hands said")
    app.settle()
    expect(dict(map(tuple, vote(app.state)["first"])) == {4: 12, 31: 30}, f"hands: {vote(app.state)}")
    app.key("Escape", lambda s: "phase" not in vote(s), "Esc ends the round")


def walk_kill():
    """Killed while the class talks, the program has kept the vote that was closed; phones join its next class anew."""
    state_file = folder / "killed.json"
    app = App(program, state_file, failures, "transpose_shared")
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    expect(Phone(vote(app.state)["url"], expect).vote(7) == 200, "a vote counts")
    app.key("Return", lambda s: vote(s)["phase"] == "discussion", "Enter closes the vote")
    app.settle()
    app.process.send_signal(signal.SIGKILL)
    app.process.wait()
    expect(kept_rounds()[-1] == ("skipped", False, [[7, 1]]), f"what was voted is kept: {kept_rounds()}")
    app = App(program, state_file, failures, "transpose_shared")
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    phone = Phone(vote(app.state)["url"], expect)
    app.key("t", lambda s: vote(s).get("test"), "T says how phones come")
    picture(pictures, "7-test")
    app.key("ctrl+shift+F9", lambda s: "vote" not in s["seen"], "the class leaves")
    app.settle()
    try:
        phone.state()
        failures.append("the server is still there")
    except OSError:
        pass
    app.process.terminate()
    app.process.wait()


def kept_rounds():
    lines = (folder / "state" / "warplens" / "class" / "rounds.jsonl").read_text().splitlines()
    return [(one["phases"][-1], one["by_hands"], one["first"]) for one in map(json.loads, lines)]


def walk_unfinished():
    """Rounds that end without a word keep what was voted: the class leaves in the middle of one, and one is asked anew while hands
    are counted."""
    app = App(program, folder / "unfinished.json", failures, "transpose_shared")
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    phone = Phone(vote(app.state)["url"], expect)
    expect(phone.vote(5) == 200, "a vote counts")
    app.key("ctrl+shift+F9", lambda s: "vote" not in s["seen"], "the class leaves in the middle of it")
    app.settle()
    expect(kept_rounds()[-1] == ("skipped", False, [[5, 1]]), f"what was voted is kept: {kept_rounds()}")
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    phone = Phone(vote(app.state)["url"], expect)
    expect(phone.vote(5) == 200, "a vote counts")
    app.do("key", "4", "Tab", "1", "2", "Tab")
    app.wait(lambda s: vote(s)["by_hands"] and vote(s)["votes"] == 12, "hands are counted")
    app.settle()
    expect(phone.state()["phase"] == "hands" and phone.vote(6) == 409, f"a phone is not told that it counts: {phone.state()}")
    app.key("n", lambda s: vote(s)["phase"] == "first" and not vote(s)["by_hands"], "asked anew")
    app.settle()
    expect(kept_rounds()[-1] == ("skipped", True, [[4, 12]]), f"hands that were counted are kept: {kept_rounds()}")
    expect(phone.vote(9) == 200, "phones vote again")
    app.wait(lambda s: vote(s)["votes"] == 1, "and count")
    app.key("ctrl+shift+F9", lambda s: "vote" not in s["seen"], "the class leaves")
    app.process.terminate()
    app.process.wait()


with display(folder):
    app = App(program, folder / "state.json", failures, "transpose_shared")
    for part in (walk, walk_bank, walk_hands):
        part(app)
    app.process.terminate()
    app.process.wait()
    walk_kill()
    walk_unfinished()

kept = subprocess.run([cli, "class"], capture_output=True, text=True)
print(kept.stdout)
expect(len(re.findall(r"\d\d\d\d-\d\d-\d\dT", kept.stdout)) == 7,
       f"three rounds and four that did not end are kept: {kept.stdout} {kept.stderr}")
csv = subprocess.run([cli, "class", "--csv"], capture_output=True, text=True).stdout
expect("1:7 32:3" in csv and "1:2 16:8" in csv, f"the counts are in the table: {csv}")
expect(subprocess.run([cli, "class", "--delete"]).returncode == 0, "one command deletes them")
expect("No class" in subprocess.run([cli, "class"], capture_output=True, text=True).stdout, "they are gone")
end("the class voted")
