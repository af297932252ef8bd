#!/usr/bin/env python3
"""A hall in two network namespaces of its own: a laptop with a window, and a phone at the other end of a cable. Which interface is
which; a firewall, and the rule for it that the program names; the cable pulled and put in again while the class votes; the
address taken away; another one picked. Each is said on the stage, and no vote is lost.

    check_network.py PROGRAM [PICTURES]

Needs to be root, or to be one in a user namespace; nothing outside of its own namespaces is touched."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parent), str(here.parent / "app")]
from patience import PATIENCE, until  # noqa: E402

LAPTOP, PHONE = "10.66.0.1", "10.66.0.2"


def call(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def comes_up(*names):
    """Both ends of a cable are in, which the system notices after a moment."""
    expect(until(lambda: all("LOWER_UP" in call("ip", "-o", "link", "show", name) for name in names)), f"{names} do not come up")


def phone_asks(method, path, cookie="", fields="", seconds=PATIENCE):
    """What a phone hears at the other end; status 0: nothing, within so long."""
    words = ["curl", "-s", "-m", str(seconds), "-i", "-X", method, f"http://{LAPTOP}:{phone_asks.port}{path}"]
    if cookie:
        words += ["-H", f"Cookie: {cookie}"]
    if method == "POST":
        words += ["-d", fields]
    done = subprocess.run([*PEER, *words], capture_output=True, text=True)
    if done.returncode != 0:
        return 0, {}, ""
    head, _, body = done.stdout.replace("\r", "").partition("\n\n")
    given = re.search(r"Set-Cookie: ([^;]+)", head)
    return int(head.split()[1]), json.loads(body), given.group(1) if given else ""


def vote_of(cookie, answer):
    _, state, _ = phone_asks("GET", "/state", cookie)
    return phone_asks("POST", "/vote", cookie, f"ballot={state.get('ballot')}&answer={answer}")[0]


def said(state):
    return " ".join(vote(state)["said"])


def told_of(program, folder, interface):
    """What T says with this interface's address picked."""
    app = App(program, folder / "told.json", failures, "transpose_shared", "--lang", "en")
    app.key("F5", lambda s: s["present"], "F5 presents")
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first", "the class is asked")
    app.key("t", lambda s: vote(s).get("test"), "T says how phones come")
    for _ in range(8):
        words = said(app.state)
        if f"→ {interface} " in words:
            break
        url = vote(app.state)["url"]
        app.key("Tab", lambda s: vote(s)["url"] != url, "another address")
        app.key("t", lambda s: vote(s).get("test"), "T says how phones come")
    app.process.terminate(), app.process.wait()
    return words


def interfaces(program, folder):
    """Cable, Wi-Fi, hotspot, virtual: told apart by what the system says of each."""
    fake = folder / "net"
    for name, has in (("eno1", "device"), ("wlan0", "wireless"), ("wlan1", "phy80211")):
        (fake / name / has).mkdir(parents=True)
    for name, address in (("eno1", "192.168.7.2"), ("wlan0", "192.168.8.2"), ("wlan1", "10.42.0.1"), ("docker0", "172.17.0.1")):
        call("ip", "link", "add", name, "type", "veth", "peer", "name", f"{name}-end"), call("ip", "addr", "add", f"{address}/24", "dev", name)
        call("ip", "link", "set", name, "up"), call("ip", "link", "set", f"{name}-end", "up")
    comes_up("eno1", "wlan0", "wlan1", "docker0")
    call("ip", "link", "add", "down0", "type", "veth", "peer", "name", "down0-end"), call("ip", "link", "set", "down0", "up")
    call("ip", "addr", "add", "192.168.9.9/24", "dev", "down0")
    call("mount", "--bind", str(fake), "/sys/class/net")
    words = told_of(program, folder, "192.168.7.2")
    call("umount", "/sys/class/net")
    for line in ("10.42.0.1 (own hotspot, wlan1)", "192.168.8.2 (Wi-Fi, wlan0)", "→ 192.168.7.2 (cable, eno1)", "172.17.0.1 (virtual, docker0)",
                 "127.0.0.1 (this machine alone, lo)", "nmcli device wifi hotspot"):
        expect(line in words, f"T does not say '{line}': {words}")
    expect("192.168.9.9" not in words, f"an interface that is down is told: {words}")
    for name in ("eno1", "wlan0", "wlan1", "docker0", "down0"):
        call("ip", "link", "del", name)


