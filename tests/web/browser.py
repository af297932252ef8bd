"""Chromium without a window, told over its debugging pipe's WebSocket what to show: pages of a phone's size, their pictures, clicks."""
import base64
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from patience import PATIENCE, until  # noqa: E402


class Socket:
    """A WebSocket over which numbered commands are sent and answered."""

    def __init__(self, url):
        rest = url.split("//", 1)[1]
        address, path = rest.split("/", 1)
        host, port = address.split(":")
        self.socket, self.number, self.problems = socket.create_connection((host, int(port)), PATIENCE), 0, []
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /{path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.socket.recv(1)

    def read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the browser went away")
            data += part
        return data

    def do(self, method, **parameters):
        self.number += 1
        text = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        mask, length = os.urandom(4), len(text)
        head = bytes([0x81]) + (bytes([0x80 | length]) if length < 126 else bytes([0xFE]) + struct.pack(">H", length) if length < 65536
                                else bytes([0xFF]) + struct.pack(">Q", length))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text)))
        while True:
            message = b""
            while True:
                first, second = self.read(2)
                size = second & 127
                size = struct.unpack(">H", self.read(2))[0] if size == 126 else struct.unpack(">Q", self.read(8))[0] if size == 127 else size
                message += self.read(size)
                if first & 0x80:
                    break
            answer = json.loads(message)
            if answer.get("method") in self.complains:
                self.problems.append(json.dumps(answer["params"])[:300])
            if answer.get("id") == self.number:
                return answer.get("result", answer)


class Page(Socket):
    complains = ("Log.entryAdded", "Runtime.exceptionThrown")

    def listen(self):
        self.do("Page.enable"), self.do("Log.enable"), self.do("Runtime.enable")

    def size(self, width, height, scale=1, mobile=False):
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)

    def open(self, url, width, height, language, dark):
        self.listen()
        self.size(width, height, 2, True)
        self.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.do("Emulation.setUserAgentOverride", userAgent="Mozilla/5.0 (Linux; Android 10) Chrome/120 Mobile", acceptLanguage=language)
        self.do("Page.navigate", url=url)

    def run(self, script):
        """The script's value; a promise's, once it has one."""
        return self.do("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True).get("result", {}).get("value")

    def wait(self, script, seconds=PATIENCE):
        return bool(until(lambda: self.run(script), seconds))

    def picture(self, file):
        file.write_bytes(base64.b64decode(self.do("Page.captureScreenshot", format="png")["data"]))


class Browser:
    def __init__(self, draws=False):
        """`draws`: with WebGL, in software."""
        graphics = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if draws else ["--disable-gpu"]
        self.folder = tempfile.mkdtemp(prefix="warplens_browser_")
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", *graphics, "--remote-debugging-port=0", "--remote-allow-origins=*",
             # A browser that is slow is not hung, and a page that nobody sees goes on drawing.
             "--disable-gpu-watchdog", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
             f"--user-data-dir={self.folder}", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = pathlib.Path(self.folder) / "DevToolsActivePort"
        if not until(lambda: port_file.exists() and "\n" in port_file.read_text()):
            self.close()
            raise ConnectionError("Chromium does not start")
        self.at = f"http://127.0.0.1:{port_file.read_text().splitlines()[0]}"
        version = json.load(urllib.request.urlopen(self.at + "/json/version"))
        self.main = Page(version["webSocketDebuggerUrl"])

    def page(self):
        """A device of its own: no cookie is shared with another page."""
        context = self.main.do("Target.createBrowserContext")["browserContextId"]
        target = self.main.do("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        return Page(f"{self.at.replace('http', 'ws')}/devtools/page/{target}")

    def close(self):
        self.process.terminate()
        self.process.wait()
