#!/usr/bin/env python3
"""Runs warplens-cli on every bomb: it must end within --seconds and a quarter of a second, with words and an exit code.

    tests/bombs/run.py build/release/bin/warplens-cli --seconds 3 [--strict] [NAME...]
    tests/bombs/run.py build/release/bin/warplens-cli --interrupt 0.5

Time is the child's own processor time, since a busy machine stretches the other, and the least of three runs where the
first takes too long, since it stretches that too; --strict holds the clock on the wall to the same bound. Nothing may crash, and no child may take more than 5 GiB.
"""
import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

from bombs import all_bombs

GRACE = 0.25             # s beyond --seconds
START = 0.15             # s that the program takes to begin, on a slow machine
MOST_MEMORY = 5 << 30    # bytes
RUNS = 3                 # the least of their times counts
WALL_SLACK = 60          # s: only against hanging


def lay_out(bomb, folder):
    """Its files."""
    for name, text in {**bomb.beside, **({bomb.file: bomb.text} if bomb.file not in ("", "-") else {})}.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, 0o755)
    for name, to in bomb.links.items():
        os.link(os.path.join(folder, to), os.path.join(folder, name))


def command_of(cli, bomb, seconds):
    limit = ["--seconds", str(seconds)]
    options = bomb.options + (["--set", "n=5"] if bomb.options and "int* out, int n)" in bomb.text else [])
    if bomb.command[0] == "compare":
        return [cli, "compare", *limit, "--threads", "1", bomb.file, *options, bomb.file, *options]
    first, *others = bomb.command
    file = [bomb.file] if bomb.file else []
    command = [cli, first, *others, *file] if others and others[-1].startswith("--") else [cli, first, *file, *others]
    command += [*options, *limit]
    return command + ["--threads", "1"] if first == "report" else command


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(cli, bomb, seconds, interrupt):
    """What it did: exit code, words, wall and processor seconds, memory in MiB."""
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "words"), "w+b") as words:
        lay_out(bomb, folder)
        begin = time.monotonic()
        child = subprocess.Popen(command_of(cli, bomb, seconds), cwd=folder, stdout=subprocess.DEVNULL, stderr=words,
                                 stdin=subprocess.PIPE if bomb.file == "-" else subprocess.DEVNULL,
                                 env={**os.environ, **bomb.environment}, preexec_fn=limit_memory)
        if bomb.file == "-":
            child.stdin.write(bomb.text.encode())
            child.stdin.flush()
        asked = False
        while True:
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
            if done or time.monotonic() - begin > seconds + WALL_SLACK:
                break
            if interrupt and not asked and time.monotonic() - begin > interrupt:
                child.send_signal(signal.SIGINT)
                asked = True
            time.sleep(0.005)
        if not done:
            child.kill()
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - begin
        if child.stdin:
            child.stdin.close()
        words.seek(0)
        return (child.returncode, words.read(20_000).decode("utf-8", "replace"), wall,
                usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024)


def what_is_wrong(bomb, code, words, wall, cpu, options):
    seconds = options.interrupt or options.seconds
    if code < 0:
        return f"ended by signal {-code}"
    starved = code == 4 and cpu < seconds / 2 < wall  # on a busy machine time may run out before another limit does
    cancelled = options.interrupt and code == 4 and "cancelled" in words
    if code not in bomb.codes and not starved and not cancelled:
        return f"exit code {code}, not one of {bomb.codes}"
    if code != 0 and not words.strip():
        return "no words"
    wanted = bomb.words if code != 4 or bomb.codes == (4,) and not starved else "stopped"
    if options.interrupt and code == 4:
        wanted = "cancelled"
    if code != 0 and wanted and wanted not in words:
        return f"does not say \"{wanted}\""
    return ""


def what_is_late(wall, cpu, options):
    most = (options.interrupt or options.seconds) + GRACE + START
    if cpu > most:
        return f"took {cpu:.2f} s of processor time, more than {most:.2f}"
    if options.strict and wall > most:
        return f"took {wall:.2f} s, more than {most:.2f}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("names", nargs="*", help="only bombs whose names hold one of these")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--interrupt", type=float, help="press Ctrl C after this many seconds, long before --seconds are over")
    options = parser.parse_intermixed_args()
    cli = os.path.abspath(options.cli)
    count, failed, cpu_sum = 0, 0, 0.0
    for bomb in all_bombs():
        if options.names and not any(n in bomb.name for n in options.names):
            continue
        count += 1
        for _ in range(RUNS):
            code, words, wall, cpu, memory = run(cli, bomb, 60 if options.interrupt else options.seconds, options.interrupt)
            cpu_sum += cpu
            late = what_is_late(wall, cpu, options)
            wrong = what_is_wrong(bomb, code, words, wall, cpu, options) or late
            if not late:
                break
        first = next((line for line in words.splitlines() if line.strip()), "")[:90]
        print(f"{'WRONG' if wrong else 'ok':5} {code:3} {wall:6.2f} s {cpu:6.2f} s cpu {memory:5} MiB  {bomb.name}: "
              f"{wrong or first}", flush=True)
        failed += bool(wrong)
    print(f"{count} bombs, {failed} wrong, {cpu_sum:.1f} s of processor time")
    least = 1 if options.names else 40
    return 1 if failed or count < least else 0


if __name__ == "__main__":
    sys.exit(main())
