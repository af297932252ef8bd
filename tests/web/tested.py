#!/usr/bin/env python3
"""tested.py WEB_BUILD                    brings the site of a web build up to date, for
tested.py WEB_BUILD BINARIES CHECK     ... one check of check.py. Exit 77, in words, where there is nothing to check."""
import pathlib
import shutil
import subprocess
import sys

SECONDS = 150  # for what changed since it was built; what is compiled by then stays compiled
TREE = pathlib.Path(__file__).resolve().parents[2]


def skip(words):
    print(f"skipped: {words}")
    sys.exit(77)


def no_browser(build):
    """Why there is nothing to check; or empty."""
    if not shutil.which("chromium"):
        return "the browser's checks need Debian's chromium"
    if not (build / "build.ninja").exists():
        return "no web build is here: ./web makes one, or tests/web/run"
    if not shutil.which("em++"):
        return "the web build cannot be brought up to date without emscripten"
    return ""


def bring_up_to_date(build, stamp):
    stamp.unlink(missing_ok=True)
    if words := no_browser(build):
        skip(words)
    making = subprocess.Popen(["nice", "ninja", "-C", build, "-j", "2"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        output, _ = making.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        making.terminate()  # ninja ends what it began, and keeps what is whole
        making.communicate()
        skip(f"the web build is older than the sources, by more than {SECONDS} s of compiling: ninja -C build/web goes on with it")
    if making.returncode != 0:
        sys.exit("\n".join([*output.splitlines()[-30:], "the web build fails"]))
    subprocess.run([sys.executable, TREE / "app/platform/web/site.py", build / "bin", build / "site"], check=True)
    stamp.touch()
    print("the site is up to date")


def main():
    build = pathlib.Path(sys.argv[1])
    stamp = build / "site-is-up-to-date"
    if len(sys.argv) == 2:
        return bring_up_to_date(build, stamp)
    if not stamp.exists():
        skip(no_browser(build) or "the site is not up to date: see the test web.site")
    done = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("check.py"), build / "site", *sys.argv[2:]])
    sys.exit(done.returncode)


main()