def firewall(app):
    """A firewall that takes in nothing but what was asked for. The rule that is named lets the phone in."""
    call("nft", "-f", "-", input="table inet filter { chain input { type filter hook input priority 0; policy drop; iif lo accept\n"
                                 "tcp flags != syn accept\n}\n}\n")
    expect(phone_asks("GET", "/state", seconds=4)[0] == 0, "the firewall lets nobody in")
    app.key("t", lambda s: vote(s).get("test") and "nft insert rule" in said(s), "T says what a firewall needs")
    words = said(app.state)
    print("with a firewall:", words)
    picture(pictures, "en-firewall")
    expect("No phone has come yet" in words, f"that no phone has come is not said: {words}")
    rule = re.search(r"sudo (nft insert rule [^;]*accept)", words)
    expect(rule, f"no rule is named: {words}")
    call(*rule.group(1).split())
    status, state, cookie = phone_asks("POST", "/join", "", f"code={CODE}")
    expect(status == 200, f"the rule lets the phone in: {status} {state}")
    app.wait(lambda s: "Phones from elsewhere have come: 1" in said(s), "that a phone has come is said")
    print("with the rule:", said(app.state))
    picture(pictures, "en-firewall-open")
    app.key("t", lambda s: "test" not in vote(s), "T again closes the test")
    call("nft", "flush", "ruleset")
    return cookie


def ufw(program, folder):
    """Ubuntu's firewall is named where its settings say that it is on."""
    settings = pathlib.Path("/etc/ufw")
    if not settings.is_dir():
        return
    own = pathlib.Path(tempfile.mkdtemp(prefix="warplens_ufw_"))
    (own / "ufw.conf").write_text("# on\nENABLED=yes\n")
    call("mount", "--bind", str(own), str(settings))
    words = told_of(program, folder, LAPTOP)
    call("umount", str(settings))
    expect("The firewall ufw is on." in words and "sudo ufw allow in on hall0 to any port" in words, f"ufw is not told: {words}")
    print("ufw:", words)


def cable(app, cookie):
    """Pulled while the class votes, in by another name of the phone's, and the address taken away and given again."""
    expect(vote_of(cookie, 16) == 200, "the phone votes")
    app.wait(lambda s: vote(s)["votes"] == 1, "its vote is there")
    for out, back in (((*PEER, "ip", "link", "set", "phone0", "down"), (*PEER, "ip", "link", "set", "phone0", "up")),
                      (("ip", "addr", "del", f"{LAPTOP}/24", "dev", "hall0"), ("ip", "addr", "add", f"{LAPTOP}/24", "dev", "hall0")),
                      (("ip", "link", "set", "hall0", "down"), ("ip", "link", "set", "hall0", "up"))):
        call(*out)
        app.wait(lambda s: vote(s)["trouble"] == "vote.trouble.no_address" and LAPTOP in said(s) and not vote(s)["url"], "that the address is gone is said")
        expect(vote(app.state)["votes"] == 1, "the vote is lost")
        if out[0] == "ip" and out[1] == "addr":
            print("address gone:", said(app.state))
        picture(pictures, "en-cable-out")
        expect(phone_asks("GET", "/state", cookie, seconds=4)[0] == 0, "the cable is not out")
        call(*back)
        app.wait(lambda s: vote(s)["trouble"] == "" and vote(s)["url"].startswith(f"http://{LAPTOP}:"), "the address is back")
        answer = (0, {})

        def look():  # the network takes a moment
            nonlocal answer
            answer = phone_asks("GET", "/state", cookie, seconds=4)
            return answer[0] == 200
        until(look)
        expect(answer[1].get("mine") == 16, f"the phone goes on where it was: {answer}")
        expect(vote_of(cookie, 8) == 200 and vote_of(cookie, 16) == 200, "and may change its vote")
    call("ip", "addr", "del", f"{LAPTOP}/24", "dev", "hall0")
    app.wait(lambda s: vote(s)["trouble"] == "vote.trouble.no_address", "gone for good")
    app.key("Tab", lambda s: vote(s)["url"].startswith("http://127.0.0.1:"), "another address is picked")
    expect(vote(app.state)["votes"] == 1, "the vote is there with another address")
    app.key("r", lambda s: dict(map(tuple, vote(s)["first"])) == {16: 1}, "it is revealed, and the lecture goes on")


