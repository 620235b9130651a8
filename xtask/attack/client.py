"""Client of a running server: raw requests, and members who signed up by invite."""

import http.client
import json
import re
import socket
import struct
import subprocess
import time
import zlib
from pathlib import Path


class Response:
    """A response of the server."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        """Joins all values of a header; empty if it is missing."""
        return ", ".join(value for key, value in self.headers if key.lower() == name.lower())

    def json(self):
        """Parses the body as JSON; None if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def text(self):
        return self.body.decode("utf-8", "replace")


class Client:
    """Client of one server, with access to its operator commands and outbox."""

    def __init__(self, port, origin, program, store, outbox, log):
        self.port, self.origin = port, origin
        self.program, self.store = program, store
        self.outbox, self.log = Path(outbox), Path(log)
        self._ips = iter(f"198.51.{high}.{low}" for high in range(256) for low in range(1, 255))

    def new_ip(self):
        """An unused IP address, to be sent as if by the trusted proxy."""
        return next(self._ips)

    def request(self, method, path, body=None, headers=None, ip=None):
        """Sends a request as the trusted proxy would forward it."""
        head = {"X-Forwarded-For": ip or self.new_ip()}
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
            # The server rejected the request early; its response may still be readable.
            pass
        response = connection.getresponse()
        result = Response(response.status, response.getheaders(), response.read())
        connection.close()
        return result

    def raw(self, data, wait=3.0):
        """Sends raw bytes and returns everything received until a timeout or the end."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as stream:
            stream.sendall(data)
            received = b""
            try:
                while piece := stream.recv(65536):
                    received += piece
            except (TimeoutError, ConnectionResetError):
                pass
            return received

    def operator(self, *words):
        """Runs an operator command of the program; returns exit code, output and errors."""
        done = subprocess.run(
            [self.program, *words, *self.store], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout.strip(), done.stderr.strip()

    def wait_for_emails(self, email, count=1):
        """Waits for `count` emails to an address and returns them."""
        for _ in range(600):
            texts = [file.read_text() for file in sorted(self.outbox.glob("*.eml"))]
            found = [text for text in texts if f"To: {email}" in text]
            if len(found) >= count:
                return [text.replace("=\n", "").replace("=3D", "=") for text in found]
            time.sleep(0.05)
        raise AssertionError(f"no mail to {email}")

    def token_for(self, email, ip=None, invite=None):
        """Requests a link; returns its token and the nonce cookie of the requesting browser."""
        if invite:
            path, body = "/api/auth/request-magic-link", {"email": email, "inviteCode": invite}
        else:
            path, body = "/api/auth/request-login-link", {"email": email}
        asked = self.request("POST", path, body, ip=ip)
        assert asked.status == 200, asked.text()
        mail = self.wait_for_emails(email)[-1]
        token = re.search(r"token=([A-Za-z0-9_-]+)", mail).group(1)
        return token, asked.header("set-cookie").split(";")[0]

    def join(self, name):
        """Creates a member with a username, with an invite code of the operator."""
        return self.join_with(name, self.operator("invite", "create")[1])

    def join_with(self, name, code):
        """Creates a member with an invite code; without a name, the member has no username."""
        email = f"{name}@example.org"
        ip = self.new_ip()
        token, nonce = self.token_for(email, ip, code)
        proved = self.request(
            "GET", f"/api/auth/verify?token={token}&invite={code}", headers={"Cookie": nonce}, ip=ip
        )
        assert proved.status == 200, proved.text()
        member = Member(self, name, email, ip, cookie_of(proved))
        if name:
            chosen = member("PUT", "/api/users/username", {"username": name})
            assert chosen.status == 200, chosen.text()
        member.id = member("GET", "/api/auth/me").json()["id"]
        return member

    def founder(self, printed):
        """Signs in the founder with the link that the server printed."""
        token = re.search(r"token=([A-Za-z0-9_-]+)", printed).group(1)
        ip = self.new_ip()
        proved = self.request("GET", f"/api/auth/verify?token={token}", ip=ip)
        assert proved.status == 200, proved.text()
        member = Member(self, "founder", None, ip, cookie_of(proved))
        me = member("GET", "/api/auth/me").json()
        member.id, member.name = me["id"], me.get("username") or "founder"
        return member


class Member:
    """A member with a session."""

    def __init__(self, client, name, email, ip, cookie):
        self.client, self.name, self.email = client, name, email
        self.ip, self.cookie, self.id = ip, cookie, None

    def __call__(self, method, path, body=None, headers=None):
        head = {"Cookie": self.cookie, **(headers or {})}
        return self.client.request(method, path, body, head, self.ip)

    def post(self, text, **more):
        """Creates a post and returns its id."""
        made = self("POST", "/api/posts", {"content": text, **more})
        assert made.status == 201, made.text()
        return made.json()["id"]

    def upload(self, data, kind="image/png"):
        """Uploads a file and returns its URL."""
        asked = self("POST", "/api/objects/upload", {"size": len(data), "type": kind}).json()
        url = asked["uploadURL"]
        path = url[url.index("/api/") :]
        sent = self.client.request("PUT", path, data, {"Content-Type": kind}, self.ip)
        assert sent.status == 200, sent.text()
        return url


def cookie_of(response):
    """Session cookie of a response, as a browser would return it."""
    found = re.search(r"((?:__Host-)?session=[A-Za-z0-9_-]+)", response.header("set-cookie"))
    assert found, response.header("set-cookie")
    return found.group(1)


def png(width, height, shade=90):
    """A grey PNG with the given size, compressed as far as possible."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer, rows = zlib.compressobj(9), b""
    row = b"\0" + bytes([shade]) * width
    for _ in range(height):
        rows += packer.compress(row)
    rows += packer.flush()
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
