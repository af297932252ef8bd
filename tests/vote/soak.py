#!/usr/bin/env python3
"""Rounds without end: phones vote twice, talk, are told, and come again; some sleep, some are new ones. Fails where the program
grows by it: what is resident, what it holds open, its threads, and what it keeps on disk but for a line a round.

    soak.py PROGRAM FOLDER [--seconds 7200] [--phones 50] [--hostile REQUESTS]

--hostile: beside each second vote so many requests that are broken, and connections that say nothing or a byte now and then.

Within FOLDER: figures.csv, a line a round. The first tenth of the rounds warms up. As niced as it is started."""
import argparse
import asyncio
import json
import os
import pathlib
import random
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "app"))
from crowd import Crowd, percentile, vote  # noqa: E402
from window_driver import App, display  # noqa: E402

FEWEST = 10  # rounds, however long they take; of fewer nothing can be told
MOST_MB, MOST_OPEN = 4, 2  # of growth: what an allocator's arenas move by; a file that happens to be open
parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--seconds", type=float, default=7200)
parser.add_argument("--phones", type=int, default=50)
parser.add_argument("--hostile", type=int, default=0)
wanted = parser.parse_args()
wanted.folder = wanted.folder.resolve()
wanted.folder.mkdir(parents=True, exist_ok=True)
kept = wanted.folder / "state" / "warplens" / "class"
shutil.rmtree(kept, ignore_errors=True)  # of a run before
failures = []


def expect(holds, what):
    if not holds and len(failures) < 20:
        failures.append(what)


def figures(process):
    """Of what is to stay as it is."""
    of = pathlib.Path(f"/proc/{process}")
    status = dict(line.split(":", 1) for line in (of / "status").read_text().splitlines())
    own = int(status["RssAnon"].split()[0]) / 1024
    size = (kept / "rounds.jsonl").stat().st_size if (kept / "rounds.jsonl").exists() else 0
    return {"mb": own, "open": len(os.listdir(of / "fd")), "threads": int(status["Threads"]),
            "files": sum(1 for one in wanted.folder.rglob("*") if one.is_file()), "kept": size}


async def votes(crowd, answers, within, hostile):
    await asyncio.gather(crowd.all_vote(answers, within), *([crowd.hostile(hostile)] if hostile else []))


def one_round(app, crowd, within):
    """Two votes of all phones; every vote is counted once."""
    app.key("ctrl+F9", lambda s: vote(s)["phase"] == "first" and vote(s)["url"], "the class is asked")
    crowd.turn_to(vote(app.state)["url"])
    awake = len(crowd.cookies) or wanted.phones
    asyncio.run(crowd.all_join(max(wanted.phones - len(crowd.cookies), 0), 1))
    for phase in ("first", "second"):
        answers = [random.choice((1, 2, 16, 32)) for _ in crowd.cookies]
        asyncio.run(votes(crowd, answers, within, wanted.hostile if phase == "second" else 0))
        app.wait(lambda s: vote(s)["votes"] == len(answers), f"every vote counts once: {len(answers)}")
        app.key("Return", lambda s: vote(s)["phase"] != phase, "the vote is closed")
        if phase == "first":
            app.key("Return", lambda s: vote(s)["phase"] == "second", "the second vote")
    app.wait(lambda s: vote(s)["phase"] == "revealed", "it is revealed")
    expect(sum(count for _, count in vote(app.state)["second"]) == len(answers), "every vote is told")
    app.key("Return", lambda s: "phase" not in vote(s), "the round ends")
    if awake > 4:
        del crowd.cookies[:2]  # two go home, two others come


def least(rounds, name):
    return min(one[name] for one in rounds)


def judge(rounds):
    """The least of the second half against the least of the first: what is really held."""
    warm = rounds[max(2, len(rounds) // 10):]
    first, second = warm[: len(warm) // 2], warm[len(warm) // 2:]
    expect(len(first) > 1 and len(second) > 1, f"{len(warm)} rounds are too few to tell")
    if failures:
        return
    for name, most in (("mb", MOST_MB), ("open", MOST_OPEN), ("threads", 1), ("files", 1)):
        was, now = least(first, name), least(second, name)
        print(f"{name}: {was:.1f} at least in the first half, {now:.1f} in the second; at most {max(one[name] for one in warm):.1f}")
        expect(now - was <= most, f"{name} grew from {was:.1f} to {now:.1f}")
    print(f"kept: {rounds[-1]['kept'] / len(rounds):.0f} bytes a round")
    ids = {json.loads(line)["id"] for line in (kept / "rounds.jsonl").read_text().splitlines()}
    expect(len(ids) == len(rounds), f"{len(ids)} rounds are kept of {len(rounds)}")


with display(wanted.folder, "1100x700"):
    app = App(wanted.program, wanted.folder / "state.json", failures, "transpose_shared", "--size", "1024x640")
    app.key("F5", lambda s: s["present"], "F5 presents")
    crowd, rounds, begin = Crowd("http://127.0.0.1:0/#", expect), [], time.time()
    with (wanted.folder / "figures.csv").open("w") as table:
        while (time.time() - begin < wanted.seconds or len(rounds) < FEWEST) and not failures:
            one_round(app, crowd, min(6, wanted.seconds / 40))
            rounds.append({"at": time.time() - begin, **figures(app.process.pid)})
            if len(rounds) == 1:
                print(*rounds[0], sep=",", file=table)
            print(*[f"{value:.1f}" for value in rounds[-1].values()], sep=",", file=table, flush=True)
            if len(rounds) % 20 == 1:
                print(f"{rounds[-1]['at']:.0f} s, round {len(rounds)}: {rounds[-1]}; answers p99 {percentile(crowd.times, .99):.1f} ms", flush=True)
                crowd.times = []
    judge(rounds)
    app.process.terminate()
    app.process.wait()
print(f"{len(rounds)} rounds in {time.time() - begin:.0f} s")
print("\n".join(failures) or "nothing grew")
sys.exit(1 if failures else 0)
