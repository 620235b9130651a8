"""A running Kith as an outsider sees it: raw calls, and members who came by its own front door."""

import http.client
import json
import re
import socket
import struct
import subprocess
import time
import zlib
from pathlib import Path


class Answer:
    """What the server said to one call."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        """All values of a header, joined; empty when it is not there."""
        return ", ".join(value for key, value in self.headers if key.lower() == name.lower())

    def json(self):
        """The body as JSON, or None."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def text(self):
        return self.body.decode("utf-8", "replace")


class Network:
    """One server: where it listens, what members type, and how its operator is asked."""

    def __init__(self, port, origin, program, store, outbox, log):
        self.port, self.origin = port, origin
        self.program, self.store = program, store
        self.outbox, self.log = Path(outbox), Path(log)
        self._addresses = iter(f"198.51.{high}.{low}" for high in range(256) for low in range(1, 255))

    def address(self):
        """A client's address that nobody used before, as the trusted proxy would name it."""
        return next(self._addresses)

    def call(self, method, path, body=None, headers=None, address=None):
        """One call of a program, through the proxy that the server trusts."""
        head = {"X-Forwarded-For": address or self.address()}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            head["Content-Type"] = "application/json"
        head.update(headers or {})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in head.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        try:
            connection.endheaders(body)
        except (BrokenPipeError, ConnectionResetError):
            # It was refused before all of it was sent; the answer may be there all the same.
            pass
        answer = connection.getresponse()
        result = Answer(answer.status, answer.getheaders(), answer.read())
        connection.close()
        return result

    def raw(self, data, wait=3.0):
        """Sends bytes as they are, and answers what came back until silence or the end."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as stream:
            stream.sendall(data)
            heard = b""
            try:
                while piece := stream.recv(65536):
                    heard += piece
            except (TimeoutError, ConnectionResetError):
                pass
            return heard

    def operator(self, *words):
        """A command of the operator, beside the server."""
        done = subprocess.run(
            [self.program, *words, *self.store], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout.strip(), done.stderr.strip()

    def mails_to(self, email, count=1):
        """The mails to an address, once there are so many."""
        for _ in range(600):
            texts = [file.read_text() for file in sorted(self.outbox.glob("*.eml"))]
            found = [text for text in texts if f"To: {email}" in text]
            if len(found) >= count:
                return [text.replace("=\n", "").replace("=3D", "=") for text in found]
            time.sleep(0.05)
        raise AssertionError(f"no mail to {email}")

    def token_for(self, email, address=None, invite=None):
        """Asks for a link; answers its token and the nonce cookie of the browser that asked."""
        if invite:
            path, body = "/api/auth/request-magic-link", {"email": email, "inviteCode": invite}
        else:
            path, body = "/api/auth/request-login-link", {"email": email}
        asked = self.call("POST", path, body, address=address)
        assert asked.status == 200, asked.text()
        mail = self.mails_to(email)[-1]
        token = re.search(r"token=([A-Za-z0-9_-]+)", mail).group(1)
        return token, asked.header("set-cookie").split(";")[0]

    def join(self, name):
        """A new member with a username, by a code of the operator's."""
        return self.join_with(name, self.operator("invite", "create")[1])

    def join_with(self, name, code):
        """The same by this code."""
        email = f"{name}@example.org"
        address = self.address()
        token, nonce = self.token_for(email, address, code)
        proved = self.call(
            "GET", f"/api/auth/verify?token={token}&invite={code}", headers={"Cookie": nonce}, address=address
        )
        assert proved.status == 200, proved.text()
        member = Member(self, name, email, address, cookie_of(proved))
        if name:
            chosen = member("PUT", "/api/users/username", {"username": name})
            assert chosen.status == 200, chosen.text()
        member.id = member("GET", "/api/auth/me").json()["id"]
        return member

    def founder(self, printed):
        """The founder, by the address that the server printed."""
        token = re.search(r"token=([A-Za-z0-9_-]+)", printed).group(1)
        address = self.address()
        proved = self.call("GET", f"/api/auth/verify?token={token}", address=address)
        assert proved.status == 200, proved.text()
        member = Member(self, "founder", None, address, cookie_of(proved))
        me = member("GET", "/api/auth/me").json()
        member.id, member.name = me["id"], me.get("username") or "founder"
        return member


class Member:
    """Somebody with a session."""

    def __init__(self, network, name, email, address, cookie):
        self.network, self.name, self.email = network, name, email
        self.address, self.cookie, self.id = address, cookie, None

    def __call__(self, method, path, body=None, headers=None):
        head = {"Cookie": self.cookie, **(headers or {})}
        return self.network.call(method, path, body, head, self.address)

    def post(self, text, **more):
        """A post of theirs; answers its id."""
        made = self("POST", "/api/posts", {"content": text, **more})
        assert made.status == 201, made.text()
        return made.json()["id"]

    def upload(self, data, kind="image/png"):
        """Sends a file; answers its address."""
        asked = self("POST", "/api/objects/upload", {"size": len(data), "type": kind}).json()
        url = asked["uploadURL"]
        path = url[url.index("/api/") :]
        sent = self.network.call("PUT", path, data, {"Content-Type": kind}, self.address)
        assert sent.status == 200, sent.text()
        return url


def cookie_of(answer):
    """The session cookie in an answer, as a browser would send it back."""
    found = re.search(r"((?:__Host-)?session=[A-Za-z0-9_-]+)", answer.header("set-cookie"))
    assert found, answer.header("set-cookie")
    return found.group(1)


def png(width, height, shade=90):
    """A grey PNG of this size, however little of it there is."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer, rows = zlib.compressobj(9), b""
    row = b"\0" + bytes([shade]) * width
    for _ in range(height):
        rows += packer.compress(row)
    rows += packer.flush()
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
