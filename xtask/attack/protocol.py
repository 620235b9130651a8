"""Protocol attacks: request smuggling, path traversal, slow and large requests, malicious uploads."""

import socket
import time

from client import png

GET = b"GET /api/auth/me HTTP/1.1\r\nHost: x\r\n"


def statuses_in(received):
    """Status codes of the responses in the received bytes."""
    return [int(line.split()[1]) for line in received.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]


def smuggling(results, client, _):
    """Requests whose end a proxy and the server could see differently."""
    post = b"POST /api/waitlist HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.9\r\nContent-Type: application/json\r\n"
    hidden = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Hidden: y\r\n\r\n"
    chunks = b"0\r\n\r\n"
    rejected = {
        "two lengths": post + b"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}" + hidden,
        "two lengths in one": post + b"Content-Length: 2, 40\r\n\r\n{}" + hidden,
        "a length with a sign": post + b"Content-Length: +2\r\n\r\n{}" + hidden,
        "a negative length": post + b"Content-Length: -1\r\n\r\n" + hidden,
        "a length in hex": post + b"Content-Length: 0x2\r\n\r\n{}" + hidden,
        "a length past 64 bits": post + b"Content-Length: 18446744073709551618\r\n\r\n{}" + hidden,
        "chunked, then identity": post + b"Transfer-Encoding: chunked, identity\r\n\r\n" + chunks + hidden,
        "an unknown coding": post + b"Transfer-Encoding: xchunked\r\n\r\n" + chunks + hidden,
        "a space before the colon": post + b"Transfer-Encoding : chunked\r\n\r\n" + chunks + hidden,
        "a folded line": post + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + chunks + hidden,
        "a control in a name": post + b"Transfer\x0b-Encoding: chunked\r\n\r\n" + chunks + hidden,
        "a null in a value": post + b"X: a\0b\r\nContent-Length: 2\r\n\r\n{}" + hidden,
        "a chunk's size past 64 bits": post
        + b"Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n"
        + chunks
        + hidden,
        "a chunk's size with a sign": post
        + b"Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n"
        + chunks
        + hidden,
        "a chunk without its end": post + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX" + chunks + hidden,
        "32 KiB of chunk extensions": post
        + b"Transfer-Encoding: chunked\r\n\r\n2;"
        + b"a" * 32_768
        + b"\r\n{}\r\n"
        + chunks
        + hidden,
        "bare line feeds in a chunk": post + b"Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n" + hidden,
        "no method": b" / HTTP/1.1\r\nHost: x\r\n\r\n",
        "the HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + hidden,
        "a path with a line break": b"GET /\r\nX: y HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
    }
    for what, data in rejected.items():
        seen = statuses_in(client.raw(data))
        results.record("wire", what, len(seen) <= 1 and (not seen or 400 <= seen[0] < 500), seen)
    both = post + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n" + chunks
    seen = statuses_in(client.raw(both + b"GPOST / HTTP/1.1\r\nHost: x\r\n\r\n"))
    results.record(
        "wire", "a length and chunks: the chunks count, and the connection ends", seen in ([400], [422]), seen
    )
    last = post + b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n" + chunks
    seen = statuses_in(client.raw(last))
    results.record("wire", "two lines of codings", seen in ([], [400], [422]), seen)
    upgrade = GET + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n"
    seen = statuses_in(client.raw(upgrade, 1.0))
    results.record("wire", "an upgrade to HTTP/2 without TLS", seen == [401], seen)
    for method in (b"TRACE", b"TRACK", b"PATCH", b"PROPFIND", b"G\xcbT", b"A" * 100):
        seen = statuses_in(
            client.raw(method + b" /api/auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        )
        results.record("wire", f"the method {method[:12]!r}", seen == [405] or seen == [400], seen)


def paths(results, client, members):
    """Path traversal."""
    climbs = [
        "/../secret.key",
        "/..%2fsecret.key",
        "/%2e%2e/secret.key",
        "/%2e%2e%2fsecret.key",
        "/..%5csecret.key",
        "/..;/secret.key",
        "/....//secret.key",
        "/%252e%252e/secret.key",
        "/%c0%ae%c0%ae/secret.key",
        "//etc/passwd",
        "/secret.key",
        "/kith.db",
        "/.git/config",
        "/.env",
        "/index.html.br",
        "/%00",
        "/a%00.css",
    ]
    prefixes = ["", "/assets", "/images", "/images/" + "0" * 40, "/media", "/api/objects"]
    for prefix in prefixes:
        for climb in climbs:
            received = client.raw(
                f"GET {prefix}{climb} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {client.new_ip()}\r\nConnection: close\r\n\r\n".encode()
            )
            secret = b"SQLite format" in received or b"root:x" in received or b"[core]" in received
            seen = statuses_in(received)
            page = b"content-type: text/html" in received.lower() or seen[:1] in ([400], [401], [404], [405])
            results.record(
                "paths", f"GET {prefix}{climb}", not secret and len(seen) == 1 and page, (seen, received[:60])
            )


def sizes(results, client, members):
    """Heads and bodies that are too large, too many or too slow."""
    fine = {
        "many headers": b"".join(b"X-%d: y\r\n" % n for n in range(500)),
        "a header of 1 MB": b"X: " + b"a" * 1_000_000 + b"\r\n",
        "a cookie of 1 MB": b"Cookie: " + b"a=b; " * 200_000 + b"\r\n",
    }
    for what, head in fine.items():
        seen = statuses_in(client.raw(GET + head + b"Connection: close\r\n\r\n"))
        results.record("sizes", what, not seen or seen[0] in (400, 431), seen)
    seen = statuses_in(client.raw(b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"))
    results.record("sizes", "a URL of 200,000 characters", not seen or seen[0] in (400, 414, 431), seen)
    seen = client.request(
        "POST", "/api/waitlist", b'{"email":"' + b"a" * 70_000 + b'"}', {"Content-Type": "application/json"}
    ).status
    results.record("sizes", "a body of 70 KB", seen == 413, seen)
    held = []
    for n in range(300):
        stream = socket.create_connection(("127.0.0.1", client.port))
        stream.sendall(
            GET
            if n % 2
            else b"POST /api/waitlist HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nContent-Type: application/json\r\n\r\n{"
        )
        held.append(stream)
    began = time.monotonic()
    seen = members["ada"]("GET", "/api/auth/me").status
    results.record(
        "sizes",
        "300 slow requests, and a member beside them",
        seen == 200 and time.monotonic() - began < 5,
        seen,
    )
    ended = 0
    for stream in held:
        stream.settimeout(max(0.1, 25 - (time.monotonic() - began)))
        try:
            while stream.recv(4096):
                pass
            ended += 1
        except ConnectionResetError:
            ended += 1
        except TimeoutError:
            pass
        stream.close()
    results.record("sizes", "each of them is ended within 25 s", ended == 300, ended)


def uploads(results, client, members):
    """Uploads that are not images, are too large, or belong to another member."""
    ada = members["ada"]
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    files = {
        "a bomb of 30,000 × 30,000": png(30_000, 30)[:-30] + b"",
        "SVG": svg,
        "HTML": b"<html><script>alert(1)</script>",
        "a ZIP": b"PK\x03\x04" + b"\0" * 100,
        "GIF, then script": b"GIF89a/*" + b"\0" * 20 + b"*/=1;alert(1)",
        "nothing": b"",
        "a program": b"\x7fELF" + b"\0" * 200,
        "PNG's first bytes": b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
    }
    head = bytearray(png(10, 10))
    head[16:24] = (30_000).to_bytes(4) * 2
    files["a head that claims 30,000 × 30,000"] = bytes(head)
    for what, data in files.items():
        asked = ada("POST", "/api/objects/upload", {"size": max(1, len(data)), "type": "image/png"})
        if asked.status != 200:
            results.record("uploads", what, asked.status in (400, 422), asked.status)
            continue
        url = asked.json()["uploadURL"]
        client.request("PUT", url[url.index("/api/") :], data, {"Content-Type": "image/png"})
        began = time.monotonic()
        seen = ada("POST", "/api/posts", {"content": "file", "imageUrls": [url]}).status
        results.record("uploads", what, 400 <= seen < 500 and time.monotonic() - began < 5, seen)
    url = ada("POST", "/api/objects/upload", {"size": 10, "type": "image/png"}).json()["uploadURL"]
    path = url[url.index("/api/") :]
    name = path.split("/api/objects/")[1].split("?")[0]
    for what, other in {
        "another signature": path[:-4] + "AAAA",
        "no signature": path.split("?")[0],
        "another name": path.replace(name[:8], "0" * 8),
        "a climbing name": path.replace(name, "..%2f..%2fsecret.key"),
    }.items():
        seen = client.request("PUT", other, b"x" * 10).status
        results.record("uploads", what, 400 <= seen < 500, seen)
    seen = client.request("PUT", path, b"x" * 10_485_761).status
    results.record("uploads", "10,485,761 bytes", seen == 413, seen)
    file = png(64, 64)
    url = ada.upload(file)
    seen = client.request("PUT", url[url.index("/api/") :], png(64, 64, 10)).status
    results.record("uploads", "another file at the same URL", 400 <= seen < 500, seen)
    seen = {
        client.request("GET", f"/{kind}/{name}").status
        for kind in ("incoming", "media/incoming", "images/incoming", "api/objects")
    }
    results.record(
        "uploads",
        "the original upload is not served",
        seen <= {200, 401, 404, 405} and file not in client.request("GET", f"/incoming/{name}").body,
        seen,
    )
    for foreign in (
        "https://evil.example/a.png",
        "http://127.0.0.1:9090/metrics",
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "//evil.example/x",
        "/images/" + "0" * 40 + "/400.webp",
        "data:image/png;base64,AAAA",
        "gopher://127.0.0.1:25/x",
    ):
        seen = {
            ada("POST", "/api/posts", {"content": "foreign", "imageUrls": [foreign]}).status,
            ada("PUT", "/api/profile-images", {"imageURL": foreign}).status,
        }
        results.record("uploads", f"an image at {foreign}", all(400 <= one < 500 for one in seen), seen)