def hold(program):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_network_"))
    with display(folder):
        interfaces(program, folder)
    call("ip", "link", "add", "hall0", "type", "veth", "peer", "name", "phone0", "netns", str(OTHER.pid))
    call("ip", "addr", "add", f"{LAPTOP}/24", "dev", "hall0"), call("ip", "link", "set", "hall0", "up")
    call(*PEER, "ip", "addr", "add", f"{PHONE}/24", "dev", "phone0"), call(*PEER, "ip", "link", "set", "phone0", "up")
    comes_up("hall0")
    told = pathlib.Path(tempfile.mkdtemp(prefix="warplens_network_"))
    with display(told):  # with settings of its own: the address that is picked there is remembered
        ufw(program, told)
    with display(folder):
        app = App(program, folder / "state.json", failures, "transpose_shared", "--lang", "en")
        app.key("F5", lambda s: s["present"], "F5 presents")
        app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"].startswith("http://127.0.0.1:"),
                "at first this machine alone is listened on")
        phone_asks.port = int(vote(app.state)["url"].split(":")[2].split("/")[0])
        expect(phone_asks("GET", "/state", seconds=4)[0] == 0, "an address that was not picked is listened on")
        app.key("Tab", lambda s: vote(s)["url"].startswith(f"http://{LAPTOP}:"), "Tab picks the hall's address")
        global CODE
        CODE = vote(app.state)["url"].split("#")[1]
        phone_asks.port = int(vote(app.state)["url"].split(":")[2].split("/")[0])
        listens = call("ss", "-Hltn")
        expect(set(re.findall(r"\s(\S+):809\d\s", listens)) == {LAPTOP}, f"only the picked address is listened on: {listens}")
        cookie = firewall(app)
        cable(app, cookie)
        app.process.terminate(), app.process.wait()


if "--inside" not in sys.argv:
    own = ["unshare", "--net", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net", "--mount"]
    tools = [tool for tool in ("ip", "nft", "curl", "ss", "unshare", "nsenter", "mount") if not shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    may = not tools and subprocess.run([*own, "ip", "link", "set", "lo", "up"], capture_output=True).returncode == 0
    if not may:
        print(f"skipped: no network namespace of one's own here{'; missing: ' + ', '.join(tools) if tools else ''}")
        sys.exit(77)
    sys.exit(subprocess.run([*own, sys.executable, *sys.argv, "--inside"]).returncode)

os.environ["PATH"] += ":/usr/sbin:/sbin"
from crowd import vote  # noqa: E402
from window_driver import App, display, end, expect, failures, picture  # noqa: E402

words = [word for word in sys.argv[1:] if word != "--inside"]
pictures = pathlib.Path(words[1]) if len(words) > 1 else None
call("mount", "--make-rprivate", "/")
call("ip", "link", "set", "lo", "up")
OTHER = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
until(lambda: os.readlink(f"/proc/{OTHER.pid}/ns/net") != os.readlink("/proc/self/ns/net"))
PEER = ["nsenter", f"--net=/proc/{OTHER.pid}/ns/net"]
CODE = ""
try:
    call(*PEER, "ip", "link", "set", "lo", "up")
    hold(words[0])
finally:
    OTHER.kill()
end("the network was against it, and the class voted")
