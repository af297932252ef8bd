"""Firefox on a display of its own (without one it has no WebGL), by WebDriver BiDi, answering as browser.py's Chromium does, as far as the checks of most people's ways need."""
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from browser import PATIENCE, Socket, until

KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Escape": "\ue00c", "Enter": "\ue007",
        "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "Tab": "\ue004", "F2": "\ue032", "F8": "\ue038"}
# Motion is reduced and the theme dark, as the checks ask of Chromium; no first run, nothing fetched from elsewhere.
PREFERENCES = {"ui.prefersReducedMotion": 1, "ui.systemUsesDarkTheme": 1, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
               "datareporting.policy.dataSubmissionEnabled": False, "webgl.force-enabled": True, "browser.startup.homepage_override.mstone": "ignore"}


def value_of(told):
    """What BiDi tells of a value, as JSON would."""
    if told.get("type") == "object":
        return {key: value_of(value) for key, value in told["value"]}
    if told.get("type") == "array":
        return [value_of(value) for value in told["value"]]
    return told.get("value")


class Unsupported(Exception):
    """Firefox is not asked this."""


class Page:
    def __init__(self, session, context):
        self.session, self.context, self.problems = session, context, session.problems

    def tell(self, method, **parameters):
        answer = self.session.do(method, **parameters)
        if answer.get("type") == "error":
            raise Unsupported(f"{method}: {answer.get('message', answer)}")
        return answer

    def listen(self):
        self.problems.clear()

    def size(self, width, height, scale=1, mobile=False):
        self.tell("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height}, devicePixelRatio=scale)

    def do(self, method, **given):
        """A command of Chromium's, in Firefox's own words."""
        if method == "Emulation.setEmulatedMedia":
            return {}
        if method == "Page.navigate":
            return self.tell("browsingContext.navigate", context=self.context, url=given["url"], wait="none")
        if method == "Page.reload":
            return self.tell("browsingContext.reload", context=self.context, wait="none")
        if method == "Input.insertText":
            return self.press(given["text"])
        if method == "Input.dispatchKeyEvent":
            return {} if given["type"] == "keyUp" else self.press([KEYS.get(given["key"], given["key"])])
        raise Unsupported(f"{method} is Chromium's own")

    def press(self, keys):
        actions = [{"type": kind, "value": "\ue007" if key == "\n" else key} for key in keys for kind in ("keyDown", "keyUp")]
        return self.tell("input.performActions", context=self.context, actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def run(self, script):
        """The script's value; a promise's, once it has one."""
        answer = self.session.do("script.evaluate", expression=script, target={"context": self.context}, awaitPromise=True,
                                 serializationOptions={"maxObjectDepth": 50})
        return value_of(answer.get("result", {}))

    def wait(self, script, seconds=PATIENCE):
        return bool(until(lambda: self.run(script), seconds))

    def picture(self, file):
        file.write_bytes(base64.b64decode(self.tell("browsingContext.captureScreenshot", context=self.context)["data"]))


class Session(Socket):
    complains = ("log.entryAdded",)


class Firefox:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens_firefox_"))
        (self.folder / "user.js").write_text("".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items()))
        log = self.folder / "log"
        with log.open("w") as out:
            self.process = subprocess.Popen(["xvfb-run", "-a", "-s", "-screen 0 1700x1200x24", "firefox-esr", "--no-remote", "--profile", self.folder,
                                             "--remote-debugging-port", "0", "about:blank"], stdout=out, stderr=out, start_new_session=True)
        found = until(lambda: re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace")))
        if not found:
            raise ConnectionError("Firefox does not start: " + log.read_text(errors="replace")[-500:])
        self.session = Session(found.group(1) + "/session")
        self.session.do("session.new", capabilities={})
        self.session.do("session.subscribe", events=["log.entryAdded"])

    def page(self):
        """A person of its own: nothing that is stored is shared with another page."""
        person = self.session.do("browser.createUserContext")["userContext"]
        return Page(self.session, self.session.do("browsingContext.create", type="tab", userContext=person)["context"])

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
