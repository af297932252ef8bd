#!/usr/bin/env python3
"""Runs warplens-cli on every bomb: it must end by itself, with words and an exit code.

    tests/bombs/run.py build/release/bin/warplens-cli --seconds 3 [--strict] [NAME...]
    tests/bombs/run.py build/release/bin/warplens-cli --interrupt 0.5 [--term] [--strict]

It is to end within --seconds, or after Ctrl C (or SIGTERM), and a quarter of a second. How long it takes is another on every
machine, and another beside other work: that is reported, those that took longer by name, and --strict, on a machine that does
nothing else, fails by it. Whatever else runs, nothing may go on for twenty seconds of the processor's after its end, crash, or
take more than a GiB. A bomb that is to end by an answer of its own is given more time where time ran out first.
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
MOST_ADDRESSES = 5 << 30  # bytes that may be asked for
MOST_MEMORY = 1024       # MiB that are used
MOST_BEYOND = 20         # s of the processor's beyond --seconds, on any machine: what goes on so long did not hear that it is to end
WALL_SLACK = 900         # s: of what neither ends nor computes
MORE_SECONDS = 60        # for an answer of its own, where a busy machine lets the time run out first


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


def prepare(seconds):
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # in the background of a shell it is ignored
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + MOST_BEYOND, int(seconds) + MOST_BEYOND + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def catches(process, number):
    """The program has come so far that it hears the signal."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as status:
            caught = next(line for line in status if line.startswith("SigCgt:"))
    except (OSError, StopIteration):
        return False
    return int(caught.split()[1], 16) >> (number - 1) & 1 == 1


def run(cli, bomb, seconds, interrupt, number):
    """What it did: exit code, words, wall and processor seconds, memory in MiB, and whether the signal was sent: after `interrupt`
    seconds, if any, where it has not ended by itself."""
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "words"), "w+b") as words:
        lay_out(bomb, folder)
        begin = time.monotonic()
        child = subprocess.Popen(command_of(cli, bomb, seconds), cwd=folder, stdout=subprocess.DEVNULL, stderr=words,
                                 stdin=subprocess.PIPE if bomb.file == "-" else subprocess.DEVNULL,
                                 env={**os.environ, **bomb.environment}, preexec_fn=lambda: prepare(interrupt or seconds))
        if bomb.file == "-":
            child.stdin.write(bomb.text.encode())
            child.stdin.flush()
        asked = False
        while True:
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
            if done or time.monotonic() - begin > seconds + WALL_SLACK:
                break
            if interrupt and not asked and time.monotonic() - begin > interrupt and catches(child.pid, number):
                child.send_signal(number)
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
                usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, asked)


def what_is_wrong(bomb, code, words, memory, interrupted):
    if memory > MOST_MEMORY:
        return f"used {memory} MiB"
    if code < 0:
        return "does not hear that it is to end" if code in (-signal.SIGXCPU, -signal.SIGKILL) else f"ended by signal {-code}"
    cancelled = interrupted and code == 4 and "cancelled" in words
    if code not in bomb.codes and not cancelled:
        return f"exit code {code}, not one of {bomb.codes}"
    if code != 0 and not words.strip():
        return "no words"
    wanted = bomb.words if code != 4 or bomb.codes == (4,) else "stopped"
    if interrupted and code == 4:
        wanted = "cancelled"
    if code != 0 and wanted and wanted not in words:
        return f"does not say \"{wanted}\""
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("names", nargs="*", help="only bombs whose names hold one of these")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--interrupt", type=float, help="press Ctrl C after this many seconds, long before --seconds are over")
    parser.add_argument("--term", action="store_true", help="SIGTERM instead of Ctrl C")
    options = parser.parse_intermixed_args()
    cli = os.path.abspath(options.cli)
    if not os.access(cli, os.X_OK):
        sys.exit(f"{options.cli} is not there: ./run builds it")
    number = signal.SIGTERM if options.term else signal.SIGINT
    in_time = (options.interrupt or options.seconds) + GRACE + START
    count, failed, late, cpu_sum = 0, 0, [], 0.0
    for bomb in all_bombs():
        if options.names and not any(n in bomb.name for n in options.names):
            continue
        count += 1
        code, words, wall, cpu, memory, interrupted = run(cli, bomb, MORE_SECONDS if options.interrupt else options.seconds, options.interrupt, number)
        cpu_sum += cpu
        if cpu > in_time or options.strict and wall > in_time:
            late.append(f"{bomb.name} ({cpu:.2f} s, {wall:.2f} s by the clock)")
        wrong = what_is_wrong(bomb, code, words, memory, interrupted)
        if code == 4 and 4 not in bomb.codes and not options.interrupt and "stopped after" in words:
            code, words, wall, cpu, memory, interrupted = run(cli, bomb, MORE_SECONDS, None, number)
            wrong = what_is_wrong(bomb, code, words, memory, interrupted)
        first = next((line for line in words.splitlines() if line.strip()), "")[:90]
        print(f"{'WRONG' if wrong else 'ok':5} {code:3} {wall:6.2f} s {cpu:6.2f} s cpu {memory:5} MiB  {bomb.name}: "
              f"{wrong or first}", flush=True)
        failed += bool(wrong)
    print(f"{count} bombs, {failed} wrong, {cpu_sum:.1f} s of processor time; later than {in_time:.2f} s: {', '.join(late) or 'none'}")
    least = 1 if options.names else 40
    return 1 if failed or count < least or options.strict and late else 0


if __name__ == "__main__":
    sys.exit(main())
