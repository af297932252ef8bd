"""Phones that are simulated: as many as a hall holds, each with its cookie and, as browsers do, a connection that it keeps."""
import asyncio
import http.client
import json
import pathlib
import random
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from patience import PATIENCE  # noqa: E402


def vote(state):
    """What the stage says of the class."""
    return state["seen"]["vote"]


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1000


class Phone:
    """A phone by itself: it joins by the address on the stage, and asks and votes with its cookie."""

    def __init__(self, url, expect):
        at = urllib.parse.urlparse(url)
        self.host, self.port, self.cookie = at.hostname, at.port, None
        status, answer, headers = self.ask("POST", "/join", {"code": at.fragment})
        expect(status == 200, f"a phone joins: {status} {answer}")
        self.cookie = (headers.get("Set-Cookie") or "").split(";")[0]

    def request(self, method, path):
        """As it is on the wire, without a body."""
        return f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nCookie: {self.cookie}\r\n\r\n"

    def ask(self, method, path, fields=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if fields else {}
        if self.cookie:
            headers["Cookie"] = self.cookie
        connection.request(method, path, urllib.parse.urlencode(fields or {}), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text), answer.headers

    def state(self):
        return self.ask("GET", "/state")[1]

    def vote(self, answer, ballot=None):
        return self.ask("POST", "/vote", {"ballot": ballot or self.state()["ballot"], "answer": answer})[0]


# What a phone may be told before the reveal; a member more could tell what others said.
OPEN = {"phase", "ballot", "question", "kind", "choices", "places", "least", "most", "mine"}


class Crowd:
    def __init__(self, url, expect):
        self.expect, self.times, self.cookies = expect, [], []
        self.turn_to(url)

    def turn_to(self, url):
        """Where the class is now."""
        at = urllib.parse.urlparse(url)
        self.host, self.port, self.code = at.hostname, at.port, at.fragment

    async def ask(self, reader, writer, method, path, cookie="", body=""):
        text = (f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n" + (f"Cookie: {cookie}\r\n" if cookie else "") +
                (f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n" if method == "POST" else "") +
                "\r\n" + body)
        begin = time.perf_counter()
        writer.write(text.encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.split("Content-Length: ")[1].split("\r\n")[0])
        answer = await reader.readexactly(length)
        self.times.append(time.perf_counter() - begin)
        if answer.startswith(b"{"):
            told = json.loads(answer)
            self.expect(told["phase"] == "shown" or set(told) <= OPEN, f"a phone is told too much: {answer}")
        return int(head.split()[1]), head, answer

    async def connect(self, source=None):
        """`source`: another address of this machine, as if somebody else came."""
        return await asyncio.open_connection(self.host, self.port, local_addr=source and (source, 0))

    async def join(self, within):
        await asyncio.sleep(random.uniform(0, within))
        reader, writer = await self.connect()
        await self.ask(reader, writer, "GET", "/")
        status, head, _ = await self.ask(reader, writer, "POST", "/join", body=f"code={self.code}")
        self.expect(status == 200, f"a simulated phone joins: {status}")
        self.cookies.append(head.split("Set-Cookie: ")[1].split(";")[0])
        writer.close()

    async def phone(self, cookie, before, answer, within):
        """Asks every 1.2 s, chooses at some moment, and chooses again."""
        reader, writer = await self.connect()
        until, due, done = time.time() + within + 1, time.time() + random.uniform(0, within), False
        while time.time() < until or not done:
            status, _, text = await self.ask(reader, writer, "GET", "/state", cookie)
            if not done and time.time() >= due:
                ballot = json.loads(text)["ballot"]
                for one in (before, answer):
                    status, _, _ = await self.ask(reader, writer, "POST", "/vote", cookie, f"ballot={ballot}&answer={one}")
                    self.expect(status == 200, f"a simulated phone votes: {status}")
                done = True
            await asyncio.sleep(1.2 * random.uniform(0.8, 1.2))
        writer.close()

    async def all_join(self, count, within):
        await asyncio.gather(*[self.join(within) for _ in range(count)])

    async def all_vote(self, answers, within):
        await asyncio.gather(*[self.phone(cookie, random.choice(answers), answer, within) for cookie, answer in zip(self.cookies, answers)])

    async def hostile(self, count):
        """Fifty machines with requests that are broken, too long, or guess the code; and with connections that say nothing, or a byte
        now and then. Each has an address of its own."""
        slow = [await self.connect(f"127.0.0.{2 + i % 50}") for i in range(200)]
        for _, writer in slow[::2]:
            writer.write(b"GET /st")
        broken = [b"GET / HTTP/1.1\r\nHost: evil\r\n\r\n", b"\x16\x03\x01\x00", b"GET /" + b"a" * 3000 + b" HTTP/1.1\r\n\r\n",
                  b"POST /vote HTTP/1.1\r\nHost: %s:%d\r\nContent-Length: 999999\r\n\r\n" % (self.host.encode(), self.port),
                  b"POST /join HTTP/1.1\r\nHost: %s:%d\r\nContent-Length: 11\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
                  b"code=000000" % (self.host.encode(), self.port)]
        made = 0

        async def one(i):
            nonlocal made
            for k in range(count // 50):
                try:
                    reader, writer = await self.connect(f"127.0.0.{2 + i}")
                    writer.write(broken[(i + k) % len(broken)])
                    writer.write_eof()
                    await asyncio.wait_for(reader.read(65536), PATIENCE)
                    writer.close()
                    made += 1
                except (OSError, asyncio.TimeoutError):
                    pass
                if k % 20 == 0:
                    for _, writer in slow[i::50]:
                        writer.write(b"a")  # it is not done yet, and never will be
        await asyncio.gather(*[one(i) for i in range(50)])
        for _, writer in slow:
            writer.close()
        return made
