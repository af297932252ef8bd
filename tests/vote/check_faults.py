#!/usr/bin/env python3
"""What goes wrong in a hall: every port is taken, the disk takes no votes, the laptop sleeps, its clock is wrong and jumps. Each
is told in words on the stage, no vote is lost, and the lecture goes on.

    check_faults.py PROGRAM CLI [PICTURES]

That the program is killed is in tests/app/journey_class.py; that the network goes, in check_network.py."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "app"))
from crowd import Phone, vote  # noqa: E402
from window_driver import PATIENCE, App, display, end, expect, failures, picture  # noqa: E402

program, cli = sys.argv[1:3]
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_faults_"))
kept = folder / "state" / "warplens" / "class"


def said(state):
    return " ".join(vote(state)["said"])


def start(*arguments):
    return App(program, folder / "state.json", failures, "transpose_shared", *arguments)


def ends(app):
    app.process.terminate()
    app.process.wait()


def ports_taken():
    """Hands are counted meanwhile; what held the ports ends, and phones can come without a key."""
    taken = []
    for port in range(8090, 8100):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind(("", port))  # of every address: the one of the hall is listened on
        except OSError:
            continue  # somebody else holds it: as well
        one.listen()
        taken.append(one)
    app = start("--lang", "en")
    app.key("ctrl+F9", lambda s: "8090" in said(s) and "taken" in said(s) and not vote(s)["url"], "that the port is taken is said")
    app.key("F5", lambda s: s["present"], "F5 presents")
    app.settle()
    picture(pictures, "en-port-taken")
    app.do("key", "4", "Tab", "1", "2", "Tab")
    app.wait(lambda s: vote(s)["votes"] == 12, "hands are counted without a network")
    for one in taken:
        one.close()
    app.wait(lambda s: vote(s)["url"], "the ports are free again: phones can come")
    app.key("r", lambda s: vote(s)["phase"] == "revealed", "the lecture goes on")
    app.key("ctrl+shift+F9", lambda s: "vote" not in s["seen"], "the class leaves")
    ends(app)


def nothing_can_be_written():
    """Where the class's folder should be there is something else: it is said, phones vote, and the lecture goes on."""
    shutil.rmtree(kept, ignore_errors=True)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("in the way")
    app = start("--lang", "zh-CN")
    app.key("ctrl+F9", lambda s: vote(s)["url"], "phones can come")
    expect(Phone(vote(app.state)["url"], expect).vote(16) == 200, "a vote counts")
    app.wait(lambda s: vote(s)["votes"] == 1, "it is there")
    app.key("Return", lambda s: s["seen"]["notice"]["key"] == "files.trouble", "that it cannot be kept is said")
    picture(pictures, "zh-CN-unkept")
    app.key("r", lambda s: vote(s)["phase"] == "revealed" and dict(map(tuple, vote(s)["first"])) == {16: 1}, "it is revealed")
    ends(app)
    kept.unlink()


def asleep():
    """The laptop's lid is closed for longer than any connection lives. Votes are there, and phones go on."""
    app = start("--lang", "en")
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    phones = [Phone(vote(app.state)["url"], expect) for _ in range(6)]
    for phone in phones[:4]:
        phone.vote(16)
    app.wait(lambda s: vote(s)["votes"] == 4 and vote(s)["joined"] == 6, "four of six have voted")
    app.process.send_signal(signal.SIGSTOP)
    time.sleep(1)
    # A phone asks meanwhile, and hears nothing until the laptop is awake; others have given up.
    waiting = socket.create_connection((phones[4].host, phones[4].port), PATIENCE)
    waiting.sendall(phones[4].request("GET", "/state").encode())
    for _ in range(50):
        socket.create_connection((phones[4].host, phones[4].port), PATIENCE).close()
    time.sleep(25)
    app.process.send_signal(signal.SIGCONT)
    expect(b'"phase":"first"' in waiting.recv(65536), "who asked while the laptop slept is answered")
    app.wait(lambda s: vote(s)["votes"] == 4, "no vote is lost by sleep")
    for phone in phones:
        expect(phone.vote(1) == 200, "and each may be changed")
    app.wait(lambda s: vote(s)["votes"] == 6 and vote(s)["joined"] == 6, "six votes of six phones")
    app.key("r", lambda s: dict(map(tuple, vote(s)["first"])) == {1: 6}, "it is revealed")
    app.key("Return", lambda s: "phase" not in vote(s), "the round ends")
    ends(app)


def clock():
    """The clock stands in 1970, jumps by sixty years while the class votes, and back to the same second for the next round."""
    subprocess.run([cli, "class", "--delete"], check=True)
    library = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        raise SystemExit("libfaketime (faketime) is not installed")
    now = folder / "now"
    now.write_text("@1970-01-01 00:00:10")
    more = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(now), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "TZ": "UTC"}
    os.environ.update(more)
    try:
        app = start("--lang", "en")
    finally:
        for name in more:
            del os.environ[name]
    for jump in ("@2031-05-06 07:08:09", "@1970-01-01 00:00:10", "@1999-12-31 23:59:59"):
        app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
        phones = [Phone(vote(app.state)["url"], expect) for _ in range(3)]
        expect(phones[0].vote(16) == 200, "a vote counts")
        now.write_text(jump)
        for phone in phones:
            expect(phone.vote(16) == 200, "a vote counts after the clock has jumped")
        app.wait(lambda s: vote(s)["votes"] == 3, "three votes")
        app.key("Return", lambda s: vote(s)["phase"] == "discussion", "closed")
        app.settle()
        expect(phones[0].vote(1) == 409, "a vote after the close is refused, whatever the clock says")
        app.key("r", lambda s: vote(s)["phase"] == "revealed", "revealed")
        app.key("Return", lambda s: "phase" not in vote(s), "the round ends")
        now.write_text("@1970-01-01 00:00:10")
    ends(app)
    began = {one["id"]: one["began"] for one in map(json.loads, (kept / "rounds.jsonl").read_text().splitlines())}
    expect(sum(one.startswith("1970") for one in began.values()) == 3, f"the clock was wrong: {began}")
    told = subprocess.run([cli, "class", "--csv"], capture_output=True, text=True)
    expect(told.stdout.count(",16:3,") == 3, f"three rounds of the same second are kept: {told.stdout}")


with display(folder):
    for part in (ports_taken, nothing_can_be_written, asleep, clock):
        part()
end("whatever went wrong was said, and nothing was lost")
